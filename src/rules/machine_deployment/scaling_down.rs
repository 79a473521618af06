#![doc = include_str!("scaling_down.md")]

use super::{Facts, OfMachineDeployment};
use crate::table::{Table, facts, otherwise, row};

/// Whether machines have to be removed.
#[rustfmt::skip]
pub static SCALING_DOWN: Table<OfMachineDeployment> = Table {
    id: "MD-SDN",
    kind: "MachineDeployment",
    condition: "ScalingDown",
    about: "Compares the wanted replicas, none during deletion, with what the MachineSets count, and says which Machines have been in deletion for more than 15 minutes. True is the transitional state.",
    source: "Cluster API v1.13.6, MachineDeployment controller",
    facts: facts![current_replicas, desired_replicas, stale_machines],
    rows: &[
        //   row         when                       status   reason                   message
        row!("MD-SDN-1", machine_sets_not_listed => Unknown, "InternalError",         CHECK_CONTROLLER_LOGS),
        row!("MD-SDN-2", replicas_not_set        => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("MD-SDN-3", scaling_down_some_stale => True,    "ScalingDown",           scaling_down_naming_stale),
        row!("MD-SDN-4", scaling_down            => True,    "ScalingDown",           scaling_down_from_to),
        row!("MD-SDN-5", otherwise               => False,   "NotScalingDown",        none),
    ],
};

fn current_replicas(s: &Facts<'_>) -> i64 {
    s.scaling.current()
}

fn desired_replicas(s: &Facts<'_>) -> i64 {
    s.scaling.desired()
}

fn stale_machines(s: &Facts<'_>) -> String {
    s.stale.clone().unwrap_or_else(|| "none".to_owned())
}

fn machine_sets_not_listed(s: &Facts<'_>) -> bool {
    !s.input.observed.machine_sets_listed
}

fn replicas_not_set(s: &Facts<'_>) -> bool {
    s.scaling.replicas_not_set()
}

fn scaling_down(s: &Facts<'_>) -> bool {
    s.scaling.down()
}

fn scaling_down_some_stale(s: &Facts<'_>) -> bool {
    scaling_down(s) && s.stale.is_some()
}

fn scaling_down_from_to(s: &Facts<'_>) -> String {
    s.scaling.scaling_down()
}

fn scaling_down_naming_stale(s: &Facts<'_>) -> String {
    format!("{}\n* {}", s.scaling.scaling_down(), s.stale.as_deref().unwrap_or_default())
}
