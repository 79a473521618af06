//! What objects are called, and the questions they answer.

use crate::group::relations;
use kube::ResourceExt;
use kube::core::{ApiResource, DynamicObject};
use std::fmt;
use std::sync::Arc;

/// The label that says which Cluster an object belongs to.
pub const CLUSTER_NAME: &str = "cluster.x-k8s.io/cluster-name";

/// An API group and a kind in it. The version is the server's business.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupKind {
    pub group: Arc<str>,
    pub kind: Arc<str>,
}

/// One object. A Node's namespace is the Cluster it works for, as `namespace/name`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub kind: GroupKind,
    pub namespace: Arc<str>,
    pub name: Arc<str>,
}

/// What a snapshot asks for. Whoever asked is told when an answer comes, changes or goes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Query {
    /// One object.
    Named(Key),
    /// The frame of one object.
    FrameOf(Key),
    /// Objects of the kind that this one controls.
    OwnedBy(GroupKind, Key),
    /// Objects of the kind in the Cluster of that namespace and name.
    OfCluster(GroupKind, Arc<str>, Arc<str>),
}

impl Query {
    /// The kind of the objects that answer it.
    pub fn kind(&self) -> &GroupKind {
        match self {
            Self::Named(key) | Self::FrameOf(key) => &key.kind,
            Self::OwnedBy(kind, _) | Self::OfCluster(kind, ..) => kind,
        }
    }
}

impl GroupKind {
    pub fn new(group: &str, kind: &str) -> Self {
        Self { group: group.into(), kind: kind.into() }
    }

    /// Whether this is the kind of the table.
    pub fn is(&self, kind: &relations::Kind) -> bool {
        *self.group == *kind.group && *self.kind == *kind.name
    }
}

impl From<&relations::Kind> for GroupKind {
    fn from(kind: &relations::Kind) -> Self {
        Self::new(kind.group, kind.name)
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

    /// Whether the object is there because of one that was asked for by name or kind.
    pub fn answers(&self, object: &DynamicObject) -> Vec<Query> {
        let mut answers = vec![Query::Named(self.clone()), Query::FrameOf(self.clone())];
        if let Some(owner) = controller(object) {
            let kind = GroupKind::new(group_of(&owner.api_version), &owner.kind);
            answers.push(Query::OwnedBy(self.kind.clone(), Self::new(kind, &self.namespace, &owner.name)));
        }
        if let Some(cluster) = cluster_name(object) {
            answers.push(Query::OfCluster(self.kind.clone(), self.namespace.clone(), cluster.into()));
        }
        answers
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

/// The Cluster that an object belongs to: by label, as Cluster API lists, else by its spec.
pub fn cluster_name(object: &DynamicObject) -> Option<&str> {
    let named = || object.data.pointer("/spec/clusterName").and_then(|name| name.as_str());
    object.labels().get(CLUSTER_NAME).map(String::as_str).or_else(named).filter(|name| !name.is_empty())
}

/// The owner that controls an object.
pub fn controller(object: &DynamicObject) -> Option<&k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference> {
    object.owner_references().iter().find(|owner| owner.controller == Some(true))
}

/// The group in an apiVersion.
pub fn group_of(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

/// The namespace of a Cluster's Nodes.
pub fn workload(namespace: &str, cluster: &str) -> String {
    format!("{namespace}/{cluster}")
}
