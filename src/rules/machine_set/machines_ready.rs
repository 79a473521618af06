#![doc = include_str!("machines_ready.md")]

use super::{OfMachineSet, machines_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether the machines are ready.
#[rustfmt::skip]
pub static MACHINES_READY: Table<OfMachineSet> = Table {
    id: "MS-RDY",
    kind: "MachineSet",
    condition: "MachinesReady",
    about: "Takes the `Ready` of all Machines together: an issue goes before unknown, and the message says who reports what.",
    source: "Cluster API v1.13.6, MachineSet controller",
    facts: facts![input.machines.len; ready.message],
    rows: &[
        //   row         when                          status   reason           message
        row!("MS-RDY-1", machines_not_listed        => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MS-RDY-2", ready.nothing_to_aggregate => True,    "NoReplicas",    ""),
        row!("MS-RDY-3", ready.aggregation_fails    => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MS-RDY-4", ready.some_issue_reported  => False,   "NotReady",      "{ready.message}"),
        row!("MS-RDY-5", ready.some_status_unknown  => Unknown, "ReadyUnknown",  "{ready.message}"),
        row!("MS-RDY-6", otherwise                  => True,    "Ready",         "{ready.message}"),
    ],
};
