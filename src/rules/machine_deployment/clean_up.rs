#![doc = include_str!("clean_up.md")]

use super::planner::Set;
use super::rollout::{Act, Rolling, Rollout, available, wanted};
use crate::table::{Table, facts, otherwise, row};

/// Whether an old MachineSet is deleted.
#[rustfmt::skip]
pub static CLEAN_UP: Table<Rollout> = Table {
    id: "MD-CLN",
    kind: "MachineDeployment",
    condition: "CleanUp",
    about: "Decided for each old MachineSet, from the oldest on, once the rollout is complete. A MachineSet whose specification has just changed waits until its controller has seen that.",
    source: "Cluster API v1.14.2, MachineDeployment controller",
    facts: facts![wanted, machines, available, up_to_date],
    rows: &[
        //   row         when                                               then
        row!("MD-CLN-1", rollout_incomplete or generation_not_observed   => nothing),
        row!("MD-CLN-2", set_in_deletion or set_in_use                   => nothing),
        row!("MD-CLN-3", set_not_observed                                => nothing),
        row!("MD-CLN-4", otherwise                                       => act Delete),
    ],
};

fn machines(r: &Rolling<'_>) -> i64 {
    r.plan.sum(Set::replicas)
}

fn up_to_date(r: &Rolling<'_>) -> i64 {
    r.plan.sum(Set::up_to_date)
}

/// Not as many Machines as wanted are there, available and up to date.
fn rollout_incomplete(r: &Rolling<'_>) -> bool {
    [machines(r), available(r), up_to_date(r)].iter().any(|count| *count != wanted(r))
}

/// The MachineDeployment's controller has not observed its last change yet.
fn generation_not_observed(r: &Rolling<'_>) -> bool {
    let deployment = r.input().object;
    deployment.status.observed_generation < deployment.metadata.generation
}

/// The MachineSet is being deleted.
fn set_in_deletion(r: &Rolling<'_>) -> bool {
    r.set.as_ref().and_then(|set| set.stored).is_none_or(|stored| stored.metadata.in_deletion())
}

/// The MachineSet has Machines, or is to have some.
fn set_in_use(r: &Rolling<'_>) -> bool {
    r.of_set(Set::replicas) != 0 || r.of_set(Set::wanted) != 0
}

/// The MachineSet's controller has not observed its last change yet, or the change is still to be written.
fn set_not_observed(r: &Rolling<'_>) -> bool {
    r.set.as_ref().is_some_and(|set| {
        let observed = |stored: &crate::view::MachineSet<'_>| {
            stored.status.observed_generation >= stored.metadata.generation
                && !super::apply::changes(r.input(), set, stored)
        };
        !set.stored.is_some_and(observed)
    })
}
