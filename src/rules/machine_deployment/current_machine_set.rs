#![doc = include_str!("current_machine_set.md")]

use super::rollout::Act;
use super::rollout::{Rolling, Rollout};
use crate::table::{Table, facts, otherwise, row};

/// Which MachineSet has the template that the MachineDeployment wants.
#[rustfmt::skip]
pub static CURRENT_MACHINE_SET: Table<Rollout> = Table {
    id: "MD-CUR",
    kind: "MachineDeployment",
    condition: "CurrentMachineSet",
    about: "Decided for each of its MachineSets, the largest first, then the oldest. Labels, annotations, `minReadySeconds`, readiness gates, timeouts of a deletion and taints change in place and make no difference. After `spec.rollout.after` only MachineSets count that were created later.",
    source: "Cluster API v1.14.2, MachineDeployment controller",
    facts: facts![differences, eligible_for_in_place_update],
    rows: &[
        //   row         when                                          then
        row!("MD-CUR-1", template_differs and outlived              => act ReplaceWithNew),
        row!("MD-CUR-2", template_differs                           => act Replace),
        row!("MD-CUR-3", outlived or current_machine_set_found      => act ReplaceWithNew),
        row!("MD-CUR-4", otherwise                                  => act Keep),
    ],
};

fn differences(r: &Rolling<'_>) -> String {
    let mut details: Vec<&str> = r.set.iter().flat_map(|set| &set.differences).map(|d| &*d.detail).collect();
    if template_differs(r) && outlived(r) {
        details.push(EXPIRED);
    }
    details.join("; ")
}

/// The note about a MachineSet that was created before `spec.rollout.after`.
pub const EXPIRED: &str = "MachineDeployment spec.rolloutAfter expired";

fn eligible_for_in_place_update(r: &Rolling<'_>) -> bool {
    template_differs(r) && !outlived(r)
}

/// The MachineSet's template differs from the MachineDeployment's in a field that needs new Machines.
fn template_differs(r: &Rolling<'_>) -> bool {
    r.set.as_ref().is_some_and(|set| !set.differences.is_empty())
}

/// The MachineSet was created before `spec.rollout.after`, which has passed.
fn outlived(r: &Rolling<'_>) -> bool {
    let created = r.set.as_ref().and_then(|set| set.stored).and_then(|stored| stored.metadata.creation_timestamp);
    r.plan.rollout_after().is_some_and(|after| created.is_none_or(|created| created < after))
}

/// A MachineSet before this one is the current one.
fn current_machine_set_found(r: &Rolling<'_>) -> bool {
    r.plan.current.is_some()
}
