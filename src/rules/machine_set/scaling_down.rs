#![doc = include_str!("scaling_down.md")]

use super::{OfMachineSet, machines_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether machines have to be removed.
#[rustfmt::skip]
pub static SCALING_DOWN: Table<OfMachineSet> = Table {
    id: "MS-SDN",
    kind: "MachineSet",
    condition: "ScalingDown",
    about: "Compares the wanted replicas, none during deletion, with the Machines, and says which Machines have been in deletion for more than 15 minutes. A Machine that came from another MachineSet counts once the MachineDeployment knows. True is the transitional state.",
    source: "Cluster API v1.13.6, MachineSet controller",
    facts: facts![shrinkage.current_replicas, shrinkage.desired_replicas, stale.stale_machines],
    rows: &[
        //   row         when                                                status   reason                   message
        row!("MS-SDN-1", machines_not_listed                              => Unknown, "InternalError",         CHECK_CONTROLLER_LOGS),
        row!("MS-SDN-2", shrinkage.replicas_not_set                       => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("MS-SDN-3", shrinkage.too_many_replicas and stale.some_stale => True,    "ScalingDown",           "Scaling down from {shrinkage.current_replicas} to {shrinkage.desired_replicas} replicas\n* {stale.stale_machines}"),
        row!("MS-SDN-4", shrinkage.too_many_replicas                      => True,    "ScalingDown",           "Scaling down from {shrinkage.current_replicas} to {shrinkage.desired_replicas} replicas"),
        row!("MS-SDN-5", otherwise                                        => False,   "NotScalingDown",        ""),
    ],
};
