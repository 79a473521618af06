//! Names of objects, of the places they are listed in, and of the objects that can be decided about.

use crate::error::Error;
use crate::json::written;
use crate::snapshot::{Kind, read};
use capi_policy_json::{Str, fields};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of Cluster API's kinds that decisions read.
pub const READ_VERSION: &str = "v1beta2";

const CLUSTER_API: &str = "cluster.x-k8s.io";

/// The kind of Nodes.
pub const NODE: (&str, &str) = ("", "Node");
/// The kind of Pods.
pub const POD: (&str, &str) = ("", "Pod");
/// The namespace in which kubeadm runs the components of a control plane.
pub const STATIC_PODS: &str = "kube-system";
/// The kind of `ClusterClass` objects.
pub const CLUSTER_CLASS: (&str, &str) = (CLUSTER_API, "ClusterClass");

/// A workload cluster: the namespace and the name of its Cluster.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WorkloadCluster {
    /// The Cluster's namespace.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// The Cluster's name.
    pub name: String,
}

/// Objects of one kind that are listed together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The API group; empty for Kubernetes' own core.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The namespace; empty for objects without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// For Nodes and Pods: the workload cluster they were read from, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload_cluster: Option<WorkloadCluster>,
}

/// An object of any kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectRef {
    /// Where it is listed.
    #[serde(flatten)]
    pub place: Place,
    /// Its name.
    pub name: String,
}

/// A set of objects that a host lists with one request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// The API group; empty for Kubernetes' own core.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The namespace; none: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// For Nodes and Pods: the workload cluster they are read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload_cluster: Option<WorkloadCluster>,
}

/// An object that can be decided about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Subject {
    /// Its kind.
    pub kind: Kind,
    /// Its namespace.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Its name.
    pub name: String,
}

impl WorkloadCluster {
    /// The workload cluster of a Cluster.
    pub fn new(namespace: &str, name: &str) -> Self {
        Self { namespace: namespace.to_owned(), name: name.to_owned() }
    }
}

impl Place {
    /// Objects of a kind in a namespace.
    pub fn new((group, kind): (&str, &str), namespace: &str) -> Self {
        let (group, kind, namespace) = (group.to_owned(), kind.to_owned(), namespace.to_owned());
        Self { group, kind, namespace, workload_cluster: None }
    }

    /// Objects of a kind that can be decided about.
    pub fn of(kind: Kind, namespace: &str) -> Self {
        Self::new((kind.group(), kind.name()), namespace)
    }

    /// The Nodes of a workload cluster; those of which nobody knows the cluster.
    pub fn of_nodes(workload_cluster: Option<WorkloadCluster>) -> Self {
        Self { workload_cluster, ..Self::new(NODE, "") }
    }

    /// The Pods of a workload cluster that may be components of its control plane; those of which nobody knows the cluster.
    pub fn of_static_pods(workload_cluster: Option<WorkloadCluster>) -> Self {
        Self { workload_cluster, ..Self::new(POD, STATIC_PODS) }
    }

    /// Whether these are Nodes.
    pub fn is_of_nodes(&self) -> bool {
        (&*self.group, &*self.kind) == NODE
    }

    /// Whether these are objects of a workload cluster.
    fn is_of_workload(&self) -> bool {
        [NODE, POD].contains(&(&*self.group, &*self.kind))
    }

    /// The same in another workload cluster; in one that nobody knows.
    #[must_use]
    pub fn in_workload(&self, workload_cluster: Option<WorkloadCluster>) -> Self {
        Self { workload_cluster, ..self.clone() }
    }

    /// Whether the policy has a view of these objects.
    pub fn has_view(&self) -> bool {
        self.decidable().is_some() || [NODE, POD].contains(&(&*self.group, &*self.kind))
    }

    /// The kind that can be decided about, if it is one.
    pub fn decidable(&self) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| (kind.group(), kind.name()) == (&*self.group, &*self.kind))
    }
}

impl ObjectRef {
    /// An object of a kind in a namespace. Without a group, a kind of Cluster API is Cluster API's.
    pub fn new((group, kind): (&str, &str), namespace: &str, name: &str) -> Self {
        let group = if group.is_empty() { implied_group(kind) } else { group };
        Self { place: Place::new((group, kind), namespace), name: name.to_owned() }
    }

    /// The same read from a workload cluster, if it is a Node or a Pod.
    #[must_use]
    pub fn of_workload(mut self, workload_cluster: Option<WorkloadCluster>) -> Self {
        if self.place.is_of_workload() {
            self.place.workload_cluster = workload_cluster;
        }
        if self.place.is_of_nodes() {
            self.place.namespace.clear();
        }
        self
    }

    /// A Node of a workload cluster.
    pub fn node(workload_cluster: Option<WorkloadCluster>, name: &str) -> Self {
        Self { place: Place::of_nodes(workload_cluster), name: name.to_owned() }
    }

    /// What can be decided about it, if anything.
    pub fn subject(&self) -> Option<Subject> {
        let kind = self.place.decidable()?;
        Some(Subject { kind, namespace: self.place.namespace.clone(), name: self.name.clone() })
    }
}

