#![doc = include_str!("scaling_down.md")]

use super::{OfMachinePool, machines_not_listed, not_set_by_cluster_api};
use crate::table::{Table, facts, otherwise, row};

/// Whether replicas have to be removed.
#[rustfmt::skip]
pub static SCALING_DOWN: Table<OfMachinePool> = Table {
    id: "MP-SDN",
    kind: "MachinePool",
    condition: "ScalingDown",
    about: "Compares the wanted replicas, none during deletion, with those that the infrastructure has, and says which Machines have been in deletion for more than 15 minutes. True is the transitional state.",
    source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    facts: facts![scaling.current_replicas, scaling.desired_replicas, stale.stale_machines],
    rows: &[
        // row, when, status, reason, message
        row!("MP-SDN-1", only cluster_api, not_set_by_cluster_api       => keep),
        row!("MP-SDN-2", machines_not_listed                            => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MP-SDN-3", scaling.replicas_not_set                       => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("MP-SDN-4", scaling.too_many_replicas and stale.some_stale => True, "ScalingDown", "Scaling down from {scaling.current_replicas} to {scaling.desired_replicas} replicas\n* {stale.stale_machines}"),
        row!("MP-SDN-5", scaling.too_many_replicas                      => True, "ScalingDown", "Scaling down from {scaling.current_replicas} to {scaling.desired_replicas} replicas"),
        row!("MP-SDN-6", otherwise                                      => False, "NotScalingDown", ""),
    ],
};
