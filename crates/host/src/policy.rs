//! A policy as a controller uses it: objects in, typed decisions out.

use crate::decision::{Catalog, Evaluation, Forecast};
use crate::engine::{Engine, NativeEngine, PolicyEngine};
use crate::error::EngineError;
use crate::limits::Options;
use capi_policy::time::Time;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::sync::Arc;

/// A policy, ready to decide. Cheap to clone and to share between threads and tasks.
///
/// A snapshot is anything that serializes to the fields of [`capi_policy::Snapshot`]: `now`, the evaluated object and those
/// that its decisions read, as the API server serves them, and `observed`, what could not be read.
#[derive(Clone)]
pub struct Policy {
    engine: Arc<dyn Engine>,
}

impl Policy {
    /// The component in a file.
    pub fn from_path(path: impl AsRef<Path>, options: &Options) -> Result<Self, EngineError> {
        PolicyEngine::load(path, options).map(Self::new)
    }

    /// The component with these bytes.
    pub fn from_bytes(bytes: &[u8], options: &Options) -> Result<Self, EngineError> {
        PolicyEngine::from_bytes(bytes, options).map(Self::new)
    }

    /// The component that this version of the crate brings along.
    #[cfg(feature = "embedded")]
    pub fn embedded(options: &Options) -> Result<Self, EngineError> {
        Self::from_bytes(capi_policy_artifact::COMPONENT, options)
    }

    /// The library itself, without a sandbox.
    pub fn native() -> Self {
        Self::new(NativeEngine)
    }

    /// Any other engine.
    pub fn new(engine: impl Engine + 'static) -> Self {
        Self { engine: Arc::new(engine) }
    }

    /// Decides about the object that the snapshot is about. Takes from microseconds for one Machine to milliseconds for
    /// thousands, and waits while as many evaluations run as [`Limits::concurrency`](crate::Limits) allows.
    pub fn evaluate(&self, snapshot: &(impl Serialize + ?Sized)) -> Result<Evaluation, EngineError> {
        read(&self.engine.evaluate(&text(snapshot)?)?)
    }

    /// The decisions to come up to `until` if nothing but time changes.
    pub fn forecast(&self, snapshot: &(impl Serialize + ?Sized), until: Time) -> Result<Forecast, EngineError> {
        read(&self.engine.forecast(&text(snapshot)?, &until.to_string())?)
    }

    /// What the policy is, and its tables.
    pub fn catalog(&self) -> Result<Catalog, EngineError> {
        read(&self.engine.catalog()?)
    }
}

/// The same on threads where waiting is allowed, so that the tasks of the runtime go on.
#[cfg(feature = "tokio")]
impl Policy {
    /// [`Policy::evaluate`] for async code. Has to be called within a Tokio runtime.
    pub async fn evaluate_async(&self, snapshot: &(impl Serialize + ?Sized)) -> Result<Evaluation, EngineError> {
        let snapshot = text(snapshot)?;
        self.elsewhere(move |engine| read(&engine.evaluate(&snapshot)?)).await
    }

    /// [`Policy::forecast`] for async code. Has to be called within a Tokio runtime.
    pub async fn forecast_async(
        &self,
        snapshot: &(impl Serialize + ?Sized),
        until: Time,
    ) -> Result<Forecast, EngineError> {
        let snapshot = text(snapshot)?;
        self.elsewhere(move |engine| read(&engine.forecast(&snapshot, &until.to_string())?)).await
    }

    async fn elsewhere<T: Send + 'static>(
        &self,
        call: impl FnOnce(&dyn Engine) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, EngineError> {
        let engine = Arc::clone(&self.engine);
        let answer = tokio::task::spawn_blocking(move || call(&*engine)).await;
        answer.unwrap_or_else(|error| Err(EngineError::sandbox(error)))
    }
}

fn text(snapshot: &(impl Serialize + ?Sized)) -> Result<String, EngineError> {
    serde_json::to_string(snapshot).map_err(|source| EngineError::Unserializable { source })
}

fn read<T: DeserializeOwned>(answer: &str) -> Result<T, EngineError> {
    serde_json::from_str(answer)
        .map_err(|error| EngineError::InvalidAnswer { detail: error.to_string(), source: Some(error.into()) })
}
