//! The public functions that evaluate a snapshot.

use crate::error::Error;
use crate::json::written;
use crate::lookup::Lookup;
use crate::outcome::Evaluation;
use crate::progress::Mode;
use crate::rules::input::Input;
use crate::rules::{
    cluster, kubeadm_control_plane, machine, machine_deployment, machine_health_check, machine_pool, machine_set,
};
use crate::snapshot::{Kind, Snapshot};

/// Evaluates the object that the snapshot is about.
pub fn evaluate(snapshot: &Snapshot<'_>) -> Result<Evaluation, Error> {
    evaluate_at(snapshot, Mode::from(snapshot))
}

/// The same at another time, under another profile.
pub(crate) fn evaluate_at(snapshot: &Snapshot<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let kind = snapshot.kind()?;
    let missing = || missing(kind);
    match kind {
        Kind::MachineDeployment => {
            let object = snapshot.machine_deployment.as_ref().ok_or_else(missing)?;
            machine_deployment::evaluate(Input::of_snapshot(object, snapshot), mode)
        }
        Kind::MachineSet => {
            let object = snapshot.machine_set.as_ref().ok_or_else(missing)?;
            machine_set::evaluate(Input::of_snapshot(object, snapshot), mode)
        }
        Kind::KubeadmControlPlane => {
            let object = snapshot.kubeadm_control_plane.as_ref().ok_or_else(missing)?;
            Ok(kubeadm_control_plane::evaluate(Input::of_snapshot(object, snapshot), mode))
        }
        Kind::MachinePool => {
            let object = snapshot.machine_pool.as_ref().ok_or_else(missing)?;
            Ok(machine_pool::evaluate(Input::of_snapshot(object, snapshot), mode))
        }
        Kind::Machine => {
            let object = snapshot.machine.as_ref().ok_or_else(missing)?;
            Ok(machine::evaluate(Input::of_snapshot(object, snapshot), mode))
        }
        Kind::Cluster => {
            let object = snapshot.cluster.as_ref().ok_or_else(missing)?;
            Ok(cluster::evaluate(Input::of_snapshot(object, snapshot), mode))
        }
        Kind::MachineHealthCheck => evaluate_machine_health_check(snapshot, mode),
    }
}

/// Evaluates JSON text to JSON text, whatever the kind.
pub fn evaluate_json(text: &str) -> Result<String, Error> {
    Ok(written(&evaluate(&Snapshot::parse(text)?)?))
}

fn missing(kind: Kind) -> Error {
    Error::expected(kind.field(), &format!("the {kind} to evaluate"), "none")
}

fn evaluate_machine_health_check(snapshot: &Snapshot<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let nodes = Lookup::of(snapshot.nodes.iter().map(|node| &*node.metadata.name));
    let input = machine_health_check::Input {
        health_check: snapshot.machine_health_check.as_ref().ok_or_else(|| missing(Kind::MachineHealthCheck))?,
        cluster: snapshot.cluster.as_ref(),
        machines: snapshot.machines.iter().map(Into::into).collect(),
        node: &|name| snapshot.nodes.get(nodes.get(name)?),
        template: snapshot.remediation_template.as_ref(),
        requests: snapshot.remediation_requests.iter().collect(),
        observed: &snapshot.observed,
    };
    machine_health_check::evaluate(&input, mode)
}
