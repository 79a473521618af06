//! Runs the capi-policy component in a sandbox: snapshot in, decision out, whatever the policy does.
//!
//! The policy is compiled and linked once. Every evaluation gets an instance of its own, with a deadline and limits on
//! memory, so that a policy that loops, allocates without end or traps costs one typed error and nothing else.
//!
//! ```
//! use capi_policy_host::{Engine, EngineError, Options, PolicyEngine};
//!
//! # let policy = concat!(env!("CARGO_MANIFEST_DIR"), "/../../dist/capi_policy.wasm");
//! let engine = PolicyEngine::load(policy, &Options::default())?;
//! let snapshot = r#"{
//!     "now": "2025-01-01T00:00:00Z",
//!     "machineDeployment": { "metadata": { "name": "md-0", "generation": 3 } }
//! }"#;
//! // Typed, for one kind:
//! let evaluation = engine.evaluate_machine_deployment(snapshot)?;
//! for condition in &evaluation.evaluation.conditions {
//!     println!("{} is {:?}: {}", condition.type_, condition.status, condition.reason);
//! }
//! # assert!(evaluation.evaluation.conditions.iter().any(|c| c.type_ == "Deleting" && c.reason == "NotDeleting"));
//! // As JSON, for any kind:
//! assert!(engine.evaluate(snapshot)?.contains(r#""reason":"NotDeleting""#));
//! // What can't be read is named by its path:
//! let error = engine.evaluate(r#"{ "now": "yesterday" }"#).unwrap_err();
//! assert!(matches!(error, EngineError::Malformed { path: Some(path), .. } if path == "now"));
//! # Ok::<(), EngineError>(())
//! ```

mod bindings;
mod cache;
mod engine;
mod error;
mod limits;

pub use bindings::exports::capi::policy::{catalog, evaluator, types};
pub use engine::{
    About, Assumption, Engine, Fleet, FleetEngine, How, NativeEngine, ObjectName, PolicyEngine, Scope, Session,
    WorkloadCluster,
};
pub use error::EngineError;
pub use limits::{Cache, Limits, Options};
