#![doc = include_str!("scaling_down.md")]

use super::{Facts, OfMachineSet};
use crate::table::{Table, facts, otherwise, row};

/// Whether machines have to be removed.
#[rustfmt::skip]
pub static SCALING_DOWN: Table<OfMachineSet> = Table {
    id: "MS-SDN",
    kind: "MachineSet",
    condition: "ScalingDown",
    about: "Compares the wanted replicas, none during deletion, with the Machines, and says which Machines have been in deletion for more than 15 minutes. A Machine that came from another MachineSet counts once the MachineDeployment knows. True is the transitional state.",
    source: "Cluster API v1.13.6, MachineSet controller",
    facts: facts![current_replicas, desired_replicas, stale_machines],
    rows: &[
        //   row         when                       status   reason                   message
        row!("MS-SDN-1", machines_not_listed     => Unknown, "InternalError",         CHECK_CONTROLLER_LOGS),
        row!("MS-SDN-2", replicas_not_set        => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("MS-SDN-3", scaling_down_some_stale => True,    "ScalingDown",           scaling_down_naming_stale),
        row!("MS-SDN-4", scaling_down            => True,    "ScalingDown",           scaling_down_from_to),
        row!("MS-SDN-5", otherwise               => False,   "NotScalingDown",        none),
    ],
};

fn current_replicas(s: &Facts<'_>) -> i64 {
    s.shrinkage.current()
}

fn desired_replicas(s: &Facts<'_>) -> i64 {
    s.shrinkage.desired()
}

fn stale_machines(s: &Facts<'_>) -> String {
    s.stale.clone().unwrap_or_else(|| "none".to_owned())
}

fn machines_not_listed(s: &Facts<'_>) -> bool {
    !s.input.observed.machines_listed
}

fn replicas_not_set(s: &Facts<'_>) -> bool {
    s.shrinkage.replicas_not_set()
}

fn scaling_down(s: &Facts<'_>) -> bool {
    s.shrinkage.down()
}

fn scaling_down_some_stale(s: &Facts<'_>) -> bool {
    scaling_down(s) && s.stale.is_some()
}

fn scaling_down_from_to(s: &Facts<'_>) -> String {
    s.shrinkage.scaling_down()
}

fn scaling_down_naming_stale(s: &Facts<'_>) -> String {
    format!("{}\n* {}", s.shrinkage.scaling_down(), s.stale.as_deref().unwrap_or_default())
}
