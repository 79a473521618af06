#![doc = include_str!("scaling_down.md")]

use super::{OfMachineDeployment, machine_sets_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether machines have to be removed.
#[rustfmt::skip]
pub static SCALING_DOWN: Table<OfMachineDeployment> = Table {
    id: "MD-SDN",
    kind: "MachineDeployment",
    condition: "ScalingDown",
    about: "Compares the wanted replicas, none during deletion, with what the MachineSets count, and says which Machines have been in deletion for more than 15 minutes. True is the transitional state.",
    source: "Cluster API v1.13.6, MachineDeployment controller",
    facts: facts![scaling.current_replicas, scaling.desired_replicas, stale.stale_machines],
    rows: &[
        //   row         when                                              status   reason                   message
        row!("MD-SDN-1", machine_sets_not_listed                        => Unknown, "InternalError",         CHECK_CONTROLLER_LOGS),
        row!("MD-SDN-2", scaling.replicas_not_set                       => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("MD-SDN-3", scaling.too_many_replicas and stale.some_stale => True,    "ScalingDown",           "Scaling down from {scaling.current_replicas} to {scaling.desired_replicas} replicas\n* {stale.stale_machines}"),
        row!("MD-SDN-4", scaling.too_many_replicas                      => True,    "ScalingDown",           "Scaling down from {scaling.current_replicas} to {scaling.desired_replicas} replicas"),
        row!("MD-SDN-5", otherwise                                      => False,   "NotScalingDown",        ""),
    ],
};
