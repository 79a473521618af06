//! Where a policy's functions are: found once for all instances.
//!
//! The types of a function are compared with the host's when it is loaded from an instance. The generated bindings do that
//! for all functions of every instance, which is a third of what an instance costs; here only the interface is loaded that is
//! called.

use super::session::Guard;
use crate::bindings::exports::capi::policy::{catalog, evaluator, json};
use wasmtime::component::InstancePre;

/// The interfaces that a policy exports.
pub struct Functions {
    pub json: json::GuestIndices,
    pub evaluator: evaluator::GuestIndices,
    pub catalog: catalog::GuestIndices,
}

impl Functions {
    /// Finds them.
    pub fn of(policy: &InstancePre<Guard>) -> wasmtime::Result<Self> {
        Ok(Self {
            json: json::GuestIndices::new(policy)?,
            evaluator: evaluator::GuestIndices::new(policy)?,
            catalog: catalog::GuestIndices::new(policy)?,
        })
    }
}
