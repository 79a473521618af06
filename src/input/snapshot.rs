//! [`Snapshot`]: the objects that an evaluation reads, what could be read of the cluster, and the time.

use crate::error::Error;
use crate::json::written;
use crate::observed::Observed;
pub use crate::profile::Profile;
use crate::sorted::Sorted;
use crate::time::Time;
use crate::view::{
    Cluster, ClusterClass, ExternalObject, KubeadmConfig, KubeadmControlPlane, Machine, MachineDeployment,
    MachineHealthCheck, MachinePool, MachineSet, Metadata, Node, Pod, RemediationRequest, RemediationTemplate, Str,
};
use capi_policy_json::{Fault, Read, Reader, fields};
use serde::Serialize;
use std::fmt;

/// The largest snapshot accepted, in bytes.
pub const MAX_BYTES: usize = 40 << 20;

const KINDS: &str = "a kind that can be evaluated";

fields! {
    /// What is evaluated: one kind's object with everything its decisions read.
    pub struct Snapshot<'a> requires "now" now {
        /// Which object is evaluated; found from the objects when absent.
        "kind" => kind: Option<Kind>,
        /// The time of the evaluation, RFC 3339.
        "now" => now: Time,
        /// Which rules apply.
        "profile" => profile: Profile,
        /// Whether the evaluation says how each decision was made.
        "explain" => explain: bool,
        /// The MachineDeployment.
        "machineDeployment" => machine_deployment: Option<MachineDeployment<'a>>,
        /// The MachineSet.
        "machineSet" => machine_set: Option<MachineSet<'a>>,
        /// The KubeadmControlPlane.
        "kubeadmControlPlane" => kubeadm_control_plane: Option<KubeadmControlPlane<'a>>,
        /// The Machine.
        "machine" => machine: Option<Machine<'a>>,
        /// The MachinePool.
        "machinePool" => machine_pool: Option<MachinePool<'a>>,
        /// The MachineHealthCheck.
        "machineHealthCheck" => machine_health_check: Option<MachineHealthCheck<'a>>,
        /// The Cluster.
        "cluster" => cluster: Option<Cluster<'a>>,
        /// The ClusterClass of a Cluster.
        "clusterClass" => cluster_class: Option<ClusterClass<'a>>,
        /// The infrastructure of a Cluster.
        "infraCluster" => infra_cluster: Option<ExternalObject<'a>>,
        /// The control plane of a Cluster, or of a MachineSet's Cluster.
        "controlPlane" => control_plane: Option<ExternalObject<'a>>,
        /// The bootstrap template of a MachineSet.
        "bootstrapTemplate" => bootstrap_template: Option<ExternalObject<'a>>,
        /// The bootstrap config of a Machine or MachinePool.
        "bootstrapConfig" => bootstrap_config: Option<ExternalObject<'a>>,
        /// The infrastructure of a Machine.
        "infraMachine" => infra_machine: Option<ExternalObject<'a>>,
        /// The infrastructure of a MachinePool.
        "infraMachinePool" => infra_machine_pool: Option<ExternalObject<'a>>,
        /// The Node of a Machine.
        "node" => node: Option<Node<'a>>,
        /// The MachineSet that owns a Machine.
        "owningMachineSet" => owning_machine_set: Option<MachineSet<'a>>,
        /// The MachineDeployment that owns a Machine's MachineSet.
        "owningMachineDeployment" => owning_machine_deployment: Option<MachineDeployment<'a>>,
        /// The MachineDeployments of a Cluster.
        "machineDeployments" => machine_deployments: Vec<MachineDeployment<'a>>,
        /// The MachinePools of a Cluster.
        "machinePools" => machine_pools: Vec<MachinePool<'a>>,
        /// The other MachineSets of a MachineSet's MachineDeployment.
        "otherMachineSets" => other_machine_sets: Vec<MachineSet<'a>>,
        /// The MachineSets of a MachineDeployment or Cluster.
        "machineSets" => machine_sets: Vec<MachineSet<'a>>,
        /// The Machines: of the object, or for a health check those of the namespace.
        "machines" => machines: Vec<Machine<'a>>,
        /// The Nodes of the workload cluster.
        "nodes" => nodes: Vec<Node<'a>>,
        /// The static Pods of a control plane, of the workload cluster's `kube-system`; absent when they were not read.
        "pods" => pods: Option<Vec<Pod<'a>>>,
        /// The KubeadmConfigs of a control plane's Machines, named like them.
        "kubeadmConfigs" => kubeadm_configs: Vec<KubeadmConfig<'a>>,
        /// The infrastructure objects of a control plane's Machines, named like them.
        "infraMachines" => infra_machines: Vec<ExternalObject<'a>>,
        /// The template of external remediation.
        "remediationTemplate" => remediation_template: Option<RemediationTemplate<'a>>,
        /// The remediation requests that exist, named like their machines.
        "remediationRequests" => remediation_requests: Vec<RemediationRequest<'a>>,
        /// What could and could not be read.
        "observed" => observed: Observed<'a>,
    }
}

/// The kinds that can be evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Kind {
    /// MachineHealthCheck.
    #[default]
    MachineHealthCheck,
    /// MachineDeployment.
    MachineDeployment,
    /// MachineSet.
    MachineSet,
    /// KubeadmControlPlane.
    KubeadmControlPlane,
    /// MachinePool.
    MachinePool,
    /// Machine.
    Machine,
    /// Cluster.
    Cluster,
}

