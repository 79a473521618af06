//! Runs the capi-policy component in a sandbox on wasmtime: Kubernetes objects in, typed decisions out, whatever the policy
//! does.
//!
//! The policy is compiled and linked once. Every evaluation gets an instance of its own, with a deadline and limits on
//! memory, so that a policy that loops, allocates without end or traps costs one typed error and nothing else.
//!
//! ```
//! use capi_policy_host::{EngineError, ErrorCode, Options, Policy, Time};
//! use serde_json::json;
//!
//! # fn policy() -> &'static str { concat!(env!("CARGO_MANIFEST_DIR"), "/../../dist/capi_policy.wasm") }
//! # let path = policy();
//! let policy = Policy::from_path(path, &Options::default())?;
//! // Objects are anything that serializes as the API server serves them: values, kube's dynamic objects, your own types.
//! let deployment = json!({ "metadata": { "name": "md-0", "namespace": "prod", "generation": 3 }, "spec": { "replicas": 3 } });
//! let now = Time::from(std::time::SystemTime::now());
//!
//! let evaluation = policy.evaluate(&json!({ "now": now, "machineDeployment": deployment, "machines": [] }))?;
//! for condition in &evaluation.conditions {
//!     println!("{} is {:?}: {}", condition.condition_type, condition.status, condition.reason);
//! }
//! assert_eq!(evaluation.condition("ScalingUp").map(|scaling| &*scaling.reason), Some("ScalingUp"));
//!
//! // What can't be read is named by its path, and trying again does not help.
//! let error = policy.evaluate(&json!({ "now": "yesterday" })).unwrap_err();
//! assert!(matches!(&error, EngineError::Malformed { code: ErrorCode::Invalid, path: Some(path), .. } if path == "now"));
//! assert!(!error.is_transient());
//! # Ok::<(), EngineError>(())
//! ```
//!
//! - [`Policy`] is what a controller uses. Where its policy comes from: [`Policy::from_path`], [`Policy::from_bytes`], or
//!   `Policy::embedded` with feature `embedded`, which adds the crate that carries the component.
//! - Feature `tokio` adds `Policy::evaluate_async`, which does not block the runtime.
//! - Feature `k8s-openapi` converts a [`decision::Condition`] into the type that Kubernetes clients store. The version of
//!   Kubernetes is the program's to choose, as k8s-openapi asks for.
//! - [`Engine`] is the same with JSON text both ways, for tools that pass answers on.

mod bindings;
mod cache;
pub mod decision;
mod engine;
mod error;
mod limits;
mod policy;

pub use bindings::exports::capi::policy::{catalog, evaluator, types};
pub use capi_policy::time::Time;
pub use engine::{
    About, Assumption, Engine, Fleet, FleetEngine, How, NativeEngine, ObjectName, PolicyEngine, Scope, Session,
    WorkloadCluster,
};
pub use error::{EngineError, ErrorCode};
pub use limits::{Cache, Limits, Options};
pub use policy::Policy;
