//! What the decision about a KubeadmControlPlane reads of its workload cluster and of its Machines' own objects.

use super::completeness::Presence;
use super::name::{ObjectRef, Place};
use super::object::Object;
use super::reading::Reading;
use super::references;
use crate::sorted::Sorted;
use crate::view::{Machine, Node};
use std::collections::BTreeSet;

/// The label that kubeadm gives the Nodes of control planes.
const ROLE: &str = "node-role.kubernetes.io/control-plane";

/// The components that kubeadm runs as static Pods, each called by its name and its Node's.
const COMPONENTS: &[&str] = &["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"];

/// Whether a Node is one of a control plane, as kubeadm labels it.
pub fn has_role(node: &Node<'_>) -> bool {
    node.metadata.label(ROLE).is_some()
}

/// Whether a Pod may be a component of a control plane.
pub fn is_static_pod(place: &Place, name: &str) -> bool {
    let runs = |component: &&str| name.strip_prefix(*component).is_some_and(|node| node.starts_with('-'));
    *place == Place::of_static_pods(place.workload_cluster.clone()) && COMPONENTS.iter().any(runs)
}

impl<'s> Reading<'s> {
    /// The Nodes that concern a control plane, by name: those with its role, those of its Machines, and those that no Machine has
    /// yet. Of a Node of which nobody knows the cluster, only its Machine tells.
    pub fn control_plane_nodes(&self) -> Vec<&'s Object> {
        let (mut own, mut others) = (BTreeSet::new(), BTreeSet::new());
        own.extend(self.own_machines().map(|machine| &*machine.status.node_ref.name));
        let named = self.machines_of_cluster().map(|machine| &*machine.status.node_ref.name);
        others.extend(named.filter(|name| !own.contains(name)));
        let known = self.nodes().known().filter(|object| {
            let node = object.node();
            node.is_some_and(|node| has_role(node) || !others.contains(&*node.metadata.name))
        });
        let known: Vec<_> = known.collect();
        let unknown = own.iter().filter(|name| !known.iter().any(|object| is_named(object, name)));
        let mut nodes: Vec<_> = unknown.filter_map(|name| self.nodes().object(name)).collect();
        nodes.extend(known);
        nodes.order_by_key(|object| object.metadata().map(|metadata| &metadata.name));
        nodes
    }

    /// The static Pods of its Machines; `None` unless its workload cluster's Nodes and Pods were listed completely.
    pub fn static_pods(&self) -> Option<Vec<&'s Object>> {
        let cluster = Some(self.workload_cluster());
        let place = Place::of_static_pods(cluster.clone());
        let is_complete = |place| self.completeness.is_complete(self.store, place);
        if !is_complete(&place) || !is_complete(&Place::of_nodes(cluster)) {
            return None;
        }
        let pods = self.store.of_workload(&place);
        let nodes = self.own_machines().map(|machine| &*machine.status.node_ref.name).filter(|name| !name.is_empty());
        let names = nodes.flat_map(|node| COMPONENTS.iter().map(move |component| format!("{component}-{node}")));
        Some(names.filter_map(|name| pods.object(&name)).collect())
    }

    /// The KubeadmConfigs of its Machines.
    pub fn kubeadm_configs(&self) -> impl Iterator<Item = &'s str> {
        self.found(references::bootstrap_config)
    }

    /// The infrastructure of its Machines.
    pub fn infra_machines(&self) -> impl Iterator<Item = &'s str> {
        self.found(references::infra_machine)
    }

    /// Its Machines of which nobody read the KubeadmConfig or the infrastructure.
    pub fn machines_not_compared(&self) -> Vec<&'s str> {
        let unread = |name: Option<ObjectRef>| {
            name.is_some_and(|name| self.completeness.presence(self.store, &name) == Presence::NotRead)
        };
        let machines = self.own_machines();
        let unread = machines.filter(|machine| {
            unread(references::bootstrap_config(machine)) || unread(references::infra_machine(machine))
        });
        unread.map(|machine| &*machine.metadata.name).collect()
    }

    fn own_machines(&self) -> impl Iterator<Item = &'s Machine<'s>> + use<'s> {
        self.machines().filter_map(Object::machine)
    }

    fn found(&self, named: fn(&Machine<'_>) -> Option<ObjectRef>) -> impl Iterator<Item = &'s str> {
        let store = self.store;
        self.own_machines().filter_map(move |machine| store.get(&named(machine)?).map(Object::text))
    }
}

fn is_named(object: &Object, name: &str) -> bool {
    object.metadata().is_some_and(|metadata| metadata.name == *name)
}
