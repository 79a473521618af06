//! Which objects an object names in its own fields.

use super::name::{CLUSTER_CLASS, ObjectRef, WorkloadCluster, group_of};
use super::object::Object;
use crate::view::{self, Cluster, Machine, MachineHealthCheck, Metadata, OwnerReference, TemplateRef};

/// The objects that it names, without its owners.
pub fn named_by(object: &Object) -> Vec<ObjectRef> {
    match object {
        Object::Machine(machine) => {
            let machine = machine.get();
            [bootstrap_config(machine), infra_machine(machine), node(machine)].into_iter().flatten().collect()
        }
        Object::Cluster(cluster) => {
            let cluster = cluster.get();
            [cluster_class(cluster), infra_cluster(cluster), control_plane(cluster)].into_iter().flatten().collect()
        }
        Object::MachineHealthCheck(check) => template(check.get()).into_iter().collect(),
        Object::MachineDeployment(_)
        | Object::MachinePool(_)
        | Object::MachineSet(_)
        | Object::KubeadmControlPlane(_) => {
            [bootstrap_template(object), infra_template(object)].into_iter().flatten().collect()
        }
        _ => Vec::new(),
    }
}

/// The bootstrap config of a Machine.
pub fn bootstrap_config(machine: &Machine<'_>) -> Option<ObjectRef> {
    referenced(&machine.spec.bootstrap.config_ref, &machine.metadata.namespace)
}

/// The infrastructure of a Machine.
pub fn infra_machine(machine: &Machine<'_>) -> Option<ObjectRef> {
    referenced(&machine.spec.infrastructure_ref, &machine.metadata.namespace)
}

/// The template of the bootstrap configs of a MachineDeployment or MachineSet; the bootstrap config of a MachinePool.
pub fn bootstrap_template(object: &Object) -> Option<ObjectRef> {
    let template = match object {
        Object::MachineDeployment(deployment) => &deployment.get().spec.template,
        Object::MachinePool(pool) => &pool.get().spec.template,
        Object::MachineSet(set) => &set.get().spec.template,
        _ => return None,
    };
    referenced(&template.spec.bootstrap.config_ref, &object.metadata()?.namespace)
}

/// The template of the infrastructure of a MachineDeployment, a MachineSet or a control plane; the infrastructure of a MachinePool.
pub fn infra_template(object: &Object) -> Option<ObjectRef> {
    let reference = match object {
        Object::MachineDeployment(deployment) => &deployment.get().spec.template.spec.infrastructure_ref,
        Object::MachinePool(pool) => &pool.get().spec.template.spec.infrastructure_ref,
        Object::MachineSet(set) => &set.get().spec.template.spec.infrastructure_ref,
        Object::KubeadmControlPlane(plane) => &plane.get().spec.machine_template.spec.infrastructure_ref,
        _ => return None,
    };
    referenced(reference, &object.metadata()?.namespace)
}

/// The Node of a Machine.
pub fn node(machine: &Machine<'_>) -> Option<ObjectRef> {
    let name = &machine.status.node_ref.name;
    (!name.is_empty()).then(|| ObjectRef::node(Some(workload_cluster(machine)), name))
}

/// The workload cluster of a Machine.
pub fn workload_cluster(machine: &Machine<'_>) -> WorkloadCluster {
    let label = || machine.metadata.label(view::label::CLUSTER_NAME);
    let name = Some(&machine.spec.cluster_name).filter(|name| !name.is_empty()).or_else(label);
    WorkloadCluster::new(&machine.metadata.namespace, name.map_or("", |name| name))
}

/// The ClusterClass of a Cluster.
pub fn cluster_class(cluster: &Cluster<'_>) -> Option<ObjectRef> {
    let class = &cluster.spec.topology.class_ref;
    let namespace = if class.namespace.is_empty() { &cluster.metadata.namespace } else { &class.namespace };
    (!class.name.is_empty()).then(|| ObjectRef::new(CLUSTER_CLASS, namespace, &class.name))
}

/// The infrastructure of a Cluster.
pub fn infra_cluster(cluster: &Cluster<'_>) -> Option<ObjectRef> {
    referenced(&cluster.spec.infrastructure_ref, &cluster.metadata.namespace)
}

/// The control plane of a Cluster.
pub fn control_plane(cluster: &Cluster<'_>) -> Option<ObjectRef> {
    referenced(&cluster.spec.control_plane_ref, &cluster.metadata.namespace)
}

/// The remediation template of a health check.
pub fn template(check: &MachineHealthCheck<'_>) -> Option<ObjectRef> {
    let reference = check.spec.template()?;
    let TemplateRef { api_version, kind, name } = reference;
    Some(ObjectRef::new((group_of(api_version), kind), &check.metadata.namespace, name))
}

/// Any request made from the remediation template of a health check: all have the same place.
pub fn request(check: &MachineHealthCheck<'_>, machine: &str) -> Option<ObjectRef> {
    let TemplateRef { api_version, .. } = check.spec.template()?;
    let kind = check.spec.template()?.request_kind();
    Some(ObjectRef::new((group_of(api_version), kind), &check.metadata.namespace, machine))
}

fn referenced(reference: &view::ObjectRef<'_>, namespace: &str) -> Option<ObjectRef> {
    let named = !reference.kind.is_empty() && !reference.name.is_empty();
    named.then(|| ObjectRef::new((reference.group(), &reference.kind), namespace, &reference.name))
}

/// What controls an object: by its name, whether or not it is the very one.
pub fn controller(object: &Object) -> Option<ObjectRef> {
    let metadata = object.metadata()?;
    let owner = owner(metadata)?;
    Some(ObjectRef::new((group_of(&owner.api_version), &owner.kind), &metadata.namespace, &owner.name))
}

/// Whether the object that an object names as its controller is the one with this uid: another object may have taken its
/// name. People write objects without uids; then the name decides.
pub fn is_controlled_by(object: &Object, uid: &str) -> bool {
    let owner = object.metadata().and_then(owner);
    owner.is_some_and(|owner| owner.uid.is_empty() || uid.is_empty() || owner.uid == *uid)
}

fn owner<'m, 'a>(metadata: &'m Metadata<'a>) -> Option<&'m OwnerReference<'a>> {
    metadata.owner_references.iter().find(|owner| owner.controller)
}
