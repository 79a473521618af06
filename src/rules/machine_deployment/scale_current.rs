#![doc = include_str!("scale_current.md")]

use super::rollout::{Act, Rolling, Rollout, machines, surge, wanted};
use crate::table::{Table, facts, otherwise, row};

/// How many machines the current MachineSet gets.
#[rustfmt::skip]
pub static SCALE_CURRENT: Table<Rollout> = Table {
    id: "MD-UP",
    kind: "MachineDeployment",
    condition: "ScaleCurrent",
    about: "The current MachineSet grows by as many Machines as all MachineSets together may have: `spec.replicas` plus `maxSurge` (none with `OnDelete`). Machines count that exist or are wanted.",
    source: "Cluster API v1.14.2, MachineDeployment controller",
    facts: facts![wanted, current, machines, max_surge],
    rows: &[
        //   row        when                          then
        row!("MD-UP-1", current_complete           => nothing),
        row!("MD-UP-2", current_too_large          => act Align),
        row!("MD-UP-3", max_surge_unreadable       => act Fail),
        row!("MD-UP-4", no_room                    => nothing),
        row!("MD-UP-5", otherwise                  => act Grow),
    ],
};

fn current(r: &Rolling<'_>) -> i64 {
    r.plan.of_current(|set| set.spec)
}

fn max_surge(r: &Rolling<'_>) -> i64 {
    surge(r).unwrap_or(0)
}

/// The current MachineSet has as many replicas as the MachineDeployment wants.
fn current_complete(r: &Rolling<'_>) -> bool {
    current(r) == wanted(r)
}

/// The current MachineSet has more replicas than the MachineDeployment wants.
fn current_too_large(r: &Rolling<'_>) -> bool {
    current(r) > wanted(r)
}

/// `maxSurge` is neither a number nor a percentage.
fn max_surge_unreadable(r: &Rolling<'_>) -> bool {
    surge(r).is_none()
}

/// How many machines may come.
pub fn room(r: &Rolling<'_>) -> i64 {
    wanted(r).saturating_add(max_surge(r)).saturating_sub(machines(r))
}

/// There are as many Machines as `spec.replicas` and `maxSurge` allow.
fn no_room(r: &Rolling<'_>) -> bool {
    room(r) <= 0
}
