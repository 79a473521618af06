//! Makes instances of a policy that is compiled and linked.

use super::failure;
use super::functions::Functions;
use super::session::{self, Guard, Session};
use super::slots::Slots;
use crate::error::EngineError;
use crate::limits::Limits;
use std::sync::Arc;
use wasmtime::component::InstancePre;

/// A policy and the limits of its instances. Cheap to clone.
#[derive(Clone)]
pub struct Instances {
    pub policy: InstancePre<Guard>,
    pub functions: Arc<Functions>,
    pub limits: Limits,
    /// Where instances come from a pool: how many there can be at a time.
    pub slots: Option<Arc<Slots>>,
}

impl Instances {
    /// A new instance.
    pub fn session(&self) -> Result<Session, EngineError> {
        let slot = self.slots.as_ref().map(Slots::take);
        let mut store = session::store(self.policy.engine(), &self.limits);
        let instance = self.policy.instantiate(&mut store).map_err(|error| failure::at_start(error, &self.limits))?;
        Ok(Session::new(store, instance, Arc::clone(&self.functions), self.limits.clone(), slot))
    }
}
