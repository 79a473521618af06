#![doc = include_str!("controller_manager_pod_healthy.md")]

use super::control_plane_machine::OfControlPlaneMachine;
use super::machine_facts::{
    deleting, infrastructure_kind, node_gone, node_name, node_ready_unknown, node_unreachable, provider_id,
    without_node, without_provider_id,
};
use super::static_pod::static_pod_facts;
use crate::table::{Table, facts, otherwise, row};

static_pod_facts!("kube-controller-manager");

/// Whether the controller manager runs on a control-plane Machine.
#[rustfmt::skip]
pub static CONTROLLER_MANAGER_POD_HEALTHY: Table<OfControlPlaneMachine> = Table {
    id: "KCP-CM",
    kind: "KubeadmControlPlane",
    condition: "ControllerManagerPodHealthy",
    about: "Whether the static Pod of the controller manager runs on the Node of a control-plane Machine.",
    source: "Cluster API v1.14.2, `controlplane/kubeadm`",
    facts: facts![node_name, deleting, phase; infrastructure_kind, provider_id, node_list_error, waiting_for, terminated_by, inspection.last_probe],
    rows: &[
        // row, when, status, reason, message
        row!("KCP-CM-1",  inspection.too_early_for_machines   => keep),
        row!("KCP-CM-2",  inspection.waits_for_initialization => Unknown, "InspectionFailed", "Waiting for Cluster control plane to be initialized"),
        row!("KCP-CM-3",  inspection.components_remembered    => keep),
        row!("KCP-CM-4",  inspection.not_connected_yet        => Unknown, "ConnectionDown",   "Remote connection not established yet"),
        row!("KCP-CM-5",  inspection.connection_down          => Unknown, "ConnectionDown",   "{inspection.last_probe}"),
        row!("KCP-CM-6",  inspection.no_client                => Unknown, "InspectionFailed", CHECK_CONTROLLER_LOGS),
        row!("KCP-CM-7",  inspection.nodes_not_listed         => Unknown, "InspectionFailed", "Failed to get the Node hosting the Pod: {node_list_error}"),
        row!("KCP-CM-8",  deleting                            => False, "Deleting", "Machine is deleting"),
        row!("KCP-CM-9",  without_provider_id                 => Unknown, "InspectionFailed", "Waiting for {infrastructure_kind} to report spec.providerID"),
        row!("KCP-CM-10", without_node                        => Unknown, "InspectionFailed", "Waiting for a Node with spec.providerID {provider_id} to exist"),
        row!("KCP-CM-11", node_gone                           => Unknown, "InspectionFailed", "Node {node_name} does not exist"),
        row!("KCP-CM-12", node_unreachable                    => Unknown, "InspectionFailed", "Node {node_name} is unreachable"),
        row!("KCP-CM-13", node_ready_unknown                  => Unknown, "InspectionFailed", "Node Ready condition is Unknown, Pod data might be stale"),
        row!("KCP-CM-14", unreadable                          => Unknown, "InspectionFailed", CHECK_CONTROLLER_LOGS),
        row!("KCP-CM-15", missing                             => False, "DoesNotExist", "Pod does not exist"),
        row!("KCP-CM-16", pending and not scheduled           => False, "Provisioning", "Waiting to be scheduled"),
        row!("KCP-CM-17", pending and not initialized         => False, "Provisioning", "Running init containers"),
        row!("KCP-CM-18", pending                             => False, "Provisioning", ""),
        row!("KCP-CM-19", running and ready                   => True, "Running", ""),
        row!("KCP-CM-20", running and waiting and crashed     => False, "Failed", "{waiting_for}"),
        row!("KCP-CM-21", running and waiting                 => False, "Provisioning", "{waiting_for}"),
        row!("KCP-CM-22", running and terminated              => False, "Failed", "{terminated_by}"),
        row!("KCP-CM-23", running                             => False, "Provisioning", "Waiting for startup or readiness probes"),
        row!("KCP-CM-24", ended                               => False, "Failed", "All the containers have been terminated"),
        row!("KCP-CM-25", phase_unknown                       => Unknown, "InspectionFailed", "Pod is reporting Unknown status"),
        row!("KCP-CM-26", otherwise                           => keep),
    ],
};