impl Subject {
    /// An object by kind, namespace and name.
    pub fn new(kind: Kind, namespace: &str, name: &str) -> Self {
        Self { kind, namespace: namespace.to_owned(), name: name.to_owned() }
    }

    /// Where it is listed.
    pub fn place(&self) -> Place {
        Place::of(self.kind, &self.namespace)
    }

    /// That there is no such object.
    pub(super) fn not_found(&self) -> Error {
        Error::NotFound { object: self.to_string() }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, namespace, name } = self;
        let separator = if namespace.is_empty() { "" } else { "/" };
        write!(f, "{kind} {namespace}{separator}{name}")
    }
}

fields! {
    /// Which object a text is about.
    pub struct Header<'a> in order {
        "apiVersion" => api_version: Str<'a>,
        "kind" => kind: Str<'a>,
        "metadata" => metadata: Named<'a>,
    }

    /// Who the object is.
    pub struct Named<'a> requires "name" name {
        "annotations" => annotations: ClusterAnnotations<'a>,
        "name" => name: Str<'a>,
        "namespace" => namespace: Str<'a>,
    }

    /// Which workload cluster Cluster API says a Node belongs to.
    pub struct ClusterAnnotations<'a> {
        "cluster.x-k8s.io/cluster-name" => name: Str<'a>,
        "cluster.x-k8s.io/cluster-namespace" => namespace: Str<'a>,
    }
}

impl<'a> Header<'a> {
    /// Reads who an object is.
    pub fn read(text: &'a str) -> Result<Self, Error> {
        let header: Self = read(text)?;
        if header.kind.is_empty() { Err(Error::expected("kind", "the kind of the object", "none")) } else { Ok(header) }
    }

    /// The object's name in the fleet. A Node or Pod is one of `workload_cluster`, else of the cluster in its annotations.
    pub fn object(&self, workload_cluster: Option<WorkloadCluster>) -> ObjectRef {
        let Named { annotations, name, namespace } = &self.metadata;
        let annotated =
            || (!annotations.name.is_empty()).then(|| WorkloadCluster::new(&annotations.namespace, &annotations.name));
        let object = ObjectRef::new((group_of(&self.api_version), &self.kind), namespace, name);
        object.of_workload(workload_cluster.or_else(annotated))
    }

    /// The version, if decisions about the kind read another one.
    pub fn unread_version(&self, object: &ObjectRef) -> Option<&str> {
        let version = self.api_version.rsplit_once('/').map(|(_, version)| version)?;
        (object.place.decidable().is_some() && version != READ_VERSION).then_some(version)
    }
}

/// An object as it stands in a list: kind and version are the list's where the object does not say them.
pub struct Listed {
    pub name: ObjectRef,
    pub version: Option<String>,
    pub text: Box<str>,
}

impl Listed {
    /// Reads an object that must be of the scope.
    pub fn read(scope: &Scope, text: &str) -> Result<Self, Error> {
        let mut header: Header<'_> = read(text)?;
        let unnamed = header.kind.is_empty();
        if unnamed {
            header.kind = (&*scope.kind).into();
        }
        let mut name = header.object(scope.workload_cluster.clone());
        if unnamed {
            name.place.group.clone_from(&scope.group);
        }
        if !scope.covers(&name.place) {
            let found = format!("a {} in namespace {}", name.place.kind, written(&name.place.namespace));
            return Err(Error::expected("kind", &format!("an object of {scope}"), found));
        }
        let version = header.unread_version(&name).map(ToOwned::to_owned);
        let text = match text.trim_start().strip_prefix('{').filter(|_| unnamed) {
            Some(rest) => ["{\"kind\":", &written(&name.place.kind), ",", rest].concat().into(),
            None => text.into(),
        };
        Ok(Self { name, version, text })
    }
}

impl Scope {
    /// All objects of a kind.
    pub fn of((group, kind): (&str, &str)) -> Self {
        let group = if group.is_empty() { implied_group(kind) } else { group };
        Self { group: group.to_owned(), kind: kind.to_owned(), namespace: None, workload_cluster: None }
    }

    /// Whether objects of a place are in the scope.
    pub fn covers(&self, place: &Place) -> bool {
        (&self.group, &self.kind) == (&place.group, &place.kind)
            && self.namespace.as_ref().is_none_or(|namespace| *namespace == place.namespace)
            && (self.workload_cluster.is_none() || self.workload_cluster == place.workload_cluster)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kind {}", self.kind)?;
        self.namespace.iter().try_for_each(|namespace| write!(f, " in namespace {namespace:?}"))
    }
}

/// `cluster.x-k8s.io` of `cluster.x-k8s.io/v1beta2`.
pub fn group_of(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

/// The group of a kind that is named without one.
fn implied_group(kind: &str) -> &'static str {
    let decidable = Kind::ALL.iter().find(|known| known.name() == kind).map(|kind| kind.group());
    let class = (kind == CLUSTER_CLASS.1).then_some(CLUSTER_CLASS.0);
    decidable.or(class).unwrap_or_default()
}
