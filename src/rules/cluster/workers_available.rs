#![doc = include_str!("workers_available.md")]

use super::{Facts, OfCluster, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether there are enough workers.
#[rustfmt::skip]
pub static WORKERS_AVAILABLE: Table<OfCluster> = Table {
    id: "CL-WA",
    kind: "Cluster",
    condition: "WorkersAvailable",
    about: "Takes the `Available` of all MachineDeployments together: an issue goes before unknown, and the message says who reports what.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![machine_deployments],
    rows: &[
        //   row        when                          status   reason              message
        row!("CL-WA-1", descendants_not_listed => Unknown, "InternalError",    CHECK_CONTROLLER_LOGS),
        row!("CL-WA-2", no_workers             => True,    "NoWorkers",        none),
        row!("CL-WA-3", aggregation_fails      => Unknown, "InternalError",    CHECK_CONTROLLER_LOGS),
        row!("CL-WA-4", some_not_available     => False,   "NotAvailable",     aggregated),
        row!("CL-WA-5", some_status_unknown    => Unknown, "AvailableUnknown", aggregated),
        row!("CL-WA-6", otherwise              => True,    "Available",        aggregated),
    ],
};

fn machine_deployments(s: &Facts<'_>) -> usize {
    s.descendants.machine_deployments.len()
}

fn no_workers(s: &Facts<'_>) -> bool {
    machine_deployments(s) == 0
}

fn aggregation_fails(s: &Facts<'_>) -> bool {
    s.workers_available.fails()
}

fn some_not_available(s: &Facts<'_>) -> bool {
    s.workers_available.issue()
}

fn some_status_unknown(s: &Facts<'_>) -> bool {
    s.workers_available.unknown()
}

fn aggregated(s: &Facts<'_>) -> String {
    s.workers_available.message()
}
