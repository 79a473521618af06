//! One instance of the policy for all evaluations, to see what a fresh one and its deadline cost.

use capi_policy_host::{Engine, EngineError, PolicyEngine, Session};
use std::sync::{Mutex, PoisonError};

/// An instance that is kept.
pub struct Warm<'a> {
    session: Mutex<Session>,
    policy: &'a PolicyEngine,
}

impl<'a> Warm<'a> {
    /// Makes an instance.
    pub fn of(policy: &'a PolicyEngine) -> Result<Self, EngineError> {
        Ok(Self { session: Mutex::new(policy.session()?), policy })
    }
}

impl Engine for Warm<'_> {
    fn evaluate(&self, snapshot: &str) -> Result<String, EngineError> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).evaluate(snapshot)
    }

    fn forecast(&self, snapshot: &str, until: &str) -> Result<String, EngineError> {
        self.policy.forecast(snapshot, until)
    }

    fn catalog(&self) -> Result<String, EngineError> {
        self.policy.catalog()
    }
}
