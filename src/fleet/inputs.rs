//! Which objects a decision reads, found by their relations.

use super::ObjectRef;
use super::said::Said;
use super::store::{Object, Store};
use crate::error::Error;
use crate::observed::Observed;
use crate::outcome::Evaluation;
use crate::progress::Mode;
use crate::rules::machine_health_check::Candidate;
use crate::rules::{cluster, kubeadm_control_plane, machine, machine_deployment, machine_health_check, machine_set};
use crate::snapshot;
use crate::view::{
    self, Cluster, ClusterClass, ExternalObject, KubeadmControlPlane, Machine, MachineDeployment, MachineHealthCheck,
    MachineSet, Metadata, RemediationRequest, RemediationTemplate, label,
};
use capi_policy_json::Read;

/// Decides about an object of the store. A health check does not judge the machines again about which it `said` something
/// that holds.
pub fn evaluate(
    store: &Store,
    object: &ObjectRef,
    observed: &Observed<'_>,
    said: Option<&Said>,
    mode: Mode,
) -> Result<Evaluation, Error> {
    let found = store.get(&object.kind.to_string(), &object.namespace, &object.name);
    match found {
        Some(Object::Cluster(object)) => of_cluster(store, object.get(), observed, mode),
        Some(Object::KubeadmControlPlane(object)) => Ok(of_control_plane(store, object.get(), observed, mode)),
        Some(Object::Machine(object)) => of_machine(store, object.get(), observed, mode),
        Some(Object::MachineDeployment(object)) => of_machine_deployment(store, object.get(), observed, mode),
        Some(Object::MachineHealthCheck(object)) => of_health_check(store, object.get(), observed, said, mode),
        Some(Object::MachineSet(object)) => of_machine_set(store, object.get(), observed, mode),
        Some(Object::MachinePool(_) | Object::Node(_) | Object::Other(_)) | None => {
            let ObjectRef { kind, namespace, name } = object;
            Err(Error::expected("fleet", &format!("{kind} {namespace}/{name}"), "none"))
        }
    }
}

type Decision = Result<Evaluation, Error>;

fn of_machine_deployment(
    store: &Store,
    object: &MachineDeployment<'_>,
    observed: &Observed<'_>,
    mode: Mode,
) -> Decision {
    let machine_sets: Vec<_> = store.owned(&object.metadata.uid).filter_map(Object::machine_set).collect();
    let machines = machine_sets.iter().flat_map(|set| store.owned(&set.metadata.uid)).filter_map(Object::machine);
    let input = machine_deployment::Input {
        machine_deployment: object,
        cluster: cluster_of(store, &object.metadata),
        machines: machines.collect(),
        machine_sets,
        observed,
    };
    machine_deployment::evaluate(input, mode)
}

fn of_machine_set(store: &Store, object: &MachineSet<'_>, observed: &Observed<'_>, mode: Mode) -> Decision {
    let machines = store.owned(&object.metadata.uid).filter_map(Object::machine).collect();
    let cluster = cluster_of(store, &object.metadata);
    let owner = object.metadata.owner_references.iter().find(|owner| owner.controller);
    let deployment = owner.and_then(|owner| store.get("MachineDeployment", &object.metadata.namespace, &owner.name));
    let machine_deployment = deployment.and_then(Object::machine_deployment);
    let siblings = machine_deployment.iter().flat_map(|owner| store.owned(&owner.metadata.uid));
    let input = machine_set::Input {
        machine_set: object,
        machine_deployment,
        other_machine_sets: siblings.filter_map(Object::machine_set).collect(),
        cluster,
        control_plane: None,
        bootstrap_template: None,
        machines,
        observed,
    };
    machine_set::evaluate(input, mode)
}

fn of_control_plane(
    store: &Store,
    object: &KubeadmControlPlane<'_>,
    observed: &Observed<'_>,
    mode: Mode,
) -> Evaluation {
    let cluster = cluster_of(store, &object.metadata);
    let machines = store.owned(&object.metadata.uid).filter_map(Object::machine).collect();
    let input = kubeadm_control_plane::Input {
        control_plane: object,
        cluster,
        machines,
        nodes: Vec::new(),
        pods: None,
        kubeadm_configs: &[],
        infra_machines: &[],
        observed,
    };
    kubeadm_control_plane::evaluate(input, mode)
}

