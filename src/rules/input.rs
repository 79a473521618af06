//! What the decision about an object reads.

use crate::observed::Observed;
use crate::snapshot::Snapshot;
use crate::view::{
    Cluster, ClusterClass, ExternalObject, KubeadmConfig, Machine, MachineDeployment, MachinePool, MachineSet, Node,
    Pod,
};

/// An object and what belongs to it. What decisions about its kind do not read is left empty.
pub struct Input<'a, Object> {
    /// The object.
    pub object: &'a Object,
    /// Its Cluster.
    pub cluster: Option<&'a Cluster<'a>>,
    /// The ClusterClass of a Cluster.
    pub cluster_class: Option<&'a ClusterClass<'a>>,
    /// The object behind a Cluster's `spec.infrastructureRef`.
    pub infra_cluster: Option<&'a ExternalObject<'a>>,
    /// The object behind `spec.controlPlaneRef` of the Cluster.
    pub control_plane: Option<&'a ExternalObject<'a>>,
    /// The MachineDeployments of a Cluster.
    pub machine_deployments: Vec<&'a MachineDeployment<'a>>,
    /// The MachinePools of a Cluster.
    pub machine_pools: Vec<&'a MachinePool<'a>>,
    /// The MachineSets of a Cluster or MachineDeployment.
    pub machine_sets: Vec<&'a MachineSet<'a>>,
    /// The Machines of a Cluster or of an owner of Machines.
    pub machines: Vec<&'a Machine<'a>>,
    /// The MachineDeployment of a MachineSet, or of a Machine's MachineSet.
    pub machine_deployment: Option<&'a MachineDeployment<'a>>,
    /// The other MachineSets of a MachineSet's MachineDeployment.
    pub other_machine_sets: Vec<&'a MachineSet<'a>>,
    /// The template of the bootstrap configs of a MachineSet's Machines.
    pub bootstrap_template: Option<&'a ExternalObject<'a>>,
    /// The MachineSet that owns a Machine.
    pub machine_set: Option<&'a MachineSet<'a>>,
    /// The object behind `bootstrap.configRef` of a Machine or MachinePool.
    pub bootstrap_config: Option<&'a ExternalObject<'a>>,
    /// The object behind a Machine's `spec.infrastructureRef`.
    pub infra_machine: Option<&'a ExternalObject<'a>>,
    /// The object behind a MachinePool's `spec.template.spec.infrastructureRef`.
    pub infra_machine_pool: Option<&'a ExternalObject<'a>>,
    /// The Node of a Machine.
    pub node: Option<&'a Node<'a>>,
    /// The Nodes of a control plane's workload cluster.
    pub nodes: Vec<&'a Node<'a>>,
    /// The static Pods of a control plane; `None` when they were not read.
    pub pods: Option<Vec<&'a Pod<'a>>>,
    /// The KubeadmConfigs of a control plane's Machines.
    pub kubeadm_configs: &'a [KubeadmConfig<'a>],
    /// The infrastructure of a control plane's Machines.
    pub infra_machines: &'a [ExternalObject<'a>],
    /// What could be read.
    pub observed: &'a Observed<'a>,
}

impl<'a, Object> Input<'a, Object> {
    /// An object to which nothing belongs.
    pub fn of(object: &'a Object, observed: &'a Observed<'a>) -> Self {
        Self {
            object,
            cluster: None,
            cluster_class: None,
            infra_cluster: None,
            control_plane: None,
            machine_deployments: Vec::new(),
            machine_pools: Vec::new(),
            machine_sets: Vec::new(),
            machines: Vec::new(),
            machine_deployment: None,
            other_machine_sets: Vec::new(),
            bootstrap_template: None,
            machine_set: None,
            bootstrap_config: None,
            infra_machine: None,
            infra_machine_pool: None,
            node: None,
            nodes: Vec::new(),
            pods: None,
            kubeadm_configs: &[],
            infra_machines: &[],
            observed,
        }
    }

    /// The object of a snapshot with everything that the snapshot has.
    pub fn of_snapshot(object: &'a Object, snapshot: &'a Snapshot<'a>) -> Self {
        Self {
            object,
            cluster: snapshot.cluster.as_ref(),
            cluster_class: snapshot.cluster_class.as_ref(),
            infra_cluster: snapshot.infra_cluster.as_ref(),
            control_plane: snapshot.control_plane.as_ref(),
            machine_deployments: snapshot.machine_deployments.iter().collect(),
            machine_pools: snapshot.machine_pools.iter().collect(),
            machine_sets: snapshot.machine_sets.iter().collect(),
            machines: snapshot.machines.iter().collect(),
            machine_deployment: snapshot.owning_machine_deployment.as_ref(),
            other_machine_sets: snapshot.other_machine_sets.iter().collect(),
            bootstrap_template: snapshot.bootstrap_template.as_ref(),
            machine_set: snapshot.owning_machine_set.as_ref(),
            bootstrap_config: snapshot.bootstrap_config.as_ref(),
            infra_machine: snapshot.infra_machine.as_ref(),
            infra_machine_pool: snapshot.infra_machine_pool.as_ref(),
            node: snapshot.node.as_ref(),
            nodes: snapshot.nodes.iter().collect(),
            pods: snapshot.pods.as_ref().map(|pods| pods.iter().collect()),
            kubeadm_configs: &snapshot.kubeadm_configs,
            infra_machines: &snapshot.infra_machines,
            observed: &snapshot.observed,
        }
    }
}