impl Kind {
    /// Every kind, in the order in which a snapshot without `kind` is searched.
    pub const ALL: &[Self] = &[
        Self::MachineHealthCheck,
        Self::MachineDeployment,
        Self::MachineSet,
        Self::KubeadmControlPlane,
        Self::MachinePool,
        Self::Machine,
        Self::Cluster,
    ];

    /// The kind of that name.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::find(name).ok_or_else(|| Error::expected("kind", KINDS, written(&name)))
    }

    fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| name == kind.name())
    }

    /// As Kubernetes writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::MachineHealthCheck => "MachineHealthCheck",
            Self::MachineDeployment => "MachineDeployment",
            Self::MachineSet => "MachineSet",
            Self::KubeadmControlPlane => "KubeadmControlPlane",
            Self::MachinePool => "MachinePool",
            Self::Machine => "Machine",
            Self::Cluster => "Cluster",
        }
    }

    /// Its API group.
    pub fn group(self) -> &'static str {
        match self {
            Self::KubeadmControlPlane => "controlplane.cluster.x-k8s.io",
            _ => "cluster.x-k8s.io",
        }
    }

    /// The field of the snapshot that holds the object.
    pub fn field(self) -> &'static str {
        match self {
            Self::MachineHealthCheck => "machineHealthCheck",
            Self::MachineDeployment => "machineDeployment",
            Self::MachineSet => "machineSet",
            Self::KubeadmControlPlane => "kubeadmControlPlane",
            Self::MachinePool => "machinePool",
            Self::Machine => "machine",
            Self::Cluster => "cluster",
        }
    }
}

impl<'a> Read<'a> for Kind {
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        *self = reader.string(KINDS, |name| Self::find(&name))?;
        Ok(())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<'a> Snapshot<'a> {
    /// Reads a snapshot.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        let snapshot: Self = read(text)?;
        snapshot.validate()?;
        Ok(snapshot)
    }

    /// What makes a snapshot ambiguous though it can be read.
    pub fn validate(&self) -> Result<(), Error> {
        unique("machines", self.machines.iter().map(|m| &m.metadata))?;
        unique("machineDeployments", self.machine_deployments.iter().map(|m| &m.metadata))?;
        unique("machinePools", self.machine_pools.iter().map(|m| &m.metadata))?;
        unique("machineSets", self.machine_sets.iter().map(|m| &m.metadata))?;
        unique("nodes", self.nodes.iter().map(|n| &n.metadata))
    }

    /// Which object is evaluated.
    pub fn kind(&self) -> Result<Kind, Error> {
        let present = |kind: &Kind| match kind {
            Kind::MachineHealthCheck => self.machine_health_check.is_some(),
            Kind::MachineDeployment => self.machine_deployment.is_some(),
            Kind::MachineSet => self.machine_set.is_some(),
            Kind::KubeadmControlPlane => self.kubeadm_control_plane.is_some(),
            Kind::MachinePool => self.machine_pool.is_some(),
            Kind::Machine => self.machine.is_some(),
            Kind::Cluster => self.cluster.is_some(),
        };
        match self.kind {
            Some(kind) if present(&kind) => Ok(kind),
            Some(kind) => Err(Error::expected(kind.field(), &format!("the {kind} to evaluate"), "none")),
            None => Kind::ALL.iter().copied().find(present).ok_or_else(|| {
                let fields: Vec<_> = Kind::ALL.iter().map(|kind| kind.field()).collect();
                Error::expected("snapshot", &format!("an object in one of {}", fields.join(", ")), "none")
            }),
        }
    }
}

fn unique<'m, 'a: 'm>(list: &str, items: impl Iterator<Item = &'m Metadata<'a>> + Clone) -> Result<(), Error> {
    // As API servers list the objects of a namespace.
    if items.clone().is_sorted_by(|a, b| a.name < b.name) {
        return Ok(());
    }
    let names = items.enumerate().map(|(i, metadata)| (&metadata.namespace, &metadata.name, i));
    match first_again(names.collect()) {
        None => Ok(()),
        Some((name, i)) => {
            let path = format!("{list}[{i}].metadata.name");
            Err(Error::expected(path, "a unique name", written(&name) + " again"))
        }
    }
}

/// The first name that was there before.
fn first_again<'n>(mut names: Vec<(&'n Str<'n>, &'n Str<'n>, usize)>) -> Option<(&'n str, usize)> {
    names.order_by(Ord::cmp);
    let pairs = names.iter().zip(names.iter().skip(1));
    let again = pairs.filter(|((namespace, name, _), next)| (*namespace, *name) == (next.0, next.1));
    again.map(|(_, (_, name, i))| (&***name, *i)).min_by_key(|(_, i)| *i)
}

/// Reads a view from a text that is not larger than accepted.
pub(crate) fn read<'a, View: Read<'a> + Default>(text: &'a str) -> Result<View, Error> {
    if text.len() > MAX_BYTES {
        return Err(Error::TooLarge { bytes: text.len(), limit: MAX_BYTES });
    }
    Ok(capi_policy_json::read(text)?)
}
