#![doc = include_str!("deleting.md")]

use super::{Facts, OfMachineDeployment, in_deletion, machine_sets_not_listed};
use crate::rules::owned_machines::deleting_machines;
use crate::table::{Table, facts, otherwise, row};

/// Whether the MachineDeployment is being deleted, and what is still in the way.
#[rustfmt::skip]
pub static DELETING: Table<OfMachineDeployment> = Table {
    id: "MD-DEL",
    kind: "MachineDeployment",
    condition: "Deleting",
    about: "Says what is left to delete, and which Machines have been in deletion for more than 15 minutes. True is the transitional state.",
    source: "docs/documents.md, MachineDeployment `Deleting`",
    facts: facts![in_deletion, machines, machine_sets, stale.stale_machines; deleting_machines],
    rows: &[
        //   row         when                                      status   reason           message
        row!("MD-DEL-1", machine_sets_not_listed                => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MD-DEL-2", not in_deletion                        => False,   "NotDeleting",   ""),
        row!("MD-DEL-3", machines == 1 and not stale.some_stale => True,    "Deleting",      "Deleting 1 Machine"),
        row!("MD-DEL-4", machines > 1 and not stale.some_stale  => True,    "Deleting",      "Deleting {machines} Machines"),
        row!("MD-DEL-5", stale.some_stale                       => True,    "Deleting",      "{deleting_machines}\n* {stale.stale_machines}"),
        row!("MD-DEL-6", machine_sets > 0                       => True,    "Deleting",      "Deleting {machine_sets} MachineSets"),
        row!("MD-DEL-7", otherwise                              => True,    "Deleting",      "Deletion completed"),
    ],
};

/// How many Machines the MachineDeployment has.
fn machines(s: &Facts<'_>) -> usize {
    s.input.machines.len()
}

/// How many MachineSets the MachineDeployment has.
fn machine_sets(s: &Facts<'_>) -> usize {
    s.input.machine_sets.len()
}
