#![doc = include_str!("machines_ready.md")]

use super::{Facts, OfMachineSet};
use crate::table::{Table, facts, otherwise, row};

/// Whether the machines are ready.
#[rustfmt::skip]
pub static MACHINES_READY: Table<OfMachineSet> = Table {
    id: "MS-RDY",
    kind: "MachineSet",
    condition: "MachinesReady",
    about: "Takes the `Ready` of all Machines together: an issue goes before unknown, and the message says who reports what.",
    source: "Cluster API v1.13.6, MachineSet controller",
    facts: facts![machines],
    rows: &[
        //   row         when                             status   reason           message
        row!("MS-RDY-1", machines_not_listed           => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MS-RDY-2", no_machines                   => True,    "NoReplicas",    none),
        row!("MS-RDY-3", aggregation_fails             => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MS-RDY-4", some_machine_reports_an_issue => False,   "NotReady",      aggregated),
        row!("MS-RDY-5", some_status_unknown           => Unknown, "ReadyUnknown",  aggregated),
        row!("MS-RDY-6", otherwise                     => True,    "Ready",         aggregated),
    ],
};

fn machines(s: &Facts<'_>) -> usize {
    s.input.machines.len()
}

fn machines_not_listed(s: &Facts<'_>) -> bool {
    !s.input.observed.machines_listed
}

fn no_machines(s: &Facts<'_>) -> bool {
    s.ready.no_machines()
}

fn aggregation_fails(s: &Facts<'_>) -> bool {
    s.ready.fails()
}

fn some_machine_reports_an_issue(s: &Facts<'_>) -> bool {
    s.ready.issue()
}

fn some_status_unknown(s: &Facts<'_>) -> bool {
    s.ready.unknown()
}

fn aggregated(s: &Facts<'_>) -> String {
    s.ready.message()
}
