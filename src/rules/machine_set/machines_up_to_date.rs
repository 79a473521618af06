#![doc = include_str!("machines_up_to_date.md")]

use super::{Facts, OfMachineSet};
use crate::table::{Table, facts, otherwise, row};

/// Whether the machines are as the spec wants them.
#[rustfmt::skip]
pub static MACHINES_UP_TO_DATE: Table<OfMachineSet> = Table {
    id: "MS-UTD",
    kind: "MachineSet",
    condition: "MachinesUpToDate",
    about: "Takes the `UpToDate` of all Machines together: an issue goes before unknown, and the message says who reports what. A Machine that does not have it yet is looked at once it is more than 10 seconds old.",
    source: "Cluster API v1.13.6, MachineSet controller",
    facts: facts![machines],
    rows: &[
        //   row         when                             status   reason             message
        row!("MS-UTD-1", machines_not_listed           => Unknown, "InternalError",   CHECK_CONTROLLER_LOGS),
        row!("MS-UTD-2", no_machines                   => True,    "NoReplicas",      none),
        row!("MS-UTD-3", aggregation_fails             => Unknown, "InternalError",   CHECK_CONTROLLER_LOGS),
        row!("MS-UTD-4", some_machine_reports_an_issue => False,   "NotUpToDate",     aggregated),
        row!("MS-UTD-5", some_status_unknown           => Unknown, "UpToDateUnknown", aggregated),
        row!("MS-UTD-6", otherwise                     => True,    "UpToDate",        aggregated),
    ],
};

fn machines(s: &Facts<'_>) -> usize {
    s.input.machines.len()
}

fn machines_not_listed(s: &Facts<'_>) -> bool {
    !s.input.observed.machines_listed
}

fn no_machines(s: &Facts<'_>) -> bool {
    s.up_to_date.no_machines()
}

fn aggregation_fails(s: &Facts<'_>) -> bool {
    s.up_to_date.fails()
}

fn some_machine_reports_an_issue(s: &Facts<'_>) -> bool {
    s.up_to_date.issue()
}

fn some_status_unknown(s: &Facts<'_>) -> bool {
    s.up_to_date.unknown()
}

fn aggregated(s: &Facts<'_>) -> String {
    s.up_to_date.message()
}
