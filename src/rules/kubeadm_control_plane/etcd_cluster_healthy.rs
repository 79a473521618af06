#![doc = include_str!("etcd_cluster_healthy.md")]

use super::OfKubeadmControlPlane;
use super::inspection::inspected;
use crate::table::{Table, otherwise, row};

/// Whether etcd is healthy.
#[rustfmt::skip]
pub static ETCD_CLUSTER_HEALTHY: Table<OfKubeadmControlPlane> = inspected! {
    id: "KCP-ECH", condition: "EtcdClusterHealthy", about: "What the Machines report about their members of etcd, and members that no Machine accounts for. Where etcd is external or was not read, the condition stays as it is.", facts: [etcd_members.failing, etcd_members.unknown, members.known, members.matching; etcd_members.message],
    not_read "KCP-ECH-1", waits "KCP-ECH-2" "KCP-ECH-3" "KCP-ECH-4", etcd_remembered "KCP-ECH-5", connection "KCP-ECH-6" "KCP-ECH-7", client "KCP-ECH-8",
    rows: [
        row!("KCP-ECH-9",  inspection.etcd_not_read            => keep),
        row!("KCP-ECH-10", inspection.nodes_not_listed         => Unknown, "InspectionFailed", "Failed to get Nodes hosting the etcd cluster"),
        row!("KCP-ECH-11", etcd_members.failing                => False, "NotHealthy", "{etcd_members.message}"),
        row!("KCP-ECH-12", etcd_members.unknown                => Unknown, "HealthUnknown", "{etcd_members.message}"),
        row!("KCP-ECH-13", etcd_members.fine                   => True, "Healthy", ""),
        row!("KCP-ECH-14", otherwise                           => Unknown, "HealthUnknown", "No Machines reporting etcd member status"),
    ],
};
