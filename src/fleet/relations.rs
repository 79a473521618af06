//! An object in, the objects whose decisions read it out.

use super::ObjectRef;
use super::store::{Header, Object, Store, controller};
use crate::snapshot::Kind;
use crate::view::{Machine, Metadata, label};

/// An object whose decision reads what changed.
pub struct Affected {
    /// The object.
    pub object: ObjectRef,
    /// The place of the one machine that a health check has to judge again; without it, all of them.
    pub machine: Option<usize>,
}

/// Everything whose decision reads the object, as relations are now. More than necessary does no harm.
pub fn affected(store: &Store, header: &Header<'_>) -> Vec<Affected> {
    let mut affected = Search { store, found: Vec::new() };
    let (namespace, name) = (&*header.metadata.namespace, &*header.metadata.name);
    let object = store.get(&header.kind, namespace, name);
    if let Ok(kind) = Kind::named(&header.kind) {
        affected.add(kind, namespace, name);
    }
    match &*header.kind {
        "Machine" => {
            if let Some(machine) = object.and_then(Object::machine) {
                affected.owner(&machine.metadata);
                affected.cluster(&machine.metadata);
                if let Some(place) = store.place_of_machine(namespace, name) {
                    affected.health_checks(machine, place);
                }
            }
        }
        "MachineSet" => {
            if let Some(set) = object.and_then(Object::machine_set) {
                affected.owner(&set.metadata);
                affected.siblings(&set.metadata);
                affected.cluster(&set.metadata);
                affected.machines_of(&set.metadata.uid);
            }
        }
        "MachineDeployment" => {
            if let Some(deployment) = object.and_then(Object::machine_deployment) {
                affected.cluster(&deployment.metadata);
                for set in store.owned(&deployment.metadata.uid).filter_map(Object::machine_set) {
                    affected.add(Kind::MachineSet, namespace, &set.metadata.name);
                    affected.machines_of(&set.metadata.uid);
                }
            }
        }
        "MachinePool" => {
            if let Some(pool) = object.and_then(Object::machine_pool) {
                affected.cluster(&pool.metadata);
            }
        }
        "Node" => affected.node(name),
        "Cluster" => Kind::ALL.iter().for_each(|kind| affected.all(*kind, namespace)),
        "MachineHealthCheck" => {}
        kind => affected.other(kind, namespace, name),
    }
    affected.found
}

struct Search<'s> {
    store: &'s Store,
    found: Vec<Affected>,
}

impl Search<'_> {
    fn add(&mut self, kind: Kind, namespace: &str, name: &str) {
        self.found.push(Affected { object: ObjectRef::new(kind, namespace, name), machine: None });
    }

    /// The controller of a MachineSet or Machine, and that one's controller.
    fn owner(&mut self, metadata: &Metadata<'_>) {
        let Some(owner) = metadata.owner_references.iter().find(|owner| owner.controller) else { return };
        let (namespace, name) = (&*metadata.namespace, &*owner.name);
        match &*owner.kind {
            "MachineSet" => {
                self.add(Kind::MachineSet, namespace, name);
                if let Some(set) = self.store.get("MachineSet", namespace, name).and_then(Object::machine_set) {
                    self.owner(&set.metadata);
                }
            }
            "MachineDeployment" => self.add(Kind::MachineDeployment, namespace, name),
            "KubeadmControlPlane" => self.add(Kind::KubeadmControlPlane, namespace, name),
            _ => {}
        }
    }

    /// The MachineSets of the same MachineDeployment: machines move between them.
    fn siblings(&mut self, metadata: &Metadata<'_>) {
        for set in self.store.owned(controller(metadata)).filter_map(Object::machine_set) {
            self.add(Kind::MachineSet, &set.metadata.namespace, &set.metadata.name);
        }
    }

    fn cluster(&mut self, metadata: &Metadata<'_>) {
        if let Some(name) = metadata.label(label::CLUSTER_NAME) {
            self.add(Kind::Cluster, &metadata.namespace, name);
        }
    }

    fn machines_of(&mut self, uid: &str) {
        for machine in self.store.owned(uid).filter_map(Object::machine) {
            self.add(Kind::Machine, &machine.metadata.namespace, &machine.metadata.name);
        }
    }

    /// The health checks that look at a machine.
    fn health_checks(&mut self, machine: &Machine<'_>, place: usize) {
        let namespace = &*machine.metadata.namespace;
        for check in self.store.all("MachineHealthCheck", namespace).filter_map(Object::machine_health_check) {
            let of_cluster = machine.metadata.label(label::CLUSTER_NAME) == Some(&check.spec.cluster_name);
            if of_cluster && check.spec.selector.matches_apart_from(label::CLUSTER_NAME, &machine.metadata) {
                let object = ObjectRef::new(Kind::MachineHealthCheck, namespace, &check.metadata.name);
                self.found.push(Affected { object, machine: Some(place) });
            }
        }
    }

    fn node(&mut self, name: &str) {
        for (place, machine) in self.store.on_node(name) {
            self.add(Kind::Machine, &machine.metadata.namespace, &machine.metadata.name);
            self.health_checks(machine, place);
        }
    }

    fn all(&mut self, kind: Kind, namespace: &str) {
        for object in self.store.all(&kind.to_string(), namespace) {
            if let Some(metadata) = object.metadata() {
                self.add(kind, namespace, &metadata.name);
            }
        }
    }

    /// A provider's object, as a KubeadmControlPlane is one too: the infrastructure or bootstrap config of a Machine,
    /// something of a Cluster, or something of external remediation.
    fn other(&mut self, kind: &str, namespace: &str, name: &str) {
        for machine in self.store.all("Machine", namespace).filter_map(Object::machine) {
            let references = [&machine.spec.infrastructure_ref, &machine.spec.bootstrap.config_ref];
            if references.iter().any(|reference| reference.kind == *kind && reference.name == *name) {
                self.add(Kind::Machine, namespace, &machine.metadata.name);
            }
        }
        self.all(Kind::Cluster, namespace);
        for check in self.store.all("MachineHealthCheck", namespace).filter_map(Object::machine_health_check) {
            if check.spec.template().is_some_and(|t| t.kind == *kind || t.request_kind() == kind) {
                self.add(Kind::MachineHealthCheck, namespace, &check.metadata.name);
            }
        }
    }
}
