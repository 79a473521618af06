#![doc = include_str!("move_machines.md")]

use super::planner::Set;
use super::rollout::{Act, Rolling, Rollout};
use crate::table::{Table, facts, otherwise, row};

/// Whether the machines of an old MachineSet move to the current one, where they are updated in place.
#[rustfmt::skip]
pub static MOVE_MACHINES: Table<Rollout> = Table {
    id: "MD-MOV",
    kind: "MachineDeployment",
    condition: "MoveMachines",
    about: "Decided for each old MachineSet while in-place updates are switched on and the current MachineSet wants more Machines. Machines that move are updated by an extension instead of being deleted.",
    source: "Cluster API v1.14.2, MachineDeployment controller",
    facts: facts![machines, eligible, extension_takes_it],
    rows: &[
        //   row         when                                      then
        row!("MD-MOV-1", machines == 0 or not eligible          => nothing),
        row!("MD-MOV-2", extension_fails                        => act Fail),
        row!("MD-MOV-3", not extension_takes_it                 => nothing),
        row!("MD-MOV-4", otherwise                              => act Move),
    ],
};

/// How many Machines the MachineSet has.
fn machines(r: &Rolling<'_>) -> i64 {
    r.of_set(Set::replicas)
}

/// Its Machines could be updated in place.
fn eligible(r: &Rolling<'_>) -> bool {
    r.set.as_ref().is_some_and(|set| set.eligible)
}

/// The extension that would take the update can't be called.
fn extension_fails(r: &Rolling<'_>) -> bool {
    let fails = &r.input().observed.can_update_in_place_fails;
    r.set.as_ref().is_some_and(|set| fails.iter().any(|name| *name == *set.name()))
}

/// An extension makes the change in place.
fn extension_takes_it(r: &Rolling<'_>) -> bool {
    let takes = &r.input().observed.can_update_in_place;
    r.set.as_ref().is_some_and(|set| takes.iter().any(|name| *name == *set.name()))
}
