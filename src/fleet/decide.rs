//! Hands the objects that a decision reads to the rules.

use super::object::Object;
use super::reading::{External, Reading};
use super::references;
use super::verdicts::Verdicts;
use crate::error::Error;
use crate::observed::Observed;
use crate::outcome::Evaluation;
use crate::progress::Mode;
use crate::rules::input::Input;
use crate::rules::machine_health_check::Candidate;
use crate::rules::{
    cluster, kubeadm_control_plane, machine, machine_deployment, machine_health_check, machine_pool, machine_set,
};
use crate::snapshot::{self, Kind};
use crate::view::{
    Cluster, ClusterClass, ExternalObject, KubeadmConfig, KubeadmControlPlane, Machine, MachineDeployment,
    MachineHealthCheck, MachinePool, MachineSet, RemediationRequest, RemediationTemplate,
};
use capi_policy_json::Read;

type Decision = Result<Evaluation, Error>;

/// Decides about an object. A health check does not look again at machines whose verdict holds.
pub fn decide(reading: &Reading<'_>, observed: &Observed<'_>, verdicts: Option<&Verdicts>, mode: Mode) -> Decision {
    match reading.object {
        Object::Cluster(object) => of_cluster(reading, object.get(), observed, mode),
        Object::KubeadmControlPlane(object) => of_control_plane(reading, object.get(), observed, mode),
        Object::Machine(object) => of_machine(reading, object.get(), observed, mode),
        Object::MachineDeployment(object) => of_machine_deployment(reading, object.get(), observed, mode),
        Object::MachineHealthCheck(object) => of_health_check(reading, object.get(), observed, verdicts, mode),
        Object::MachineSet(object) => of_machine_set(reading, object.get(), observed, mode),
        Object::MachinePool(object) => of_machine_pool(reading, object.get(), observed, mode),
        Object::Node(_) | Object::Pod(_) | Object::Other(_) => Err(reading.subject.not_found()),
    }
}

fn of_machine_deployment(
    reading: &Reading<'_>,
    object: &MachineDeployment<'_>,
    observed: &Observed<'_>,
    mode: Mode,
) -> Decision {
    let input = Input {
        cluster: reading.cluster(),
        machine_sets: reading.machine_sets().filter_map(Object::machine_set).collect(),
        machines: reading.machines_below().filter_map(Object::machine).collect(),
        ..Input::of(object, observed)
    };
    machine_deployment::evaluate(input, mode)
}

fn of_machine_set(reading: &Reading<'_>, object: &MachineSet<'_>, observed: &Observed<'_>, mode: Mode) -> Decision {
    let control_plane = reading.control_plane();
    let bootstrap_template = reading.external(references::bootstrap_template(reading.object), None);
    let control_plane: Option<ExternalObject<'_>> = read(&control_plane)?;
    let bootstrap_template: Option<ExternalObject<'_>> = read(&bootstrap_template)?;
    let input = Input {
        machine_deployment: reading.deployment().and_then(Object::machine_deployment),
        other_machine_sets: reading.siblings().filter_map(Object::machine_set).collect(),
        cluster: reading.cluster(),
        control_plane: control_plane.as_ref(),
        bootstrap_template: bootstrap_template.as_ref(),
        machines: reading.machines().filter_map(Object::machine).collect(),
        ..Input::of(object, observed)
    };
    machine_set::evaluate(input, mode)
}

fn of_control_plane(
    reading: &Reading<'_>,
    object: &KubeadmControlPlane<'_>,
    observed: &Observed<'_>,
    mode: Mode,
) -> Decision {
    let kubeadm_configs: Vec<KubeadmConfig<'_>> =
        reading.kubeadm_configs().map(snapshot::read).collect::<Result<_, _>>()?;
    let infra_machines: Vec<ExternalObject<'_>> =
        reading.infra_machines().map(snapshot::read).collect::<Result<_, _>>()?;
    let input = Input {
        cluster: reading.cluster(),
        machines: reading.machines().filter_map(Object::machine).collect(),
        nodes: reading.control_plane_nodes().into_iter().filter_map(Object::node).collect(),
        pods: reading.static_pods().map(|pods| pods.into_iter().filter_map(Object::pod).collect()),
        kubeadm_configs: &kubeadm_configs,
        infra_machines: &infra_machines,
        ..Input::of(object, observed)
    };
    Ok(kubeadm_control_plane::evaluate(input, mode))
}

