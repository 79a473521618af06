//! Names of kinds, objects and workload clusters.

use capi_policy::snapshot;
use capi_policy_host::{ObjectName, Scope, WorkloadCluster};
use kube::ResourceExt;
use kube::core::{ApiResource, DynamicObject};
use std::fmt;
use std::sync::Arc;

/// The label that names the Cluster an object belongs to.
const CLUSTER_NAME: &str = "cluster.x-k8s.io/cluster-name";

/// The namespace of a workload cluster in which kubeadm runs the components of a control plane.
pub const STATIC_PODS: &str = "kube-system";

/// An API group and a kind in it. The version is the server's business.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupKind {
    pub group: Arc<str>,
    pub kind: Arc<str>,
}

/// One object. The namespace of what is read from a workload cluster is that cluster, as `namespace/name`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub kind: GroupKind,
    pub namespace: Arc<str>,
    pub name: Arc<str>,
}

/// Which fleets an object is part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// That of one workload cluster, as `namespace/name`.
    Cluster(Arc<str>),
    /// Those of every workload cluster of its namespace.
    Namespace,
    /// All.
    Everywhere,
}

impl Home {
    /// The workload cluster, if it is one.
    pub fn cluster(&self) -> Option<&str> {
        match self {
            Self::Cluster(name) => Some(name),
            Self::Namespace | Self::Everywhere => None,
        }
    }
}

impl GroupKind {
    pub fn new(group: &str, kind: &str) -> Self {
        Self { group: group.into(), kind: kind.into() }
    }

    /// The kind of Nodes, which are read from workload clusters.
    pub fn node() -> Self {
        Self::new("", "Node")
    }

    /// The kind of the static Pods of control planes, which are read from workload clusters as well.
    pub fn pod() -> Self {
        Self::new("", "Pod")
    }

    /// Whether objects of the kind are read from workload clusters.
    fn is_of_workloads(&self) -> bool {
        [Self::node(), Self::pod()].contains(self)
    }

    /// Every kind that can be decided about.
    pub fn decidable() -> impl Iterator<Item = Self> {
        snapshot::Kind::ALL.iter().map(|kind| Self::new(kind.group(), kind.name()))
    }

    /// The kind of that name that can be decided about.
    pub fn named(name: &str) -> Option<Self> {
        Self::decidable().find(|kind| *kind.kind == *name)
    }

    /// Whether objects of the kind can be decided about.
    pub fn is_decidable(&self) -> bool {
        snapshot::Kind::ALL.iter().any(|kind| *self.group == *kind.group() && *self.kind == *kind.name())
    }

    /// Whether the kind is one of Cluster API itself, whose every field the rules know.
    pub fn is_cluster_api(&self) -> bool {
        &*self.group == "cluster.x-k8s.io" || self.is_decidable()
    }

    /// What is listed of the kind, for fleets.
    pub fn scope(&self, namespace: Option<&str>) -> Scope {
        let (group, kind) = (self.group.to_string(), self.kind.to_string());
        Scope { group, kind, namespace: namespace.map(str::to_owned), workload_cluster: None }
    }
}

impl From<&ApiResource> for GroupKind {
    fn from(resource: &ApiResource) -> Self {
        Self::new(&resource.group, &resource.kind)
    }
}

impl Key {
    pub fn new(kind: GroupKind, namespace: &str, name: &str) -> Self {
        Self { kind, namespace: namespace.into(), name: name.into() }
    }

    /// The key of an object of the kind.
    pub fn of(kind: &GroupKind, object: &DynamicObject) -> Self {
        Self::new(kind.clone(), &object.namespace().unwrap_or_default(), &object.name_any())
    }

    /// Which fleets the object belongs to. What can be decided about is in one of them, even if it names no Cluster.
    pub fn home(&self, object: &DynamicObject) -> Home {
        let home = |cluster: &str| Home::Cluster(workload(&self.namespace, cluster).into());
        if self.kind.is_of_workloads() {
            return Home::Cluster(self.namespace.clone());
        }
        match (&*self.kind.group, &*self.kind.kind) {
            ("cluster.x-k8s.io", "Cluster") => home(&self.name),
            // Clusters may name one in another namespace.
            ("cluster.x-k8s.io", "ClusterClass") => Home::Everywhere,
            _ => match cluster_name(object) {
                Some(cluster) => home(cluster),
                None if self.kind.is_decidable() => home(""),
                None => Home::Namespace,
            },
        }
    }

    /// What the policy calls the object.
    pub fn in_fleet(&self) -> ObjectName {
        let [group, kind, namespace, name] =
            [&self.kind.group, &self.kind.kind, &self.namespace, &self.name].map(ToString::to_string);
        if !self.kind.is_of_workloads() {
            return ObjectName { group, kind, namespace, name, workload_cluster: None };
        }
        let workload_cluster = Some(workload_cluster(&namespace));
        let namespace = if self.kind == GroupKind::pod() { STATIC_PODS } else { "" }.to_owned();
        ObjectName { group, kind, namespace, name, workload_cluster }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            write!(f, "{} {}", self.kind.kind, self.name)
        } else {
            write!(f, "{} {}/{}", self.kind.kind, self.namespace, self.name)
        }
    }
}

/// The Cluster that an object belongs to: by its spec, else by label, as fleets read it.
pub fn cluster_name(object: &DynamicObject) -> Option<&str> {
    let named = object.data.pointer("/spec/clusterName").and_then(|name| name.as_str()).filter(|name| !name.is_empty());
    named.or_else(|| object.labels().get(CLUSTER_NAME).map(String::as_str).filter(|name| !name.is_empty()))
}

/// The group in an apiVersion.
pub fn group_of(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

/// The name of a workload cluster.
pub fn workload(namespace: &str, cluster: &str) -> String {
    format!("{namespace}/{cluster}")
}

/// The workload cluster of that name.
pub fn workload_cluster(workload: &str) -> WorkloadCluster {
    let (namespace, name) = workload.split_once('/').unwrap_or(("", workload));
    WorkloadCluster { namespace: namespace.to_owned(), name: name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{GroupKind, Home, Key};
    use serde_json::{Value, json};

    fn home(group: &str, kind: &str, object: Value) -> Home {
        let object = serde_json::from_value(object).expect("an object");
        Key::of(&GroupKind::new(group, kind), &object).home(&object)
    }

    #[test]
    fn objects_are_at_home_where_their_cluster_is() {
        let labelled = |name: &str| json!({ "cluster.x-k8s.io/cluster-name": name });
        let metadata = json!({ "name": "x", "namespace": "ns", "labels": labelled("by-label") });
        let of = |name: &str| Home::Cluster(name.into());
        let core = "cluster.x-k8s.io";
        assert_eq!(home(core, "Machine", json!({ "metadata": metadata })), of("ns/by-label"));
        let machine = json!({ "metadata": metadata, "spec": { "clusterName": "by-spec" } });
        assert_eq!(home(core, "Machine", machine), of("ns/by-spec"));
        let plain = json!({ "metadata": { "name": "x", "namespace": "ns" } });
        assert_eq!(home(core, "Machine", plain.clone()), of("ns/"));
        assert_eq!(home(core, "Cluster", plain.clone()), of("ns/x"));
        assert_eq!(home(core, "ClusterClass", plain.clone()), Home::Everywhere);
        assert_eq!(home("infrastructure.cluster.x-k8s.io", "TestMachine", plain), Home::Namespace);
    }
}
