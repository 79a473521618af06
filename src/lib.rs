//! Cluster API's condition logic and health checks as pure functions: a snapshot of Kubernetes objects and a time in,
//! the decision out. No clock, no I/O, no randomness.

pub mod aggregate;
mod bindings;
pub mod catalog;
pub mod error;
pub mod evaluate;
pub mod forecast;
pub mod observed;
pub mod order;
pub mod outcome;
pub mod progress;
pub mod rules;
pub mod snapshot;
pub mod table;
pub mod text;
pub mod time;
pub mod view;

pub use error::Error;
pub use evaluate::{evaluate, evaluate_json};
pub use forecast::{forecast, forecast_json};
pub use outcome::Evaluation;
pub use snapshot::{Kind, Profile, Snapshot};
