#![doc = include_str!("etcd_pod_healthy.md")]

use super::control_plane_machine::OfControlPlaneMachine;
use super::machine_facts::{
    deleting, infrastructure_kind, node_gone, node_name, node_ready_unknown, node_unreachable, provider_id,
    without_node, without_provider_id,
};
use super::static_pod::static_pod_facts;
use crate::table::{Table, facts, otherwise, row};

static_pod_facts!("etcd");

/// Whether etcd runs on a control-plane Machine.
#[rustfmt::skip]
pub static ETCD_POD_HEALTHY: Table<OfControlPlaneMachine> = Table {
    id: "KCP-EPH",
    kind: "KubeadmControlPlane",
    condition: "EtcdPodHealthy",
    about: "Whether the static Pod of etcd runs on the Node of a control-plane Machine.",
    source: "Cluster API v1.14.2, `controlplane/kubeadm`",
    facts: facts![node_name, deleting, phase; infrastructure_kind, provider_id, node_list_error, waiting_for, terminated_by, inspection.last_probe],
    rows: &[
        // row, when, status, reason, message
        row!("KCP-EPH-1",  inspection.too_early_for_machines   => keep),
        row!("KCP-EPH-2",  not manages_etcd                    => keep),
        row!("KCP-EPH-3",  inspection.waits_for_initialization => Unknown, "InspectionFailed", "Waiting for Cluster control plane to be initialized"),
        row!("KCP-EPH-4",  inspection.components_remembered    => keep),
        row!("KCP-EPH-5",  inspection.not_connected_yet        => Unknown, "ConnectionDown",   "Remote connection not established yet"),
        row!("KCP-EPH-6",  inspection.connection_down          => Unknown, "ConnectionDown",   "{inspection.last_probe}"),
        row!("KCP-EPH-7",  inspection.no_client                => Unknown, "InspectionFailed", CHECK_CONTROLLER_LOGS),
        row!("KCP-EPH-8",  inspection.nodes_not_listed         => Unknown, "InspectionFailed", "Failed to get the Node hosting the Pod: {node_list_error}"),
        row!("KCP-EPH-9",  deleting                            => False, "Deleting", "Machine is deleting"),
        row!("KCP-EPH-10", without_provider_id                 => Unknown, "InspectionFailed", "Waiting for {infrastructure_kind} to report spec.providerID"),
        row!("KCP-EPH-11", without_node                        => Unknown, "InspectionFailed", "Waiting for a Node with spec.providerID {provider_id} to exist"),
        row!("KCP-EPH-12", node_gone                           => Unknown, "InspectionFailed", "Node {node_name} does not exist"),
        row!("KCP-EPH-13", node_unreachable                    => Unknown, "InspectionFailed", "Node {node_name} is unreachable"),
        row!("KCP-EPH-14", node_ready_unknown                  => Unknown, "InspectionFailed", "Node Ready condition is Unknown, Pod data might be stale"),
        row!("KCP-EPH-15", unreadable                          => Unknown, "InspectionFailed", CHECK_CONTROLLER_LOGS),
        row!("KCP-EPH-16", missing                             => False, "DoesNotExist", "Pod does not exist"),
        row!("KCP-EPH-17", pending and not scheduled           => False, "Provisioning", "Waiting to be scheduled"),
        row!("KCP-EPH-18", pending and not initialized         => False, "Provisioning", "Running init containers"),
        row!("KCP-EPH-19", pending                             => False, "Provisioning", ""),
        row!("KCP-EPH-20", running and ready                   => True, "Running", ""),
        row!("KCP-EPH-21", running and waiting and crashed     => False, "Failed", "{waiting_for}"),
        row!("KCP-EPH-22", running and waiting                 => False, "Provisioning", "{waiting_for}"),
        row!("KCP-EPH-23", running and terminated              => False, "Failed", "{terminated_by}"),
        row!("KCP-EPH-24", running                             => False, "Provisioning", "Waiting for startup or readiness probes"),
        row!("KCP-EPH-25", ended                               => False, "Failed", "All the containers have been terminated"),
        row!("KCP-EPH-26", phase_unknown                       => Unknown, "InspectionFailed", "Pod is reporting Unknown status"),
        row!("KCP-EPH-27", otherwise                           => keep),
    ],
};

fn manages_etcd(m: &super::control_plane_machine::Inspected<'_>) -> bool {
    m.inspection.manages_etcd
}
