//! Which objects belong to which: the one table that knows kinds.

use super::observed::Fact;

/// A kind of object with its API group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The API group, empty for Kubernetes' own core.
    pub group: &'static str,
    /// The kind.
    pub name: &'static str,
}

/// A kind that can be evaluated, and what belongs to it.
pub struct Subject {
    /// The kind.
    pub kind: Kind,
    /// What kubectl calls it for short.
    pub short: &'static str,
    /// The field of the snapshot that holds the object.
    pub field: &'static str,
    /// What belongs to it; a link may start from fields above its own.
    pub related: &'static [Related],
}

/// A field of the snapshot and how its objects are found.
pub struct Related {
    /// The field.
    pub field: &'static str,
    /// Whether the field is a list.
    pub many: bool,
    /// How the objects are found.
    pub link: Link,
    /// What is observed when the input has no object of that kind at all: they were not read, which is not the
    /// same as "does not exist".
    pub unread: Option<Fact>,
}

/// Stands for the evaluated object where a link names a field.
pub const SUBJECT: &str = "";

/// How objects are found.
pub enum Link {
    /// Objects of the kind that an object of the field owns.
    OwnedBy { kind: Kind, owner: &'static str },
    /// The owner, of that kind, of the object in the field.
    OwnerOf { kind: Kind, owned: &'static str },
    /// The object of the kind whose name stands at a path.
    Named { kind: Kind, at: &'static str, of: &'static str },
    /// The object that a reference with kind and name leads to; the first path that holds one counts.
    Referenced { at: &'static [&'static str], of: &'static str },
    /// The Cluster that the subject names, in its spec or by label.
    ClusterOf { kind: Kind },
    /// Objects of the kind that name the subject as their Cluster.
    OfCluster { kind: Kind },
    /// Objects of the kind in the subject's namespace.
    Neighbours { kind: Kind },
    /// Remediation requests made from the template, named like the machines of the field.
    RequestsFor { template: &'static [&'static str], machines: &'static str },
}

impl Link {
    /// The kind that it leads to, where that is always the same.
    pub fn kind(&self) -> Option<&Kind> {
        match self {
            Self::OwnedBy { kind, .. }
            | Self::OwnerOf { kind, .. }
            | Self::Named { kind, .. }
            | Self::ClusterOf { kind }
            | Self::OfCluster { kind }
            | Self::Neighbours { kind } => Some(kind),
            Self::Referenced { .. } | Self::RequestsFor { .. } => None,
        }
    }

    /// Whether it leads to what the object belongs to. Of that a decision reads the frame: all but most of the status.
    pub fn is_upward(&self) -> bool {
        matches!(self, Self::OwnerOf { .. } | Self::ClusterOf { .. })
    }
}

const CORE: &str = "cluster.x-k8s.io";
const CLUSTER: Kind = Kind { group: CORE, name: "Cluster" };
const MACHINE: Kind = Kind { group: CORE, name: "Machine" };
const MACHINE_SET: Kind = Kind { group: CORE, name: "MachineSet" };
const MACHINE_DEPLOYMENT: Kind = Kind { group: CORE, name: "MachineDeployment" };
const MACHINE_HEALTH_CHECK: Kind = Kind { group: CORE, name: "MachineHealthCheck" };
const CLUSTER_CLASS: Kind = Kind { group: CORE, name: "ClusterClass" };
const KUBEADM_CONTROL_PLANE: Kind = Kind { group: "controlplane.cluster.x-k8s.io", name: "KubeadmControlPlane" };
const NODE: Kind = Kind { group: "", name: "Node" };

const TEMPLATE: &[&str] = &["/spec/remediation/templateRef", "/spec/remediationTemplate"];
const NODE_NAME: &str = "/status/nodeRef/name";

const fn one(field: &'static str, link: Link) -> Related {
    Related { field, many: false, link, unread: None }
}

const fn many(field: &'static str, link: Link) -> Related {
    Related { field, many: true, link, unread: None }
}

const fn or_else(related: Related, fact: Fact) -> Related {
    Related { unread: Some(fact), ..related }
}

/// Every kind that can be evaluated, in the order in which results are shown.
#[rustfmt::skip]
pub static SUBJECTS: &[Subject] = &[
    Subject { kind: CLUSTER, short: "cl", field: "cluster", related: &[
        one("clusterClass", Link::Named { kind: CLUSTER_CLASS, at: "/spec/topology/classRef/name", of: SUBJECT }),
        or_else(one("infraCluster", Link::Referenced { at: &["/spec/infrastructureRef"], of: SUBJECT }), Fact::NotThere("infraClusterNotFound")),
        or_else(one("controlPlane", Link::Referenced { at: &["/spec/controlPlaneRef"], of: SUBJECT }), Fact::Flag("controlPlaneNotFound", false)),
        many("machineDeployments", Link::OfCluster { kind: MACHINE_DEPLOYMENT }),
        many("machineSets", Link::OfCluster { kind: MACHINE_SET }),
        many("machines", Link::OfCluster { kind: MACHINE }),
    ] },
    Subject { kind: KUBEADM_CONTROL_PLANE, short: "kcp", field: "kubeadmControlPlane", related: &[
        one("cluster", Link::ClusterOf { kind: CLUSTER }),
        many("machines", Link::OwnedBy { kind: MACHINE, owner: SUBJECT }),
    ] },
    Subject { kind: MACHINE_DEPLOYMENT, short: "md", field: "machineDeployment", related: &[
        many("machineSets", Link::OwnedBy { kind: MACHINE_SET, owner: SUBJECT }),
        many("machines", Link::OwnedBy { kind: MACHINE, owner: "machineSets" }),
        one("cluster", Link::ClusterOf { kind: CLUSTER }),
    ] },
    Subject { kind: MACHINE_SET, short: "ms", field: "machineSet", related: &[
        many("machines", Link::OwnedBy { kind: MACHINE, owner: SUBJECT }),
        one("cluster", Link::ClusterOf { kind: CLUSTER }),
    ] },
    Subject { kind: MACHINE_HEALTH_CHECK, short: "mhc", field: "machineHealthCheck", related: &[
        one("cluster", Link::ClusterOf { kind: CLUSTER }),
        many("machines", Link::Neighbours { kind: MACHINE }),
        or_else(many("nodes", Link::Named { kind: NODE, at: NODE_NAME, of: "machines" }), Fact::Flag("workloadClusterConnected", false)),
        one("remediationTemplate", Link::Referenced { at: TEMPLATE, of: SUBJECT }),
        many("remediationRequests", Link::RequestsFor { template: TEMPLATE, machines: "machines" }),
    ] },
    Subject { kind: MACHINE, short: "ma", field: "machine", related: &[
        one("cluster", Link::ClusterOf { kind: CLUSTER }),
        one("owningMachineSet", Link::OwnerOf { kind: MACHINE_SET, owned: SUBJECT }),
        one("owningMachineDeployment", Link::OwnerOf { kind: MACHINE_DEPLOYMENT, owned: "owningMachineSet" }),
        or_else(one("bootstrapConfig", Link::Referenced { at: &["/spec/bootstrap/configRef"], of: SUBJECT }), Fact::NotThere("bootstrapConfigNotFound")),
        or_else(one("infraMachine", Link::Referenced { at: &["/spec/infrastructureRef"], of: SUBJECT }), Fact::NotThere("infraMachineNotFound")),
        or_else(one("node", Link::Named { kind: NODE, at: NODE_NAME, of: SUBJECT }), Fact::Text("nodeGetError", "ClusterNotConnected")),
    ] },
];
