#![doc = include_str!("scaling_up.md")]

use super::{
    Facts, OfMachinePool, available_replicas, available_replicas_not_set, machines_not_listed, not_set_by_cluster_api,
};
use crate::table::{Table, facts, otherwise, row};

/// Whether replicas have to be added.
#[rustfmt::skip]
pub static SCALING_UP: Table<OfMachinePool> = Table {
    id: "MP-SUP",
    kind: "MachinePool",
    condition: "ScalingUp",
    about: "Compares the wanted replicas, none during deletion, with those that are available. True is the transitional state.",
    source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    facts: facts![available_replicas, scaling.desired_replicas],
    rows: &[
        // row, when, status, reason, message
        row!("MP-SUP-1", only cluster_api, not_set_by_cluster_api => keep),
        row!("MP-SUP-2", machines_not_listed                      => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MP-SUP-3", scaling.replicas_not_set                 => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("MP-SUP-4", available_replicas_not_set               => Unknown, "WaitingForAvailableReplicasSet", "Waiting for status.availableReplicas set"),
        row!("MP-SUP-5", too_few_available                        => True, "ScalingUp", "Scaling up from {available_replicas} to {scaling.desired_replicas} replicas"),
        row!("MP-SUP-6", otherwise                                => False, "NotScalingUp", ""),
    ],
};

/// `available_replicas < desired_replicas`.
fn too_few_available(s: &Facts<'_>) -> bool {
    available_replicas(s) < s.scaling.desired_replicas()
}
