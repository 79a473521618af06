#![doc = include_str!("workers_available.md")]

use super::{OfCluster, descendants_not_listed};
use crate::rules::reports::reported;
use crate::table::{Table, internal_error, otherwise};

/// Whether there are enough workers.
pub static WORKERS_AVAILABLE: Table<OfCluster> = reported! {
    id: "CL-WA", kind: "Cluster", condition: "WorkersAvailable", source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    takes: "`Available` of all MachineDeployments together", facts: [descendants.machine_deployments.len], first: [internal_error!("CL-WA-1", descendants_not_listed)],
    workers_available: "CL-WA-2" True "NoWorkers", "CL-WA-3" fails, "CL-WA-4" False "NotAvailable", "CL-WA-5" Unknown "AvailableUnknown", "CL-WA-6" True "Available",
};
