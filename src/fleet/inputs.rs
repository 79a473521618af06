//! Which objects a decision reads, found by their relations.

use super::ObjectRef;
use super::store::{Key, Store, in_namespace};
use crate::error::Error;
use crate::observed::Observed;
use crate::outcome::Evaluation;
use crate::progress::Mode;
use crate::rules::{cluster, kubeadm_control_plane, machine, machine_deployment, machine_health_check, machine_set};
use crate::snapshot::{self, Kind};
use crate::view::{Cluster, ExternalObject, Metadata, RemediationRequest, RemediationTemplate, TemplateRef, label};
use capi_policy_json::Read;
use yoke::Yoke;

/// Decides about an object of the store.
pub fn evaluate(store: &Store, object: &ObjectRef, observed: &Observed<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let key = (object.namespace.clone(), object.name.clone());
    let decision = match object.kind {
        Kind::Cluster => of_cluster(store, &key, observed, mode),
        Kind::KubeadmControlPlane => of_control_plane(store, &key, observed, mode),
        Kind::Machine => of_machine(store, &key, observed, mode),
        Kind::MachineDeployment => of_machine_deployment(store, &key, observed, mode),
        Kind::MachineHealthCheck => of_health_check(store, &key, observed, mode),
        Kind::MachineSet => of_machine_set(store, &key, observed, mode),
    };
    let (kind, namespace, name) = (object.kind, &object.namespace, &object.name);
    decision.unwrap_or_else(|| Err(Error::expected("fleet", &format!("{kind} {namespace}/{name}"), "none")))
}

type Decision = Option<Result<Evaluation, Error>>;

fn of_machine_deployment(store: &Store, key: &Key, observed: &Observed<'_>, mode: Mode) -> Decision {
    let object = store.machine_deployments.get(key)?.get();
    let machine_sets: Vec<_> = store.machine_sets_of(&object.metadata.uid).collect();
    let machines = machine_sets.iter().flat_map(|set| store.machines_of(&set.metadata.uid)).collect();
    let input = machine_deployment::Input {
        machine_deployment: object,
        cluster: cluster_of(store, &object.metadata),
        machine_sets,
        machines,
        observed,
    };
    Some(machine_deployment::evaluate(input, mode))
}

fn of_machine_set(store: &Store, key: &Key, observed: &Observed<'_>, mode: Mode) -> Decision {
    let object = store.machine_sets.get(key)?.get();
    let machines = store.machines_of(&object.metadata.uid).collect();
    Some(machine_set::evaluate(
        machine_set::Input { machine_set: object, cluster: cluster_of(store, &object.metadata), machines, observed },
        mode,
    ))
}

fn of_control_plane(store: &Store, key: &Key, observed: &Observed<'_>, mode: Mode) -> Decision {
    let object = store.control_planes.get(key)?.get();
    let cluster = cluster_of(store, &object.metadata);
    let machines = store.machines_of(&object.metadata.uid).collect();
    let input = kubeadm_control_plane::Input { control_plane: object, cluster, machines, observed };
    Some(Ok(kubeadm_control_plane::evaluate(input, mode)))
}

