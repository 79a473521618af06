//! The library as an engine: the same code without a sandbox.

use super::Engine;
use crate::error::EngineError;

/// Calls the library directly.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeEngine;

impl Engine for NativeEngine {
    fn evaluate(&self, snapshot: &str) -> Result<String, EngineError> {
        Ok(capi_policy::evaluate_json(snapshot)?)
    }

    fn forecast(&self, snapshot: &str, until: &str) -> Result<String, EngineError> {
        Ok(capi_policy::forecast_json(snapshot, until)?)
    }

    fn catalog(&self) -> Result<String, EngineError> {
        Ok(capi_policy::catalog::json())
    }
}
