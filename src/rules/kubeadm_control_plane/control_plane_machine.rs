//! A Machine of a control plane while the control plane is inspected: the facts of the tables that decide its conditions.

use super::inspection::Inspection;
use super::kubeadm_config::same_as_wanted;
use super::members::Members;
use crate::progress::Progress;
use crate::table::{in_progress, subject};
use crate::view::{ExternalObject, KubeadmConfig, KubeadmControlPlane, Machine, Node, Pod, annotation};

/// The label that kubeadm gives the Nodes of control planes, and the key of their taint.
pub const CONTROL_PLANE_ROLE: &str = "node-role.kubernetes.io/control-plane";

/// A Machine of a control plane.
pub struct OfControlPlaneMachine;

subject!(OfControlPlaneMachine, Inspected, ());

/// What the guards read.
pub struct Inspected<'a> {
    /// The control plane.
    pub control_plane: &'a KubeadmControlPlane<'a>,
    /// The Machine.
    pub machine: &'a Machine<'a>,
    /// Its Node.
    pub node: Option<&'a Node<'a>>,
    /// How kubeadm set it up.
    pub config: Option<&'a KubeadmConfig<'a>>,
    /// Its infrastructure.
    pub infrastructure: Option<&'a ExternalObject<'a>>,
    /// How far the workload cluster could be inspected.
    pub inspection: &'a Inspection<'a>,
    /// What etcd answered.
    pub members: &'a Members<'a>,
    /// What is decided about the Machine.
    pub progress: Progress<'a>,
}

in_progress!(Inspected);

impl<'a> Inspected<'a> {
    /// The Pod of a component on the Machine's Node.
    pub fn pod(&self, component: &str) -> Option<&'a Pod<'a>> {
        let name = self.pod_name(component);
        self.inspection.pods.iter().copied().find(|pod| pod.metadata.name == *name)
    }

    /// Whether the Pod of a component can't be read.
    pub fn pod_unreadable(&self, component: &str) -> bool {
        let name = self.pod_name(component);
        self.inspection.unreadable_pods.iter().any(|pod| *pod == *name)
    }

    fn pod_name(&self, component: &str) -> String {
        format!("{component}-{}", self.machine.status.node_ref.name)
    }

    /// kubeadm would set the Machine up in another way now.
    pub fn config_differs(&self) -> bool {
        let config = self.config.filter(|_| self.machine.spec.bootstrap.config_ref.is_defined());
        config.is_some_and(|config| !same_as_wanted(config, self.control_plane))
    }

    /// The Machine's infrastructure was made from another template.
    pub fn infrastructure_differs(&self) -> bool {
        let wanted = &self.control_plane.spec.machine_template.spec.infrastructure_ref;
        let Some(metadata) = self.infrastructure.map(|object| &object.metadata) else { return false };
        let name = metadata.annotation(annotation::CLONED_FROM_NAME);
        let group_kind = metadata.annotation(annotation::CLONED_FROM_GROUP_KIND);
        name.zip(group_kind).is_some_and(|(name, group_kind)| {
            *name != wanted.name || **group_kind != *format!("{}.{}", wanted.kind, wanted.api_group)
        })
    }
}
