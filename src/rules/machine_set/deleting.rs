#![doc = include_str!("deleting.md")]

use super::{Facts, OfMachineSet};
use crate::rules::replica_counters::number;
use crate::table::{Table, facts, otherwise, row};
use crate::text::count;

/// Whether the MachineSet is being deleted, and what is still in the way.
#[rustfmt::skip]
pub static DELETING: Table<OfMachineSet> = Table {
    id: "MS-DEL",
    kind: "MachineSet",
    condition: "Deleting",
    about: "Says what is left to delete, and which Machines have been in deletion for more than 15 minutes. True is the transitional state.",
    source: "Cluster API v1.13.6, MachineSet controller",
    facts: facts![in_deletion, machines, stale_machines],
    rows: &[
        //   row         when                   status   reason           message
        row!("MS-DEL-1", machines_not_listed => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MS-DEL-2", not_deleted         => False,   "NotDeleting",   none),
        row!("MS-DEL-3", machines_some_stale => True,    "Deleting",      deleting_machines_naming_stale),
        row!("MS-DEL-4", machines_remain     => True,    "Deleting",      deleting_machines),
        row!("MS-DEL-5", otherwise           => True,    "Deleting",      "Deletion completed"),
    ],
};

fn in_deletion(s: &Facts<'_>) -> bool {
    s.input.machine_set.metadata.in_deletion()
}

fn machines(s: &Facts<'_>) -> usize {
    s.input.machines.len()
}

fn stale_machines(s: &Facts<'_>) -> String {
    s.stale.clone().unwrap_or_else(|| "none".to_owned())
}

fn machines_not_listed(s: &Facts<'_>) -> bool {
    !s.input.observed.machines_listed
}

fn not_deleted(s: &Facts<'_>) -> bool {
    !in_deletion(s)
}

fn machines_some_stale(s: &Facts<'_>) -> bool {
    s.stale.is_some()
}

fn machines_remain(s: &Facts<'_>) -> bool {
    machines(s) > 0
}

fn deleting_machines(s: &Facts<'_>) -> String {
    format!("Deleting {}", count(number(machines(s)), "Machine"))
}

fn deleting_machines_naming_stale(s: &Facts<'_>) -> String {
    format!("{}\n* {}", deleting_machines(s), s.stale.as_deref().unwrap_or_default())
}
