//! The public functions: a snapshot in, the decision out.

use crate::error::Error;
use crate::lookup::Lookup;
use crate::outcome::{Evaluation, written};
use crate::progress::Mode;
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
    match snapshot.kind()? {
        Kind::MachineDeployment => evaluate_machine_deployment(snapshot, mode),
        Kind::MachineSet => evaluate_machine_set(snapshot, mode),
        Kind::KubeadmControlPlane => evaluate_kubeadm_control_plane(snapshot, mode),
        Kind::MachinePool => evaluate_machine_pool(snapshot, mode),
        Kind::Machine => evaluate_machine(snapshot, mode),
        Kind::Cluster => evaluate_cluster(snapshot, mode),
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

fn evaluate_machine_deployment(snapshot: &Snapshot<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let input = machine_deployment::Input {
        machine_deployment: snapshot.machine_deployment.as_ref().ok_or_else(|| missing(Kind::MachineDeployment))?,
        machine_sets: snapshot.machine_sets.iter().collect(),
        cluster: snapshot.cluster.as_ref(),
        machines: snapshot.machines.iter().collect(),
        observed: &snapshot.observed,
    };
    machine_deployment::evaluate(input, mode)
}

fn evaluate_machine_set(snapshot: &Snapshot<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let input = machine_set::Input {
        machine_set: snapshot.machine_set.as_ref().ok_or_else(|| missing(Kind::MachineSet))?,
        machine_deployment: snapshot.owning_machine_deployment.as_ref(),
        other_machine_sets: snapshot.other_machine_sets.iter().collect(),
        cluster: snapshot.cluster.as_ref(),
        control_plane: snapshot.control_plane.as_ref(),
        bootstrap_template: snapshot.bootstrap_template.as_ref(),
        machines: snapshot.machines.iter().collect(),
        observed: &snapshot.observed,
    };
    machine_set::evaluate(input, mode)
}

fn evaluate_kubeadm_control_plane(snapshot: &Snapshot<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let input = kubeadm_control_plane::Input {
        control_plane: snapshot.kubeadm_control_plane.as_ref().ok_or_else(|| missing(Kind::KubeadmControlPlane))?,
        cluster: snapshot.cluster.as_ref(),
        machines: snapshot.machines.iter().collect(),
        nodes: snapshot.nodes.iter().collect(),
        pods: snapshot.pods.as_ref().map(|pods| pods.iter().collect()),
        kubeadm_configs: &snapshot.kubeadm_configs,
        infra_machines: &snapshot.infra_machines,
        observed: &snapshot.observed,
    };
    Ok(kubeadm_control_plane::evaluate(input, mode))
}

fn evaluate_machine_pool(snapshot: &Snapshot<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let input = machine_pool::Input {
        machine_pool: snapshot.machine_pool.as_ref().ok_or_else(|| missing(Kind::MachinePool))?,
        cluster: snapshot.cluster.as_ref(),
        bootstrap_config: snapshot.bootstrap_config.as_ref(),
        infra_machine_pool: snapshot.infra_machine_pool.as_ref(),
        machines: snapshot.machines.iter().collect(),
        observed: &snapshot.observed,
    };
    Ok(machine_pool::evaluate(&input, mode))
}

fn evaluate_machine(snapshot: &Snapshot<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let input = machine::Input {
        machine: snapshot.machine.as_ref().ok_or_else(|| missing(Kind::Machine))?,
        cluster: snapshot.cluster.as_ref(),
        machine_set: snapshot.owning_machine_set.as_ref(),
        machine_deployment: snapshot.owning_machine_deployment.as_ref(),
        bootstrap_config: snapshot.bootstrap_config.as_ref(),
        infra_machine: snapshot.infra_machine.as_ref(),
        node: snapshot.node.as_ref(),
        observed: &snapshot.observed,
    };
    Ok(machine::evaluate(input, mode))
}

fn evaluate_cluster(snapshot: &Snapshot<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let input = cluster::Input {
        cluster: snapshot.cluster.as_ref().ok_or_else(|| missing(Kind::Cluster))?,
        cluster_class: snapshot.cluster_class.as_ref(),
        infra_cluster: snapshot.infra_cluster.as_ref(),
        control_plane: snapshot.control_plane.as_ref(),
        machine_deployments: snapshot.machine_deployments.iter().collect(),
        machine_pools: snapshot.machine_pools.iter().collect(),
        machine_sets: snapshot.machine_sets.iter().collect(),
        machines: snapshot.machines.iter().collect(),
        observed: &snapshot.observed,
    };
    Ok(cluster::evaluate(input, mode))
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
