#![doc = include_str!("worker_machines_ready.md")]

use super::{OfCluster, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether the worker Machines are fit for use.
#[rustfmt::skip]
pub static WORKER_MACHINES_READY: Table<OfCluster> = Table {
    id: "CL-WMR",
    kind: "Cluster",
    condition: "WorkerMachinesReady",
    about: "Takes the `Ready` of all worker Machines together: an issue goes before unknown, and the message says who reports what.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![descendants.worker_machines.len; worker_machines_ready.message],
    rows: &[
        //   row         when                                          status   reason           message
        row!("CL-WMR-1", descendants_not_listed                     => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("CL-WMR-2", worker_machines_ready.nothing_to_aggregate => True,    "NoReplicas",    ""),
        row!("CL-WMR-3", worker_machines_ready.aggregation_fails    => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("CL-WMR-4", worker_machines_ready.some_issue_reported  => False,   "NotReady",      "{worker_machines_ready.message}"),
        row!("CL-WMR-5", worker_machines_ready.some_status_unknown  => Unknown, "ReadyUnknown",  "{worker_machines_ready.message}"),
        row!("CL-WMR-6", otherwise                                  => True,    "Ready",         "{worker_machines_ready.message}"),
    ],
};
