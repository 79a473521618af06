#![doc = include_str!("deadlock.md")]

use super::planner::Set;
use super::rollout::{Act, Rolling, Rollout};
use crate::table::{Table, facts, otherwise, row};

/// Whether a rollout that stands still is helped on.
#[rustfmt::skip]
pub static DEADLOCK: Table<Rollout> = Table {
    id: "MD-DLK",
    kind: "MachineDeployment",
    condition: "Deadlock",
    about: "Machines of old MachineSets that are not available can keep a rollout from going on, since it could be an available one that is deleted. When nothing else moves, one of them goes.",
    source: "Cluster API v1.14.2, MachineDeployment controller",
    facts: facts![old_machines, old_available],
    rows: &[
        //   row         when                                        then
        row!("MD-DLK-1", old_machines_available                   => nothing),
        row!("MD-DLK-2", scaling or current_not_available         => nothing),
        row!("MD-DLK-3", otherwise                                => act BreakDeadlock),
    ],
};

/// Some MachineSet is being scaled.
fn scaling(r: &Rolling<'_>) -> bool {
    r.plan.all().any(|set| set.spec != set.replicas() || set.intent.is_some())
}

fn old_machines(r: &Rolling<'_>) -> i64 {
    r.plan.sum_of_old(Set::replicas)
}

fn old_available(r: &Rolling<'_>) -> i64 {
    r.plan.sum_of_old(Set::available)
}

/// Either no old Machine is left, or all of them are available.
fn old_machines_available(r: &Rolling<'_>) -> bool {
    old_machines(r) == 0 || old_machines(r) == old_available(r)
}

/// Not every Machine of the current MachineSet is available.
fn current_not_available(r: &Rolling<'_>) -> bool {
    r.plan.of_current(Set::available) != r.plan.of_current(Set::replicas)
}
