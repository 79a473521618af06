#![doc = include_str!("surge.md")]

use super::rollout::{Act, Rolling, Rollout};
use crate::table::{Table, facts, otherwise, row};

/// Whether machines are made beyond those that are wanted, though others can be updated in place.
#[rustfmt::skip]
pub static SURGE: Table<Rollout> = Table {
    id: "MD-SRG",
    kind: "MachineDeployment",
    condition: "Surge",
    about: "Machines that can be updated in place go before new ones: what `maxSurge` would add is dropped, except for one Machine when nothing else can go on.",
    source: "Cluster API v1.14.2, MachineDeployment controller",
    facts: facts![growth, max_surge],
    rows: &[
        //   row         when                                          then
        row!("MD-SRG-1", surge_used == 0                            => nothing),
        row!("MD-SRG-2", growth_without_surge == 0 and not busy     => act SurgeByOne),
        row!("MD-SRG-3", otherwise                                  => act DropSurge),
    ],
};

/// By how many machines the current MachineSet grows.
pub fn growth(r: &Rolling<'_>) -> i64 {
    r.plan.of_current(|set| set.wanted().saturating_sub(set.spec)).max(0)
}

fn max_surge(r: &Rolling<'_>) -> i64 {
    r.plan.max_surge()
}

/// The same without `maxSurge`.
pub fn growth_without_surge(r: &Rolling<'_>) -> i64 {
    growth(r).saturating_sub(max_surge(r)).max(0)
}

/// How many machines of `maxSurge` are used.
pub fn surge_used(r: &Rolling<'_>) -> i64 {
    growth(r).saturating_sub(growth_without_surge(r))
}

/// Machines come, go or are updated already.
fn busy(r: &Rolling<'_>) -> bool {
    r.plan.busy_before
}
