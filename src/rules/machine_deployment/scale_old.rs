#![doc = include_str!("scale_old.md")]

use super::rollout::{Act, Rolling, Rollout, available, on_delete};
use crate::table::{Table, facts, otherwise, row};

/// How many machines the old MachineSets keep.
#[rustfmt::skip]
pub static SCALE_OLD: Table<Rollout> = Table {
    id: "MD-OLD",
    kind: "MachineDeployment",
    condition: "ScaleOld",
    about: "The room is what all MachineSets want, less the Machines that go anyway, less those that have to stay available, less those of the current MachineSet that are not available. From the oldest MachineSet on, first as many Machines go as are not available, then others; every Machine that goes may be an available one.",
    source: "Cluster API v1.14.2, MachineDeployment controller",
    facts: facts![old, available, min_available, going, room],
    rows: &[
        //   row         when                     then
        row!("MD-OLD-1", nothing_old           => nothing),
        row!("MD-OLD-2", on_delete             => act ShrinkOnDelete),
        row!("MD-OLD-3", no_room               => nothing),
        row!("MD-OLD-4", otherwise             => act Shrink),
    ],
};

fn min_available(r: &Rolling<'_>) -> i64 {
    r.plan.min_available()
}

fn going(r: &Rolling<'_>) -> i64 {
    r.plan.going()
}

fn room(r: &Rolling<'_>) -> i64 {
    r.plan.room()
}

fn old(r: &Rolling<'_>) -> i64 {
    r.plan.sum_of_old(|set| set.spec)
}

/// Old MachineSets have no replicas.
fn nothing_old(r: &Rolling<'_>) -> bool {
    old(r) == 0
}

/// No Machine may go without fewer being available than the strategy allows.
fn no_room(r: &Rolling<'_>) -> bool {
    room(r) == 0
}
