//! Snapshot in, decision out, by one of two engines: the component in its sandbox, or the library itself.

mod about;
mod contract;
mod failure;
mod fleet;
mod functions;
mod instances;
mod native;
mod sandbox;
mod session;
mod slots;

pub use about::About;
pub use fleet::{Assumption, Fleet, FleetEngine, How, ObjectName, Scope, WorkloadCluster};
pub use native::NativeEngine;
pub use session::Session;

use crate::cache::{self, Compiled};
use crate::catalog::{Description, TableDescription};
use crate::error::EngineError;
use crate::limits::Options;
use crate::types::{
    ClusterEvaluation, Forecast, KubeadmControlPlaneEvaluation, MachineDeploymentEvaluation, MachineEvaluation,
    MachineHealthCheckEvaluation, MachinePoolEvaluation, MachineSetEvaluation,
};
use functions::Functions;
use instances::Instances;
use sandbox::Sandbox;
use slots::Slots;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use wasmtime::component::Linker;

/// Whatever decides: JSON text in, JSON text out.
pub trait Engine: Send + Sync {
    /// Decides about the object that the snapshot is about.
    fn evaluate(&self, snapshot: &str) -> Result<String, EngineError>;

    /// The decisions to come up to `until`, which is RFC 3339.
    fn forecast(&self, snapshot: &str, until: &str) -> Result<String, EngineError>;

    /// What the policy is, and its tables.
    fn catalog(&self) -> Result<String, EngineError>;
}

/// A policy component, compiled and linked. Cheap to share between threads; every evaluation gets a fresh instance.
pub struct PolicyEngine {
    instances: Instances,
    about: About,
}

impl PolicyEngine {
    /// Loads a policy from a file.
    pub fn load(path: impl AsRef<Path>, options: &Options) -> Result<Self, EngineError> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|source| EngineError::Unreadable { path: path.to_owned(), source })?;
        Self::from_bytes(&bytes, options)
    }

    /// Loads a policy from the bytes of its component.
    pub fn from_bytes(bytes: &[u8], options: &Options) -> Result<Self, EngineError> {
        let Sandbox { engine, pooled } = sandbox::create(&options.limits)?;
        let digest = cache::digest(bytes);
        let Compiled { component, from_cache } = cache::compile(&engine, bytes, &digest, &options.cache)?;
        let exports = contract::check(&component)?;
        let policy = Linker::new(&engine).instantiate_pre(&component).map_err(EngineError::not_a_policy)?;
        let functions = Arc::new(Functions::of(&policy).map_err(EngineError::not_a_policy)?);
        let about = About { digest, size: bytes.len(), exports, from_cache, pooled };
        let limits = options.limits.clone();
        let slots = Some(Slots::new(&limits));
        let engine = Self { instances: Instances { policy, functions, limits, slots }, about };
        // Types are looked at only when a function is called: better now than at the first decision.
        engine.session()?.check_types()?;
        Ok(engine)
    }

    /// A new instance of the policy, for several calls. [`Engine::evaluate`] makes one for each call; keep one only where
    /// the policy is trusted not to carry anything over from one call to the next. After an error, drop it.
    pub fn session(&self) -> Result<Session, EngineError> {
        self.instances.session()
    }

    /// A fleet without any object, in an instance that it keeps: [`FleetEngine`] is made for many of them.
    pub fn fleet(&self) -> Fleet {
        Fleet::new(self.instances.clone())
    }

    /// Decides about a MachineDeployment.
    pub fn evaluate_machine_deployment(&self, snapshot: &str) -> Result<MachineDeploymentEvaluation, EngineError> {
        self.session()?.evaluate_machine_deployment(snapshot)
    }

    /// Decides about a MachineSet.
    pub fn evaluate_machine_set(&self, snapshot: &str) -> Result<MachineSetEvaluation, EngineError> {
        self.session()?.evaluate_machine_set(snapshot)
    }

    /// Decides about a KubeadmControlPlane.
    pub fn evaluate_kubeadm_control_plane(&self, snapshot: &str) -> Result<KubeadmControlPlaneEvaluation, EngineError> {
        self.session()?.evaluate_kubeadm_control_plane(snapshot)
    }

    /// Decides about a MachinePool.
    pub fn evaluate_machine_pool(&self, snapshot: &str) -> Result<MachinePoolEvaluation, EngineError> {
        self.session()?.evaluate_machine_pool(snapshot)
    }

    /// Decides about a Machine.
    pub fn evaluate_machine(&self, snapshot: &str) -> Result<MachineEvaluation, EngineError> {
        self.session()?.evaluate_machine(snapshot)
    }

    /// Decides about a Cluster.
    pub fn evaluate_cluster(&self, snapshot: &str) -> Result<ClusterEvaluation, EngineError> {
        self.session()?.evaluate_cluster(snapshot)
    }

    /// Decides about a MachineHealthCheck and its machines.
    pub fn evaluate_machine_health_check(&self, snapshot: &str) -> Result<MachineHealthCheckEvaluation, EngineError> {
        self.session()?.evaluate_machine_health_check(snapshot)
    }

    /// The decisions to come up to `until`, typed.
    pub fn forecast_typed(&self, snapshot: &str, until: &str) -> Result<Forecast, EngineError> {
        self.session()?.forecast_typed(snapshot, until)
    }

    /// What the policy says it is.
    pub fn describe(&self) -> Result<Description, EngineError> {
        self.session()?.describe()
    }

    /// The tables it runs.
    pub fn tables(&self) -> Result<Vec<TableDescription>, EngineError> {
        self.session()?.tables()
    }

    /// What is known about it from outside.
    pub fn about(&self) -> &About {
        &self.about
    }
}

impl Engine for PolicyEngine {
    fn evaluate(&self, snapshot: &str) -> Result<String, EngineError> {
        self.session()?.evaluate(snapshot)
    }

    fn forecast(&self, snapshot: &str, until: &str) -> Result<String, EngineError> {
        self.session()?.forecast(snapshot, until)
    }

    fn catalog(&self) -> Result<String, EngineError> {
        self.session()?.catalog()
    }
}
