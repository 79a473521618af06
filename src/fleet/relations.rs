//! An object in, the objects whose decisions read it out.

use super::ObjectRef;
use super::store::{Header, Key, Objects, Store, in_namespace, keys_in_namespace};
use crate::snapshot::Kind;
use crate::view::{Machine, Metadata, label};
use std::collections::BTreeSet;
use yoke::Yokeable;

/// Everything whose decision reads the object, as relations are now. More than necessary does no harm.
pub fn affected(store: &Store, header: &Header<'_>) -> BTreeSet<ObjectRef> {
    let mut affected = Affected { store, objects: BTreeSet::new() };
    let key = header.key();
    match &*header.kind {
        "Machine" => affected.machine(&key),
        "MachineSet" => affected.machine_set(&key),
        "MachineDeployment" => affected.machine_deployment(&key),
        "MachineHealthCheck" => affected.add(Kind::MachineHealthCheck, &key),
        "Node" => affected.node(&key.1),
        "Cluster" => affected.namespace(&key.0),
        "KubeadmControlPlane" => {
            affected.add(Kind::KubeadmControlPlane, &key);
            affected.clusters(&key.0);
        }
        _ => affected.other(header, &key),
    }
    affected.objects
}

struct Affected<'s> {
    store: &'s Store,
    objects: BTreeSet<ObjectRef>,
}

impl Affected<'_> {
    fn add(&mut self, kind: Kind, (namespace, name): &Key) {
        self.objects.insert(ObjectRef { kind, namespace: namespace.clone(), name: name.clone() });
    }

    fn machine(&mut self, key: &Key) {
        self.add(Kind::Machine, key);
        let Some(machine) = self.store.machines.get(key) else { return };
        let machine = machine.get();
        self.owner(&machine.metadata);
        self.cluster(&machine.metadata);
        self.health_checks(machine);
    }

    /// The controller of a MachineSet or Machine, and that one's controller.
    fn owner(&mut self, metadata: &Metadata<'_>) {
        let Some(owner) = metadata.owner_references.iter().find(|owner| owner.controller) else { return };
        let key = (metadata.namespace.to_string(), owner.name.to_string());
        match &*owner.kind {
            "MachineSet" => {
                self.add(Kind::MachineSet, &key);
                if let Some(set) = self.store.machine_sets.get(&key) {
                    self.owner(&set.get().metadata);
                }
            }
            "MachineDeployment" => self.add(Kind::MachineDeployment, &key),
            "KubeadmControlPlane" => self.add(Kind::KubeadmControlPlane, &key),
            _ => {}
        }
    }

    fn cluster(&mut self, metadata: &Metadata<'_>) {
        if let Some(name) = metadata.label(label::CLUSTER_NAME) {
            self.add(Kind::Cluster, &(metadata.namespace.to_string(), name.to_string()));
        }
    }

    fn health_checks(&mut self, machine: &Machine<'_>) {
        let namespace = &*machine.metadata.namespace;
        for check in in_namespace(&self.store.health_checks, namespace) {
            let check = check.get();
            let of_cluster = machine.metadata.label(label::CLUSTER_NAME) == Some(&check.spec.cluster_name);
            if of_cluster && check.spec.selector.matches(&machine.metadata) {
                self.add(Kind::MachineHealthCheck, &(namespace.to_owned(), check.metadata.name.to_string()));
            }
        }
    }

    fn machine_set(&mut self, key: &Key) {
        self.add(Kind::MachineSet, key);
        let Some(set) = self.store.machine_sets.get(key) else { return };
        let metadata = &set.get().metadata;
        self.owner(metadata);
        self.cluster(metadata);
        for machine in self.store.machines_of(&metadata.uid) {
            self.add(Kind::Machine, &(machine.metadata.namespace.to_string(), machine.metadata.name.to_string()));
        }
    }

    fn machine_deployment(&mut self, key: &Key) {
        self.add(Kind::MachineDeployment, key);
        let Some(deployment) = self.store.machine_deployments.get(key) else { return };
        let metadata = &deployment.get().metadata;
        self.cluster(metadata);
        for set in self.store.machine_sets_of(&metadata.uid) {
            for machine in self.store.machines_of(&set.metadata.uid) {
                self.add(Kind::Machine, &(machine.metadata.namespace.to_string(), machine.metadata.name.to_string()));
            }
        }
    }

    fn node(&mut self, name: &str) {
        for key in self.store.by_node.get(name).into_iter().flatten() {
            self.add(Kind::Machine, key);
            if let Some(machine) = self.store.machines.get(key) {
                self.health_checks(machine.get());
            }
        }
    }

    /// A Cluster is read by all that belongs to it.
    fn namespace(&mut self, namespace: &str) {
        self.clusters(namespace);
        self.all(Kind::Machine, &self.store.machines, namespace);
        self.all(Kind::MachineSet, &self.store.machine_sets, namespace);
        self.all(Kind::MachineDeployment, &self.store.machine_deployments, namespace);
        self.all(Kind::MachineHealthCheck, &self.store.health_checks, namespace);
        self.all(Kind::KubeadmControlPlane, &self.store.control_planes, namespace);
    }

    fn clusters(&mut self, namespace: &str) {
        self.all(Kind::Cluster, &self.store.clusters, namespace);
    }

    fn all<View: for<'a> Yokeable<'a>>(&mut self, kind: Kind, objects: &Objects<View>, namespace: &str) {
        for key in keys_in_namespace(objects, namespace) {
            self.add(kind, key);
        }
    }

    /// A provider's object: the infrastructure or bootstrap config of a Machine, something of a Cluster, or something of
    /// external remediation.
    fn other(&mut self, header: &Header<'_>, key: &Key) {
        let (namespace, name) = key;
        for machine in in_namespace(&self.store.machines, namespace) {
            let spec = &machine.get().spec;
            let refers = [&spec.infrastructure_ref, &spec.bootstrap.config_ref]
                .iter()
                .any(|reference| reference.kind == *header.kind && reference.name == **name);
            if refers {
                self.add(Kind::Machine, &(namespace.clone(), machine.get().metadata.name.to_string()));
            }
        }
        self.clusters(namespace);
        for check in in_namespace(&self.store.health_checks, namespace) {
            let check = check.get();
            let concerns =
                check.spec.template().is_some_and(|t| t.kind == *header.kind || t.request_kind() == &*header.kind);
            if concerns {
                self.add(Kind::MachineHealthCheck, &(namespace.clone(), check.metadata.name.to_string()));
            }
        }
    }
}
