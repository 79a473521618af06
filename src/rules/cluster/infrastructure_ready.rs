#![doc = include_str!("infrastructure_ready.md")]

use super::{OfCluster, has_topology, provisioned, waiting_for_topology};
use crate::rules::mirrored::mirrored;
use crate::table::{Table, otherwise, row};

/// Whether what the Cluster runs on is ready.
pub static INFRASTRUCTURE_READY: Table<OfCluster> = mirrored! {
    id: "CL-INF", kind: "Cluster", condition: "InfrastructureReady", source: "Cluster API v1.13.6, `internal/controllers/cluster`", about: "The `Ready` condition of the infrastructure cluster; where it has none, whether it was provisioned.",
    first: [row!("CL-INF-1", has_topology and not infrastructure.referenced => False, "ObjectDoesNotExist", "{waiting_for_topology}")], words: [waiting_for_topology], mirrors: infrastructure "Ready" else "NotReady", stand_in: provisioned "provisioned", in_deletion: deletion.in_deletion,
    rows: invalid "CL-INF-2", reported "CL-INF-3", done "CL-INF-4", not_done "CL-INF-5", unreadable "CL-INF-6", deleted "CL-INF-7", too_early [row!("CL-INF-8", provisioned => False, "ObjectDeleted", "{infrastructure.kind} has been deleted while the cluster still exists")], missing "CL-INF-9",
};
