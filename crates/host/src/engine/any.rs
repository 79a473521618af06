//! Bytes of a component in, a policy out, whichever of the two worlds it implements.

use super::{About, Engine, FleetEngine, PolicyEngine};
use crate::error::EngineError;
use crate::limits::Options;
use std::sync::Arc;

/// A policy of either shape.
pub enum AnyPolicy {
    /// Decides about snapshots.
    Stateless(Box<PolicyEngine>),
    /// Keeps objects and decides about those.
    Keeping(Arc<FleetEngine>),
}

impl AnyPolicy {
    /// Loads a policy from the bytes of its component.
    pub fn from_bytes(bytes: &[u8], options: &Options) -> Result<Self, EngineError> {
        match PolicyEngine::from_bytes(bytes, options) {
            Ok(policy) => Ok(Self::Stateless(Box::new(policy))),
            // The better known shape says what is wrong with something that is neither.
            Err(error @ EngineError::NotAPolicy { .. }) => {
                FleetEngine::from_bytes(bytes, options).map(Self::Keeping).map_err(|_| error)
            }
            Err(error) => Err(error),
        }
    }

    /// What is known about it from outside.
    pub fn about(&self) -> &About {
        match self {
            Self::Stateless(policy) => policy.about(),
            Self::Keeping(policy) => policy.about(),
        }
    }

    /// What the policy is, and its tables, as JSON.
    pub fn catalog(&self) -> Result<String, EngineError> {
        match self {
            Self::Stateless(policy) => policy.catalog(),
            Self::Keeping(policy) => policy.catalog(),
        }
    }
}
