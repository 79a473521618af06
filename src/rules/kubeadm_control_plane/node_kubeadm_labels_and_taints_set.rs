#![doc = include_str!("node_kubeadm_labels_and_taints_set.md")]

use super::control_plane_machine::{CONTROL_PLANE_ROLE, Inspected, OfControlPlaneMachine};
use super::machine_facts::{
    deleting, has_taint, infrastructure_kind, node_gone, node_name, node_unreachable, provider_id, without_node,
    without_provider_id,
};
use crate::table::{Table, facts, otherwise, row};
use crate::view::Taint;

/// Whether the Node of a control-plane Machine is marked as such.
#[rustfmt::skip]
pub static NODE_KUBEADM_LABELS_AND_TAINTS_SET: Table<OfControlPlaneMachine> = Table {
    id: "KCP-NLT",
    kind: "KubeadmControlPlane",
    condition: "NodeKubeadmLabelsAndTaintsSet",
    about: "Whether the Node of a control-plane Machine has the label and the taint that kubeadm sets, so that nothing else is scheduled on it.",
    source: "Cluster API v1.14.2, `controlplane/kubeadm`",
    facts: facts![node_name, deleting, lacks_label, lacks_taint; infrastructure_kind, provider_id, inspection.last_probe],
    rows: &[
        // row, when, status, reason, message
        row!("KCP-NLT-1",  inspection.too_early_for_machines    => keep),
        row!("KCP-NLT-2",  inspection.waits_for_initialization  => Unknown, "InspectionFailed", "Waiting for Cluster control plane to be initialized"),
        row!("KCP-NLT-3",  inspection.components_remembered     => keep),
        row!("KCP-NLT-4",  inspection.not_connected_yet         => Unknown, "ConnectionDown",   "Remote connection not established yet"),
        row!("KCP-NLT-5",  inspection.connection_down           => Unknown, "ConnectionDown",   "{inspection.last_probe}"),
        row!("KCP-NLT-6",  inspection.no_client                 => Unknown, "InspectionFailed", CHECK_CONTROLLER_LOGS),
        row!("KCP-NLT-7",  inspection.nodes_not_listed          => Unknown, "InspectionFailed", "Failed to get the Node"),
        row!("KCP-NLT-8",  deleting and no_node                 => False, "Deleting", "Machine is deleting"),
        row!("KCP-NLT-9",  not deleting and without_provider_id => Unknown, "InspectionFailed", "Waiting for {infrastructure_kind} to report spec.providerID"),
        row!("KCP-NLT-10", not deleting and without_node        => Unknown, "InspectionFailed", "Waiting for a Node with spec.providerID {provider_id} to exist"),
        row!("KCP-NLT-11", not deleting and node_gone           => Unknown, "InspectionFailed", "Node {node_name} does not exist"),
        row!("KCP-NLT-12", not deleting and node_unreachable    => Unknown, "InspectionFailed", "Node {node_name} is unreachable"),
        row!("KCP-NLT-13", lacks_label and lacks_taint          => False, "NotSet", "Node {node_name} does not have the node-role.kubernetes.io/control-plane label and the node-role.kubernetes.io/control-plane:NoSchedule taint"),
        row!("KCP-NLT-14", lacks_label                          => False, "NotSet", "Node {node_name} does not have the node-role.kubernetes.io/control-plane label"),
        row!("KCP-NLT-15", lacks_taint                          => False, "NotSet", "Node {node_name} does not have the node-role.kubernetes.io/control-plane:NoSchedule taint"),
        row!("KCP-NLT-16", otherwise                            => True, "Set", ""),
    ],
};

/// The Machine's Node does not exist.
fn no_node(m: &Inspected<'_>) -> bool {
    m.node.is_none()
}

/// The Node does not have kubeadm's label.
fn lacks_label(m: &Inspected<'_>) -> bool {
    m.node.is_none_or(|node| node.metadata.label(CONTROL_PLANE_ROLE).is_none())
}

/// The Node should have kubeadm's taint and does not: kubeadm sets it unless the KubeadmConfig lists the taints.
fn lacks_taint(m: &Inspected<'_>) -> bool {
    let ours = |taints: &[Taint<'_>]| has_taint(taints, CONTROL_PLANE_ROLE, "NoSchedule");
    let registered = m.config.is_some_and(|config| config.taints().is_none_or(|taints| ours(&taints)));
    let expected = ours(&m.machine.spec.taints) || registered;
    expected && !m.node.is_some_and(|node| ours(&node.spec.taints))
}
