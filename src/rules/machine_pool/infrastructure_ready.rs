#![doc = include_str!("infrastructure_ready.md")]

use super::{Facts, OfMachinePool, in_deletion, not_set_by_cluster_api};
use crate::rules::mirrored::mirrored;
use crate::table::{Table, otherwise, row};

/// Whether the hosts that a pool stands for are ready.
pub static INFRASTRUCTURE_READY: Table<OfMachinePool> = mirrored! {
    id: "MP-INF", kind: "MachinePool", condition: "InfrastructureReady", source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    about: "The `Ready` condition of the infrastructure; where it has none, whether it was provisioned.",
    first: [row!("MP-INF-1", only cluster_api, not_set_by_cluster_api => keep)], words: [],
    mirrors: infrastructure "Ready" else "NotReady", stand_in: provisioned "provisioned", in_deletion: in_deletion,
    rows: invalid "MP-INF-2", reported "MP-INF-3", done "MP-INF-4", not_done "MP-INF-5", unreadable "MP-INF-6", deleted "MP-INF-7", too_early [row!("MP-INF-8", provisioned => False, "ObjectDeleted", "{infrastructure.kind} has been deleted while the MachinePool still exists")], missing "MP-INF-9",
};

/// `status.initialization.infrastructureProvisioned` of the MachinePool.
fn provisioned(s: &Facts<'_>) -> bool {
    s.input.object.status.initialization.infrastructure_provisioned
}
