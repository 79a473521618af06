//! One instance of a policy, its limits, and the calls it takes.

use super::failure;
use super::functions::Functions;
use super::sandbox::ticks;
use super::slots::Slot;
use crate::bindings::exports::capi::policy::{catalog, evaluator, json};
use crate::catalog::{Description, TableDescription};
use crate::error::{EngineError, ErrorCode};
use crate::limits::Limits;
use crate::types::{
    self, ClusterEvaluation, Forecast, KubeadmControlPlaneEvaluation, MachineDeploymentEvaluation, MachineEvaluation,
    MachineHealthCheckEvaluation, MachinePoolEvaluation, MachineSetEvaluation, PolicyError,
};
use std::sync::Arc;
use thiserror::Error;
use wasmtime::component::Instance;
use wasmtime::{Engine, ResourceLimiter, Store};

/// One instance of a policy. Every call has the whole time limit; memory stays until the session ends.
pub struct Session {
    store: Store<Guard>,
    instance: Instance,
    functions: Arc<Functions>,
    limits: Limits,
    // Last, so that the place is free only once the instance is gone.
    _slot: Option<Slot>,
}

/// Refuses what goes beyond the limits.
pub struct Guard {
    memory_bytes: usize,
    table_elements: usize,
    /// How large the memory is: it never shrinks, so this is also the most there was.
    memory_now: usize,
}

/// What a policy wanted too much of.
#[derive(Debug, Error)]
pub enum Exceeded {
    #[error("too much memory")]
    Memory,
    #[error("too large a table")]
    Table,
}

impl ResourceLimiter for Guard {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        if desired > self.memory_bytes {
            return Err(Exceeded::Memory.into());
        }
        self.memory_now = desired;
        Ok(true)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        if desired > self.table_elements { Err(Exceeded::Table.into()) } else { Ok(true) }
    }

    fn memories(&self) -> usize {
        1
    }
}

/// A store for one instance, with every limit set.
pub fn store(engine: &Engine, limits: &Limits) -> Store<Guard> {
    let guard = Guard { memory_bytes: limits.memory_bytes, table_elements: limits.table_elements, memory_now: 0 };
    let mut store = Store::new(engine, guard);
    store.limiter(|guard| guard);
    store.set_epoch_deadline(ticks(limits.timeout));
    store.set_hostcall_fuel(limits.answer_bytes);
    store
}

impl Session {
    pub(super) fn new(
        store: Store<Guard>,
        instance: Instance,
        functions: Arc<Functions>,
        limits: Limits,
        slot: Option<Slot>,
    ) -> Self {
        Self { store, instance, functions, limits, _slot: slot }
    }

    /// Fails when a function does not have the type that the host calls it by.
    pub(super) fn check_types(&mut self) -> Result<(), EngineError> {
        self.json()?;
        self.evaluator()?;
        self.catalog_functions()?;
        Ok(())
    }

    /// Decides about the object that the snapshot is about, as JSON.
    pub fn evaluate(&mut self, snapshot: &str) -> Result<String, EngineError> {
        self.check_size(snapshot)?;
        let policy = self.json()?;
        let answer = self.call(|store| policy.call_evaluate(store, snapshot))?;
        json_object(answer)
    }

    /// The decisions to come up to `until`, as JSON.
    pub fn forecast(&mut self, snapshot: &str, until: &str) -> Result<String, EngineError> {
        self.check_size(snapshot)?;
        let policy = self.json()?;
        let answer = self.call(|store| policy.call_forecast(store, snapshot, until))?;
        json_object(answer)
    }

    /// What the policy is, and its tables, as JSON.
    pub fn catalog(&mut self) -> Result<String, EngineError> {
        let policy = self.json()?;
        let answer = self.call(|store| policy.call_catalog(store))?;
        json_object(Ok(answer))
    }

    /// Decides about a MachineDeployment.
    pub fn evaluate_machine_deployment(&mut self, snapshot: &str) -> Result<MachineDeploymentEvaluation, EngineError> {
        self.check_size(snapshot)?;
        let policy = self.evaluator()?;
        typed(self.call(|store| policy.call_evaluate_machine_deployment(store, snapshot))?)
    }

    /// Decides about a MachineSet.
    pub fn evaluate_machine_set(&mut self, snapshot: &str) -> Result<MachineSetEvaluation, EngineError> {
        self.check_size(snapshot)?;
        let policy = self.evaluator()?;
        typed(self.call(|store| policy.call_evaluate_machine_set(store, snapshot))?)
    }

    /// Decides about a KubeadmControlPlane.
    pub fn evaluate_kubeadm_control_plane(
        &mut self,
        snapshot: &str,
    ) -> Result<KubeadmControlPlaneEvaluation, EngineError> {
        self.check_size(snapshot)?;
        let policy = self.evaluator()?;
        typed(self.call(|store| policy.call_evaluate_kubeadm_control_plane(store, snapshot))?)
    }

