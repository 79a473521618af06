#![doc = include_str!("worker_machines_up_to_date.md")]

use super::{OfCluster, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether the worker Machines are as the spec wants them.
#[rustfmt::skip]
pub static WORKER_MACHINES_UP_TO_DATE: Table<OfCluster> = Table {
    id: "CL-WMU",
    kind: "Cluster",
    condition: "WorkerMachinesUpToDate",
    about: "Takes the `UpToDate` of all worker Machines together: an issue goes before unknown, and the message says who reports what. A Machine that does not have it yet is looked at once it is more than 10 seconds old.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![descendants.worker_machines.len; worker_machines_up_to_date.message],
    rows: &[
        //   row         when                                               status   reason             message
        row!("CL-WMU-1", descendants_not_listed                          => Unknown, "InternalError",   CHECK_CONTROLLER_LOGS),
        row!("CL-WMU-2", worker_machines_up_to_date.nothing_to_aggregate => True,    "NoReplicas",      ""),
        row!("CL-WMU-3", worker_machines_up_to_date.aggregation_fails    => Unknown, "InternalError",   CHECK_CONTROLLER_LOGS),
        row!("CL-WMU-4", worker_machines_up_to_date.some_issue_reported  => False,   "NotUpToDate",     "{worker_machines_up_to_date.message}"),
        row!("CL-WMU-5", worker_machines_up_to_date.some_status_unknown  => Unknown, "UpToDateUnknown", "{worker_machines_up_to_date.message}"),
        row!("CL-WMU-6", otherwise                                       => True,    "UpToDate",        "{worker_machines_up_to_date.message}"),
    ],
};
