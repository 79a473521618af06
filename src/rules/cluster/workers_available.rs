#![doc = include_str!("workers_available.md")]

use super::{OfCluster, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether there are enough workers.
#[rustfmt::skip]
pub static WORKERS_AVAILABLE: Table<OfCluster> = Table {
    id: "CL-WA",
    kind: "Cluster",
    condition: "WorkersAvailable",
    about: "Takes the `Available` of all MachineDeployments together: an issue goes before unknown, and the message says who reports what.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![descendants.machine_deployments.len; workers_available.message],
    rows: &[
        //   row        when                                      status   reason              message
        row!("CL-WA-1", descendants_not_listed                 => Unknown, "InternalError",    CHECK_CONTROLLER_LOGS),
        row!("CL-WA-2", workers_available.nothing_to_aggregate => True,    "NoWorkers",        ""),
        row!("CL-WA-3", workers_available.aggregation_fails    => Unknown, "InternalError",    CHECK_CONTROLLER_LOGS),
        row!("CL-WA-4", workers_available.some_issue_reported  => False,   "NotAvailable",     "{workers_available.message}"),
        row!("CL-WA-5", workers_available.some_status_unknown  => Unknown, "AvailableUnknown", "{workers_available.message}"),
        row!("CL-WA-6", otherwise                              => True,    "Available",        "{workers_available.message}"),
    ],
};
