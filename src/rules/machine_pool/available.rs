#![doc = include_str!("available.md")]

use super::{
    Facts, OfMachinePool, available_replicas, available_replicas_not_set, in_deletion, machines_not_listed,
    not_set_by_cluster_api,
};
use crate::table::{Table, facts, otherwise, row};

/// Whether the infrastructure is ready and enough replicas are available.
#[rustfmt::skip]
pub static AVAILABLE: Table<OfMachinePool> = Table {
    id: "MP-AVL",
    kind: "MachinePool",
    condition: "Available",
    about: "The infrastructure is ready, and no replica is missing. Where the infrastructure has Machines, those whose `Available` is True are counted; else the counter in the status says how many are available.",
    source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    facts: facts![available_replicas, scaling.desired_replicas, infrastructure_status, in_deletion; replicas],
    rows: &[
        // row, when, status, reason, message
        row!("MP-AVL-1", only cluster_api, not_set_by_cluster_api  => keep),
        row!("MP-AVL-2", machines_not_listed                       => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MP-AVL-3", scaling.replicas_not_set                  => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("MP-AVL-4", available_replicas_not_set                => Unknown, "WaitingForAvailableReplicasSet", "Waiting for status.availableReplicas set"),
        row!("MP-AVL-5", infrastructure_ready and enough_available => True, "Available", ""),
        row!("MP-AVL-6", in_deletion                               => False, "NotAvailable", "Deletion in progress"),
        row!("MP-AVL-7", not infrastructure_ready                  => False, "NotAvailable", "InfrastructureReady is {infrastructure_status}"),
        row!("MP-AVL-8", otherwise                                 => False, "NotAvailable", "{available_replicas} available replicas, at least {replicas} required"),
    ],
};

/// `spec.replicas`.
fn replicas(s: &Facts<'_>) -> i64 {
    s.input.object.spec.replicas.unwrap_or(0)
}

/// No replica is missing.
fn enough_available(s: &Facts<'_>) -> bool {
    available_replicas(s) >= replicas(s)
}

/// The `InfrastructureReady` that was just decided is True.
fn infrastructure_ready(s: &Facts<'_>) -> bool {
    infrastructure_status(s) == "True"
}

/// The status of the `InfrastructureReady` that was just decided.
fn infrastructure_status(s: &Facts<'_>) -> String {
    s.progress.current("InfrastructureReady").map_or_else(String::new, |condition| condition.status.to_owned())
}