    /// Decides about a MachinePool.
    pub fn evaluate_machine_pool(&mut self, snapshot: &str) -> Result<MachinePoolEvaluation, EngineError> {
        self.check_size(snapshot)?;
        let policy = self.evaluator()?;
        typed(self.call(|store| policy.call_evaluate_machine_pool(store, snapshot))?)
    }

    /// Decides about a Machine.
    pub fn evaluate_machine(&mut self, snapshot: &str) -> Result<MachineEvaluation, EngineError> {
        self.check_size(snapshot)?;
        let policy = self.evaluator()?;
        typed(self.call(|store| policy.call_evaluate_machine(store, snapshot))?)
    }

    /// Decides about a Cluster.
    pub fn evaluate_cluster(&mut self, snapshot: &str) -> Result<ClusterEvaluation, EngineError> {
        self.check_size(snapshot)?;
        let policy = self.evaluator()?;
        typed(self.call(|store| policy.call_evaluate_cluster(store, snapshot))?)
    }

    /// Decides about a MachineHealthCheck and its machines.
    pub fn evaluate_machine_health_check(
        &mut self,
        snapshot: &str,
    ) -> Result<MachineHealthCheckEvaluation, EngineError> {
        self.check_size(snapshot)?;
        let policy = self.evaluator()?;
        typed(self.call(|store| policy.call_evaluate_machine_health_check(store, snapshot))?)
    }

    /// The decisions to come up to `until`, typed.
    pub fn forecast_typed(&mut self, snapshot: &str, until: &str) -> Result<Forecast, EngineError> {
        self.check_size(snapshot)?;
        let policy = self.evaluator()?;
        typed(self.call(|store| policy.call_forecast(store, snapshot, &until.to_owned()))?)
    }

    /// What the policy says it is.
    pub fn describe(&mut self) -> Result<Description, EngineError> {
        let policy = self.catalog_functions()?;
        self.call(|store| policy.call_describe(store))
    }

    /// The tables it runs.
    pub fn tables(&mut self) -> Result<Vec<TableDescription>, EngineError> {
        let policy = self.catalog_functions()?;
        self.call(|store| policy.call_tables(store))
    }

    /// How large the policy's memory has grown, in bytes.
    pub fn memory(&self) -> usize {
        self.store.data().memory_now
    }

    fn json(&mut self) -> Result<json::Guest, EngineError> {
        let loaded = self.functions.json.load(&mut self.store, &self.instance);
        loaded.map_err(|error| failure::at_start(error, &self.limits))
    }

    fn evaluator(&mut self) -> Result<evaluator::Guest, EngineError> {
        let loaded = self.functions.evaluator.load(&mut self.store, &self.instance);
        loaded.map_err(|error| failure::at_start(error, &self.limits))
    }

    fn catalog_functions(&mut self) -> Result<catalog::Guest, EngineError> {
        let loaded = self.functions.catalog.load(&mut self.store, &self.instance);
        loaded.map_err(|error| failure::at_start(error, &self.limits))
    }

    /// Calls a function of the instance's fleet.
    pub(super) fn fleet<T>(
        &mut self,
        call: impl FnOnce(&json::Guest, &mut Store<Guard>) -> wasmtime::Result<Result<T, String>>,
    ) -> Result<T, EngineError> {
        let policy = self.json()?;
        let answer = self.call(|store| call(&policy, store))?;
        answer.map_err(|error| EngineError::from_json(&error))
    }

    fn call<T>(&mut self, call: impl FnOnce(&mut Store<Guard>) -> wasmtime::Result<T>) -> Result<T, EngineError> {
        self.store.set_epoch_deadline(ticks(self.limits.timeout));
        call(&mut self.store).map_err(|error| failure::in_call(error, &self.limits))
    }

    pub(super) fn check_size(&self, snapshot: &str) -> Result<(), EngineError> {
        let (bytes, limit) = (snapshot.len(), self.limits.snapshot_bytes);
        if bytes <= limit {
            return Ok(());
        }
        Err(capi_policy::Error::TooLarge { bytes, limit }.into())
    }
}

/// The answer of the `json` interface, if it has the shape of a JSON object. Who reads it finds out about the rest; to read
/// it here as well would be a twentieth of a large evaluation.
fn json_object(answer: Result<String, String>) -> Result<String, EngineError> {
    let text = answer.map_err(|error| EngineError::from_json(&error))?;
    if text.starts_with('{') && text.ends_with('}') {
        Ok(text)
    } else {
        Err(EngineError::InvalidAnswer { detail: "not a JSON object".to_owned(), source: None })
    }
}

/// The answer of the `evaluator` interface.
fn typed<T>(answer: Result<T, PolicyError>) -> Result<T, EngineError> {
    answer.map_err(|PolicyError { code, path, message }| {
        let code = match code {
            types::ErrorCode::Invalid => ErrorCode::Invalid,
            types::ErrorCode::Syntax => ErrorCode::Syntax,
            types::ErrorCode::TooLarge => ErrorCode::TooLarge,
            types::ErrorCode::TooDeep => ErrorCode::TooDeep,
            types::ErrorCode::NotFound => ErrorCode::NotFound,
        };
        EngineError::Malformed { code, path, message }
    })
}
