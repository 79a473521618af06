#![doc = include_str!("infrastructure_ready.md")]

use super::{Facts, OfMachinePool, in_deletion, not_set_by_cluster_api};
use crate::table::{Table, facts, otherwise, row};

/// Whether the hosts that a pool stands for are ready.
#[rustfmt::skip]
pub static INFRASTRUCTURE_READY: Table<OfMachinePool> = Table {
    id: "MP-INF",
    kind: "MachinePool",
    condition: "InfrastructureReady",
    about: "The `Ready` condition of the infrastructure; where it has none, whether it was provisioned.",
    source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    facts: facts![infrastructure.reference, infrastructure.found, provisioned, in_deletion; infrastructure.what_is_invalid, infrastructure.kind],
    rows: &[
        // row, when, status, reason, message
        row!("MP-INF-1", only cluster_api, not_set_by_cluster_api => keep),
        row!("MP-INF-2", infrastructure.conditions_invalid        => Unknown, "InvalidConditionReported", "{infrastructure.what_is_invalid}"),
        row!("MP-INF-3", infrastructure.reports("Ready")          => copy infrastructure.mirror("Ready", "Ready")),
        row!("MP-INF-4", infrastructure.found and provisioned     => True, "Ready", ""),
        row!("MP-INF-5", infrastructure.found                     => False, "NotReady", "{infrastructure.kind} status.initialization.provisioned is false"),
        row!("MP-INF-6", infrastructure.unreadable                => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MP-INF-7", provisioned and in_deletion              => False, "ObjectDeleted", "{infrastructure.kind} has been deleted"),
        row!("MP-INF-8", provisioned                              => False, "ObjectDeleted", "{infrastructure.kind} has been deleted while the MachinePool still exists"),
        row!("MP-INF-9", otherwise                                => False, "ObjectDoesNotExist", "{infrastructure.kind} does not exist"),
    ],
};

/// `status.initialization.infrastructureProvisioned` of the MachinePool.
fn provisioned(s: &Facts<'_>) -> bool {
    s.input.machine_pool.status.initialization.infrastructure_provisioned
}
