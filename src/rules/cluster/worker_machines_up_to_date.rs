#![doc = include_str!("worker_machines_up_to_date.md")]

use super::{Facts, OfCluster, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether the worker Machines are as the spec wants them.
#[rustfmt::skip]
pub static WORKER_MACHINES_UP_TO_DATE: Table<OfCluster> = Table {
    id: "CL-WMU",
    kind: "Cluster",
    condition: "WorkerMachinesUpToDate",
    about: "Takes the `UpToDate` of all worker Machines together: an issue goes before unknown, and the message says who reports what. A Machine that does not have it yet is looked at once it is more than 10 seconds old.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![machines],
    rows: &[
        //   row          when                                 status   reason                message
        row!("CL-WMU-1", descendants_not_listed        => Unknown, "InternalError",   CHECK_CONTROLLER_LOGS),
        row!("CL-WMU-2", no_machines                   => True,    "NoReplicas",      none),
        row!("CL-WMU-3", aggregation_fails             => Unknown, "InternalError",   CHECK_CONTROLLER_LOGS),
        row!("CL-WMU-4", some_machine_reports_an_issue => False,   "NotUpToDate",     aggregated),
        row!("CL-WMU-5", some_status_unknown           => Unknown, "UpToDateUnknown", aggregated),
        row!("CL-WMU-6", otherwise                     => True,    "UpToDate",        aggregated),
    ],
};

fn machines(s: &Facts<'_>) -> usize {
    s.descendants.worker_machines.len()
}

fn no_machines(s: &Facts<'_>) -> bool {
    s.worker_machines_up_to_date.no_machines()
}

fn aggregation_fails(s: &Facts<'_>) -> bool {
    s.worker_machines_up_to_date.fails()
}

fn some_machine_reports_an_issue(s: &Facts<'_>) -> bool {
    s.worker_machines_up_to_date.issue()
}

fn some_status_unknown(s: &Facts<'_>) -> bool {
    s.worker_machines_up_to_date.unknown()
}

fn aggregated(s: &Facts<'_>) -> String {
    s.worker_machines_up_to_date.message()
}
