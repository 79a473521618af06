//! Cluster API's condition logic and health checks as pure functions: they decide from a snapshot of Kubernetes objects and
//! the time. No clock, no I/O, no randomness.
//!
//! ```
//! let decision = capi_policy::evaluate_json(
//!     r#"{ "now": "2025-01-01T00:00:00Z", "machineDeployment": { "metadata": { "name": "md-0", "generation": 3 } } }"#,
//! )?;
//! assert!(decision.contains(r#""type":"Deleting","status":"False","reason":"NotDeleting""#));
//! # Ok::<(), capi_policy::Error>(())
//! ```

#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

// In the order in which data flows: in,
pub mod input;
mod json;
pub mod view;

// decided by tables,
pub mod conditions;
#[allow(clippy::doc_markdown, reason = "printed tables hold reasons, messages and names as they are")]
pub mod rules;
mod sorted;
pub mod table;

// out.
#[allow(unsafe_code, reason = "generated from wit/ and by wasm-bindgen")]
mod bindings;
pub mod catalog;
pub mod evaluate;
pub mod fleet;
pub mod forecast;
pub mod outcome;

pub use conditions::{aggregate, mirror, order, summary, text};
pub use input::{error, observed, profile, snapshot, time};
pub(crate) use input::{lookup, rfc3339};
pub use table::progress;

pub use error::Error;
pub use evaluate::{evaluate, evaluate_json};
pub use forecast::{forecast, forecast_json};
pub use outcome::Evaluation;
pub use profile::Profile;
pub use snapshot::{Kind, Snapshot};
