#![doc = include_str!("deleting.md")]

use super::{Facts, OfMachineDeployment};
use crate::table::{Table, facts, otherwise, row};

/// Whether the MachineDeployment is being deleted, and what is still in the way.
#[rustfmt::skip]
pub static DELETING: Table<OfMachineDeployment> = Table {
    id: "MD-DEL",
    kind: "MachineDeployment",
    condition: "Deleting",
    about: "Says what is left to delete, and which Machines have been in deletion for more than 15 minutes. True is the transitional state.",
    source: "machinedeployment-deleting.md",
    facts: facts![in_deletion, machines, machine_sets, stale_machines],
    rows: &[
        //   row         when                           status   reason           message
        row!("MD-DEL-1", machine_sets_not_listed => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MD-DEL-2", not_deleted             => False,   "NotDeleting",   none),
        row!("MD-DEL-3", one_machine_not_stale   => True,    "Deleting",      deleting_machines),
        row!("MD-DEL-4", machines_none_stale     => True,    "Deleting",      deleting_machines),
        row!("MD-DEL-5", machines_some_stale     => True,    "Deleting",      deleting_machines_naming_stale),
        row!("MD-DEL-6", machine_sets_remain     => True,    "Deleting",      deleting_machine_sets),
        row!("MD-DEL-7", otherwise               => True,    "Deleting",      "Deletion completed"),
    ],
};

fn in_deletion(s: &Facts<'_>) -> bool {
    s.input.machine_deployment.metadata.in_deletion()
}

fn machines(s: &Facts<'_>) -> usize {
    s.input.machines.len()
}

fn machine_sets(s: &Facts<'_>) -> usize {
    s.input.machine_sets.len()
}

fn stale_machines(s: &Facts<'_>) -> String {
    s.stale.clone().unwrap_or_else(|| "none".to_owned())
}

fn machine_sets_not_listed(s: &Facts<'_>) -> bool {
    !s.input.observed.machine_sets_listed
}

fn not_deleted(s: &Facts<'_>) -> bool {
    !in_deletion(s)
}

fn one_machine_not_stale(s: &Facts<'_>) -> bool {
    machines(s) == 1 && s.stale.is_none()
}

fn machines_none_stale(s: &Facts<'_>) -> bool {
    machines(s) > 1 && s.stale.is_none()
}

fn machines_some_stale(s: &Facts<'_>) -> bool {
    s.stale.is_some()
}

fn machine_sets_remain(s: &Facts<'_>) -> bool {
    machine_sets(s) > 0
}

fn deleting_machines(s: &Facts<'_>) -> String {
    match machines(s) {
        1 => "Deleting 1 Machine".to_owned(),
        many => format!("Deleting {many} Machines"),
    }
}

fn deleting_machines_naming_stale(s: &Facts<'_>) -> String {
    format!("{}\n* {}", deleting_machines(s), s.stale.as_deref().unwrap_or_default())
}

fn deleting_machine_sets(s: &Facts<'_>) -> String {
    format!("Deleting {} MachineSets", machine_sets(s))
}
