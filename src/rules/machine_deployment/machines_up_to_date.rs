#![doc = include_str!("machines_up_to_date.md")]

use super::{Facts, OfMachineDeployment};
use crate::table::{Table, facts, otherwise, row};

/// Whether the machines are as the spec wants them.
#[rustfmt::skip]
pub static MACHINES_UP_TO_DATE: Table<OfMachineDeployment> = Table {
    id: "MD-UTD",
    kind: "MachineDeployment",
    condition: "MachinesUpToDate",
    about: "Takes the `UpToDate` of all Machines together: an issue goes before unknown, and the message says who reports what. A Machine that does not have it yet is looked at once it is more than 10 seconds old.",
    source: "Cluster API v1.13.6, MachineDeployment controller",
    facts: facts![machines],
    rows: &[
        //   row         when                             status   reason             message
        row!("MD-UTD-1", no_machines                   => True,    "NoReplicas",      none),
        row!("MD-UTD-2", aggregation_fails             => Unknown, "InternalError",   CHECK_CONTROLLER_LOGS),
        row!("MD-UTD-3", some_machine_reports_an_issue => False,   "NotUpToDate",     aggregated),
        row!("MD-UTD-4", some_status_unknown           => Unknown, "UpToDateUnknown", aggregated),
        row!("MD-UTD-5", otherwise                     => True,    "UpToDate",        aggregated),
    ],
};

fn machines(s: &Facts<'_>) -> usize {
    s.input.machines.len()
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