fn of_machine(reading: &Reading<'_>, object: &Machine<'_>, observed: &Observed<'_>, mode: Mode) -> Decision {
    let (machine_set, machine_deployment) = reading.owners();
    let bootstrap_config = reading.external(references::bootstrap_config(object), Some("BootstrapConfigReady"));
    let infra_machine = reading.external(references::infra_machine(object), Some("InfrastructureReady"));
    let bootstrap_config: Option<ExternalObject<'_>> = read(&bootstrap_config)?;
    let infra_machine: Option<ExternalObject<'_>> = read(&infra_machine)?;
    let input = Input {
        cluster: reading.cluster(),
        machine_set: machine_set.and_then(Object::machine_set),
        machine_deployment: machine_deployment.and_then(Object::machine_deployment),
        bootstrap_config: bootstrap_config.as_ref(),
        infra_machine: infra_machine.as_ref(),
        node: reading.nodes().get(&object.status.node_ref.name),
        ..Input::of(object, observed)
    };
    Ok(machine::evaluate(input, mode))
}

fn of_machine_pool(reading: &Reading<'_>, object: &MachinePool<'_>, observed: &Observed<'_>, mode: Mode) -> Decision {
    let bootstrap_config =
        reading.external(references::bootstrap_template(reading.object), Some("BootstrapConfigReady"));
    let infra_machine_pool = reading.external(references::infra_template(reading.object), Some("InfrastructureReady"));
    let bootstrap_config: Option<ExternalObject<'_>> = read(&bootstrap_config)?;
    let infra_machine_pool: Option<ExternalObject<'_>> = read(&infra_machine_pool)?;
    let input = Input {
        cluster: reading.cluster(),
        bootstrap_config: bootstrap_config.as_ref(),
        infra_machine_pool: infra_machine_pool.as_ref(),
        machines: reading.pool_machines().filter_map(Object::machine).collect(),
        ..Input::of(object, observed)
    };
    Ok(machine_pool::evaluate(input, mode))
}

fn of_health_check(
    reading: &Reading<'_>,
    object: &MachineHealthCheck<'_>,
    observed: &Observed<'_>,
    verdicts: Option<&Verdicts>,
    mode: Mode,
) -> Decision {
    let mut known = verdicts.map(|verdicts| verdicts.beside(mode.now));
    let machines = reading.store.machines(&reading.subject.namespace).map(|machine| {
        let checked = known.as_mut().and_then(|known| known.about(&machine.metadata.name));
        Candidate { machine, checked }
    });
    let template = reading.external(references::template(object), None);
    let template: Option<RemediationTemplate<'_>> = read(&template)?;
    let requests = reading.requests(object).map(|request| snapshot::read(request.text()));
    let requests: Vec<RemediationRequest<'_>> = requests.collect::<Result<_, _>>()?;
    let nodes = reading.nodes();
    let input = machine_health_check::Input {
        health_check: object,
        cluster: reading.cluster(),
        machines: machines.collect(),
        node: &|name| nodes.get(name),
        template: template.as_ref(),
        requests: requests.iter().collect(),
        observed,
    };
    machine_health_check::evaluate(&input, mode)
}

fn of_cluster(reading: &Reading<'_>, object: &Cluster<'_>, observed: &Observed<'_>, mode: Mode) -> Decision {
    let cluster_class = reading.external(references::cluster_class(object), None);
    let infra_cluster = reading.external(references::infra_cluster(object), Some("InfrastructureReady"));
    let control_plane = reading.external(references::control_plane(object), None);
    let cluster_class: Option<ClusterClass<'_>> = read(&cluster_class)?;
    let infra_cluster: Option<ExternalObject<'_>> = read(&infra_cluster)?;
    let control_plane: Option<ExternalObject<'_>> = read(&control_plane)?;
    let of_cluster = |kind| reading.of_cluster(kind);
    let input = Input {
        cluster_class: cluster_class.as_ref(),
        infra_cluster: infra_cluster.as_ref(),
        control_plane: control_plane.as_ref(),
        machine_deployments: of_cluster(Kind::MachineDeployment).filter_map(Object::machine_deployment).collect(),
        machine_pools: of_cluster(Kind::MachinePool).filter_map(Object::machine_pool).collect(),
        machine_sets: of_cluster(Kind::MachineSet).filter_map(Object::machine_set).collect(),
        machines: of_cluster(Kind::Machine).filter_map(Object::machine).collect(),
        ..Input::of(object, observed)
    };
    Ok(cluster::evaluate(input, mode))
}

fn read<'s, T: Read<'s> + Default>(object: &'s External<'_>) -> Result<Option<T>, Error> {
    object.text().map(snapshot::read).transpose()
}
