//! What wasmtime says went wrong in; what that means for a policy, out.

use super::session::Exceeded;
use crate::error::EngineError;
use crate::limits::Limits;
use wasmtime::Trap;

/// A call that failed.
pub fn in_call(error: wasmtime::Error, limits: &Limits) -> EngineError {
    // What is neither a limit nor a trap is an answer that breaks the rules for passing values.
    limit_or_trap(&error, limits).unwrap_or_else(|| EngineError::invalid_answer(error))
}

/// An instance that could not be made.
pub fn at_start(error: wasmtime::Error, limits: &Limits) -> EngineError {
    limit_or_trap(&error, limits).unwrap_or_else(|| EngineError::not_a_policy(error))
}

fn limit_or_trap(error: &wasmtime::Error, limits: &Limits) -> Option<EngineError> {
    if let Some(exceeded) = error.downcast_ref::<Exceeded>() {
        return Some(match exceeded {
            Exceeded::Memory => EngineError::MemoryLimit { limit: limits.memory_bytes },
            Exceeded::Table => EngineError::TableLimit { limit: limits.table_elements },
        });
    }
    error.downcast_ref::<Trap>().map(|trap| match trap {
        Trap::Interrupt => EngineError::Timeout { limit: limits.timeout.unwrap_or_default() },
        trap => EngineError::Trap { detail: trap.to_string(), source: Some(Box::new(*trap)) },
    })
}