fn of_machine(store: &Store, object: &Machine<'_>, observed: &Observed<'_>, mode: Mode) -> Decision {
    let namespace = &*object.metadata.namespace;
    let owner = |kind: &str, metadata: &Metadata<'_>| {
        let owner = metadata.owner_references.iter().find(|owner| owner.controller && owner.kind == kind)?;
        store.get(kind, namespace, &owner.name)
    };
    let machine_set = owner("MachineSet", &object.metadata).and_then(Object::machine_set);
    let machine_deployment =
        machine_set.and_then(|set| owner("MachineDeployment", &set.metadata)).and_then(Object::machine_deployment);
    let (bootstrap, infra) = (&object.spec.bootstrap.config_ref, &object.spec.infrastructure_ref);
    let bootstrap_config: Option<ExternalObject<'_>> =
        read(store.provided(&bootstrap.kind, namespace, &bootstrap.name))?;
    let infra_machine: Option<ExternalObject<'_>> = read(store.provided(&infra.kind, namespace, &infra.name))?;
    let input = machine::Input {
        machine: object,
        cluster: cluster_of(store, &object.metadata),
        machine_set,
        machine_deployment,
        bootstrap_config: bootstrap_config.as_ref(),
        infra_machine: infra_machine.as_ref(),
        node: store.node(&object.status.node_ref.name),
        observed,
    };
    Ok(machine::evaluate(input, mode))
}

fn of_health_check(
    store: &Store,
    object: &MachineHealthCheck<'_>,
    observed: &Observed<'_>,
    said: Option<&Said>,
    mode: Mode,
) -> Decision {
    let namespace = &*object.metadata.namespace;
    let judged = |place| said.and_then(|said| said.about(place, mode.now));
    let machines = store.machines(namespace).map(|(place, machine)| Candidate { machine, judged: judged(place) });
    let reference = object.spec.template();
    let template = reference.and_then(|reference| store.provided(&reference.kind, namespace, &reference.name));
    let template: Option<RemediationTemplate<'_>> = read(template)?;
    let requests = reference.into_iter().flat_map(|reference| store.provided_by(reference.request_kind(), namespace));
    let of_machine = |(name, _): &(&str, &Object)| store.get("Machine", namespace, name).is_some();
    let requests = requests.filter(of_machine).map(|(_, request)| snapshot::read(request.text()));
    let requests: Vec<RemediationRequest<'_>> = requests.collect::<Result<_, _>>()?;
    let input = machine_health_check::Input {
        health_check: object,
        cluster: store.get("Cluster", namespace, &object.spec.cluster_name).and_then(Object::cluster),
        machines: machines.collect(),
        node: &|name| store.node(name),
        template: template.as_ref(),
        requests: requests.iter().collect(),
        observed,
    };
    machine_health_check::evaluate(&input, mode)
}

fn of_cluster(store: &Store, object: &Cluster<'_>, observed: &Observed<'_>, mode: Mode) -> Decision {
    let namespace = &*object.metadata.namespace;
    let name = &object.metadata.name;
    let belongs = |metadata: &Metadata<'_>| metadata.label(label::CLUSTER_NAME) == Some(name);
    let belonging =
        |kind: &str| store.all(kind, namespace).filter(move |object| object.metadata().is_some_and(belongs));
    let (infrastructure_ref, control_plane_ref, topology) =
        (&object.spec.infrastructure_ref, &object.spec.control_plane_ref, &object.spec.topology);
    let referenced = |reference: &view::ObjectRef<'_>| store.provided(&reference.kind, namespace, &reference.name);
    let infra_cluster: Option<ExternalObject<'_>> = read(referenced(infrastructure_ref))?;
    let control_plane: Option<ExternalObject<'_>> = read(referenced(control_plane_ref))?;
    let cluster_class: Option<ClusterClass<'_>> = read(store.get("ClusterClass", namespace, &topology.class_ref.name))?;
    let input = cluster::Input {
        cluster: object,
        cluster_class: cluster_class.as_ref(),
        infra_cluster: infra_cluster.as_ref(),
        control_plane: control_plane.as_ref(),
        machine_deployments: belonging("MachineDeployment").filter_map(Object::machine_deployment).collect(),
        machine_pools: belonging("MachinePool").filter_map(Object::machine_pool).collect(),
        machine_sets: belonging("MachineSet").filter_map(Object::machine_set).collect(),
        machines: belonging("Machine").filter_map(Object::machine).collect(),
        observed,
    };
    Ok(cluster::evaluate(input, mode))
}

/// The Cluster that an object's label names.
fn cluster_of<'s>(store: &'s Store, metadata: &Metadata<'_>) -> Option<&'s Cluster<'s>> {
    let name = metadata.label(label::CLUSTER_NAME)?;
    store.get("Cluster", &metadata.namespace, name).and_then(Object::cluster)
}

fn read<'s, T: Read<'s> + Default>(object: Option<&'s Object>) -> Result<Option<T>, Error> {
    object.map(|object| snapshot::read(object.text())).transpose()
}
