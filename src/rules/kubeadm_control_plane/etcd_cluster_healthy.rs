#![doc = include_str!("etcd_cluster_healthy.md")]

use super::OfKubeadmControlPlane;
use crate::table::{Table, facts, otherwise, row};

/// Whether etcd is healthy.
#[rustfmt::skip]
pub static ETCD_CLUSTER_HEALTHY: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-ECH",
    kind: "KubeadmControlPlane",
    condition: "EtcdClusterHealthy",
    about: "What the Machines report about their members of etcd, and members that no Machine accounts for. Where etcd is external or nobody asked it, the condition stays as it is.",
    source: "Cluster API v1.14.2, `controlplane/kubeadm`",
    facts: facts![etcd_members.failing, etcd_members.unknown, members.known, members.matching; etcd_members.message, inspection.last_probe],
    rows: &[
        // row, when, status, reason, message
        row!("KCP-ECH-1",  inspection.not_read                 => keep),
        row!("KCP-ECH-2",  inspection.waits_for_infrastructure => Unknown, "InspectionFailed", "Waiting for Cluster status.infrastructureReady to be true"),
        row!("KCP-ECH-3",  inspection.waits_for_endpoint       => Unknown, "InspectionFailed", "Waiting for Cluster spec.controlPlaneEndpoint to be set"),
        row!("KCP-ECH-4",  inspection.waits_for_initialization => Unknown, "InspectionFailed", "Waiting for Cluster control plane to be initialized"),
        row!("KCP-ECH-5",  inspection.etcd_remembered          => keep),
        row!("KCP-ECH-6",  inspection.not_connected_yet        => Unknown, "ConnectionDown",   "Remote connection not established yet"),
        row!("KCP-ECH-7",  inspection.connection_down          => Unknown, "ConnectionDown",   "{inspection.last_probe}"),
        row!("KCP-ECH-8",  inspection.no_client                => Unknown, "InspectionFailed", CHECK_CONTROLLER_LOGS),
        row!("KCP-ECH-9",  inspection.etcd_not_read            => keep),
        row!("KCP-ECH-10", inspection.nodes_not_listed         => Unknown, "InspectionFailed", "Failed to get Nodes hosting the etcd cluster"),
        row!("KCP-ECH-11", etcd_members.failing                => False, "NotHealthy", "{etcd_members.message}"),
        row!("KCP-ECH-12", etcd_members.unknown                => Unknown, "HealthUnknown", "{etcd_members.message}"),
        row!("KCP-ECH-13", etcd_members.fine                   => True, "Healthy", ""),
        row!("KCP-ECH-14", otherwise                           => Unknown, "HealthUnknown", "No Machines reporting etcd member status"),
    ],
};
