#![doc = include_str!("deleting.md")]

use super::{Facts, OfMachineSet, in_deletion, machines_not_listed};
use crate::rules::owned_machines::deleting_machines;
use crate::table::{Table, facts, otherwise, row};

/// Whether the MachineSet is being deleted, and what is still in the way.
#[rustfmt::skip]
pub static DELETING: Table<OfMachineSet> = Table {
    id: "MS-DEL",
    kind: "MachineSet",
    condition: "Deleting",
    about: "Says what is left to delete, and which Machines have been in deletion for more than 15 minutes. True is the transitional state.",
    source: "Cluster API v1.13.6, MachineSet controller",
    facts: facts![in_deletion, machines, stale.stale_machines; deleting_machines],
    rows: &[
        //   row         when                   status   reason           message
        row!("MS-DEL-1", machines_not_listed => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MS-DEL-2", not in_deletion     => False,   "NotDeleting",   ""),
        row!("MS-DEL-3", stale.some_stale    => True,    "Deleting",      "{deleting_machines}\n* {stale.stale_machines}"),
        row!("MS-DEL-4", machines > 0        => True,    "Deleting",      "{deleting_machines}"),
        row!("MS-DEL-5", otherwise           => True,    "Deleting",      "Deletion completed"),
    ],
};

/// How many Machines the MachineSet has.
fn machines(s: &Facts<'_>) -> usize {
    s.input.machines.len()
}
