//! The WIT world `capi:policy/policy`: text in, the library's outcome out as `wit/` says. `cargo xtask artifact` puts `wit/` and
//! this together, which fails when a function is missing or takes other arguments; the tests of `crates/host` read every field.

mod abi;
mod catalog;
mod error;
mod evaluation;
mod fleet;
mod forecast;
mod health;
mod json;
mod owner;
mod status;

use self::abi::answers;
use self::evaluation::{
    OfCluster, OfKubeadmControlPlane, OfMachine, OfMachineDeployment, OfMachineHealthCheck, OfMachinePool, OfMachineSet,
};
use crate::fleet::Fleet;
use crate::forecast::Forecast;
use crate::outcome::Evaluation;
use crate::snapshot::{Kind, Snapshot};
use crate::time::Time;
use crate::{Error, evaluate};
use std::cell::RefCell;

thread_local! {
    /// The fleet of this instance.
    static FLEET: RefCell<Fleet> = RefCell::default();
}

/// Calls a function on the fleet of this instance.
fn with_fleet<T>(call: impl FnOnce(&mut Fleet) -> T) -> T {
    FLEET.with_borrow_mut(call)
}

answers! {
    "capi:policy/evaluator@0.2.0":
    "evaluate-cluster" (a b) snapshot => evaluate_as(Kind::Cluster, &snapshot.text()).map(OfCluster),
    "evaluate-kubeadm-control-plane" (a b) snapshot =>
        evaluate_as(Kind::KubeadmControlPlane, &snapshot.text()).map(OfKubeadmControlPlane),
    "evaluate-machine-deployment" (a b) snapshot =>
        evaluate_as(Kind::MachineDeployment, &snapshot.text()).map(OfMachineDeployment),
    "evaluate-machine-set" (a b) snapshot => evaluate_as(Kind::MachineSet, &snapshot.text()).map(OfMachineSet),
    "evaluate-machine-health-check" (a b) snapshot =>
        evaluate_as(Kind::MachineHealthCheck, &snapshot.text()).map(OfMachineHealthCheck),
    "evaluate-machine-pool" (a b) snapshot => evaluate_as(Kind::MachinePool, &snapshot.text()).map(OfMachinePool),
    "evaluate-machine" (a b) snapshot => evaluate_as(Kind::Machine, &snapshot.text()).map(OfMachine),
    "forecast" (a b c d) arguments => forecast(&arguments.text(), &arguments.text()),
}

/// Evaluates a snapshot that must be about `kind`, or not say what it is about.
fn evaluate_as(kind: Kind, snapshot: &str) -> Result<Evaluation, Error> {
    let mut snapshot = Snapshot::parse(snapshot)?;
    match *snapshot.kind.get_or_insert(kind) {
        named if named == kind => evaluate(&snapshot),
        named => Err(Error::expected("kind", &kind.to_string(), named)),
    }
}

fn forecast(snapshot: &str, until: &str) -> Result<Forecast, Error> {
    let until = Time::parse_named("until", until)?;
    crate::forecast(&Snapshot::parse(snapshot)?, until)
}
