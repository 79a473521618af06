//! Stand-in until the engine arrives.

use std::path::Path;

/// Answers questions.
pub trait Engine: Send + Sync {
    /// A snapshot in, the decision out.
    fn evaluate(&self, snapshot: &str) -> Result<String, EngineError>;
    /// A snapshot and a horizon in, decisions to come out.
    fn forecast(&self, snapshot: &str, until: &str) -> Result<String, EngineError>;
    /// What the policy is.
    fn catalog(&self) -> Result<String, EngineError>;
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The policy refused the snapshot.
    #[error("{0}")]
    Policy(String),
}

/// The library, no sandbox.
pub struct NativeEngine;

impl Engine for NativeEngine {
    fn evaluate(&self, snapshot: &str) -> Result<String, EngineError> {
        capi_policy::evaluate_json(snapshot).map_err(|e| EngineError::Policy(e.to_string()))
    }
    fn forecast(&self, snapshot: &str, until: &str) -> Result<String, EngineError> {
        capi_policy::forecast_json(snapshot, until).map_err(|e| EngineError::Policy(e.to_string()))
    }
    fn catalog(&self) -> Result<String, EngineError> {
        Ok(capi_policy::catalog::json())
    }
}

/// The component.
pub struct PolicyEngine(NativeEngine);

impl PolicyEngine {
    /// Loads.
    pub fn load(_path: &Path) -> Result<Self, EngineError> {
        Ok(Self(NativeEngine))
    }
    /// Loads.
    pub fn from_bytes(_bytes: &[u8]) -> Result<Self, EngineError> {
        Ok(Self(NativeEngine))
    }
    /// Imports.
    pub fn imports(&self) -> Vec<String> {
        Vec::new()
    }
    /// Exports.
    pub fn exports(&self) -> Vec<String> {
        Vec::new()
    }
    /// Warm.
    pub fn warm(&self) -> Result<NativeEngine, EngineError> {
        Ok(NativeEngine)
    }
}

impl Engine for PolicyEngine {
    fn evaluate(&self, snapshot: &str) -> Result<String, EngineError> {
        self.0.evaluate(snapshot)
    }
    fn forecast(&self, snapshot: &str, until: &str) -> Result<String, EngineError> {
        self.0.forecast(snapshot, until)
    }
    fn catalog(&self) -> Result<String, EngineError> {
        self.0.catalog()
    }
}