fn of_machine(store: &Store, key: &Key, observed: &Observed<'_>, mode: Mode) -> Decision {
    let object = store.machines.get(key)?.get();
    let owner = |kind: &str, metadata: &Metadata<'_>| {
        let owner = metadata.owner_references.iter().find(|owner| owner.controller && owner.kind == kind)?;
        Some((metadata.namespace.to_string(), owner.name.to_string()))
    };
    let machine_set = owner("MachineSet", &object.metadata).and_then(|key| store.machine_sets.get(&key)).map(Yoke::get);
    let machine_deployment = machine_set
        .and_then(|set| owner("MachineDeployment", &set.metadata))
        .and_then(|key| store.machine_deployments.get(&key))
        .map(Yoke::get);
    let reference = |kind: &str, name: &str| store.other(kind, &object.metadata.namespace, name);
    let (bootstrap, infra) = (&object.spec.bootstrap.config_ref, &object.spec.infrastructure_ref);
    let objects = read::<ExternalObject<'_>>(reference(&bootstrap.kind, &bootstrap.name))
        .and_then(|bootstrap| Ok((bootstrap, read::<ExternalObject<'_>>(reference(&infra.kind, &infra.name))?)));
    let (bootstrap_config, infra_machine) = match objects {
        Ok(objects) => objects,
        Err(error) => return Some(Err(error)),
    };
    let node = store.nodes.get(&(String::new(), object.status.node_ref.name.to_string())).map(Yoke::get);
    let input = machine::Input {
        machine: object,
        cluster: cluster_of(store, &object.metadata),
        machine_set,
        machine_deployment,
        bootstrap_config: bootstrap_config.as_ref(),
        infra_machine: infra_machine.as_ref(),
        node,
        observed,
    };
    Some(Ok(machine::evaluate(input, mode)))
}

fn of_health_check(store: &Store, key: &Key, observed: &Observed<'_>, mode: Mode) -> Decision {
    let object = store.health_checks.get(key)?.get();
    let namespace = &*object.metadata.namespace;
    let cluster = store.clusters.get(&(namespace.to_owned(), object.spec.cluster_name.to_string()));
    let machines: Vec<_> = in_namespace(&store.machines, namespace).map(Yoke::get).collect();
    let reference = object.spec.template();
    let template = reference.and_then(|reference| store.other(&reference.kind, namespace, &reference.name));
    let request_kind = reference.map(TemplateRef::request_kind);
    let requests = request_kind.into_iter().flat_map(|kind| {
        machines.iter().filter_map(move |machine| store.other(kind, namespace, &machine.metadata.name))
    });
    let objects = read::<RemediationTemplate<'_>>(template).and_then(|template| {
        let requests: Result<Vec<RemediationRequest<'_>>, Error> = requests.map(snapshot::read).collect();
        Ok((template, requests?))
    });
    let (template, requests) = match objects {
        Ok(objects) => objects,
        Err(error) => return Some(Err(error)),
    };
    let input = machine_health_check::Input {
        health_check: object,
        cluster: cluster.map(Yoke::get),
        machines,
        node: &|name| store.nodes.get(&(String::new(), name.to_owned())).map(Yoke::get),
        template: template.as_ref(),
        requests: requests.iter().collect(),
        observed,
    };
    Some(machine_health_check::evaluate(&input, mode))
}

fn of_cluster(store: &Store, key: &Key, observed: &Observed<'_>, mode: Mode) -> Decision {
    let object = store.clusters.get(key)?.get();
    let namespace = &*object.metadata.namespace;
    let belongs = |metadata: &Metadata<'_>| metadata.label(label::CLUSTER_NAME) == Some(&object.metadata.name);
    let reference = |kind: &str, name: &str| store.other(kind, namespace, name);
    let (infra, control_plane, class) =
        (&object.spec.infrastructure_ref, &object.spec.control_plane_ref, &object.spec.topology.class_ref);
    let objects = (|| {
        Ok((
            read::<ExternalObject<'_>>(reference(&infra.kind, &infra.name))?,
            read::<ExternalObject<'_>>(reference(&control_plane.kind, &control_plane.name))?,
            read(reference("ClusterClass", &class.name))?,
        ))
    })();
    let (infra_cluster, control_plane, cluster_class) = match objects {
        Ok(objects) => objects,
        Err(error) => return Some(Err(error)),
    };
    let input = cluster::Input {
        cluster: object,
        cluster_class: cluster_class.as_ref(),
        infra_cluster: infra_cluster.as_ref(),
        control_plane: control_plane.as_ref(),
        machine_deployments: in_namespace(&store.machine_deployments, namespace)
            .map(Yoke::get)
            .filter(|d| belongs(&d.metadata))
            .collect(),
        machine_sets: in_namespace(&store.machine_sets, namespace)
            .map(Yoke::get)
            .filter(|s| belongs(&s.metadata))
            .collect(),
        machines: in_namespace(&store.machines, namespace).map(Yoke::get).filter(|m| belongs(&m.metadata)).collect(),
        observed,
    };
    Some(Ok(cluster::evaluate(input, mode)))
}

/// The Cluster that an object's label names.
fn cluster_of<'s>(store: &'s Store, metadata: &Metadata<'_>) -> Option<&'s Cluster<'s>> {
    let name = metadata.label(label::CLUSTER_NAME)?;
    store.clusters.get(&(metadata.namespace.to_string(), name.to_string())).map(Yoke::get)
}

fn read<'t, T: Read<'t> + Default>(text: Option<&'t str>) -> Result<Option<T>, Error> {
    text.map(snapshot::read).transpose()
}
