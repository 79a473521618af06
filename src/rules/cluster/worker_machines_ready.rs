#![doc = include_str!("worker_machines_ready.md")]

use super::{OfCluster, descendants_not_listed};
use crate::rules::reports::reported;
use crate::table::{Table, internal_error, otherwise};

/// Whether the worker Machines are fit for use.
pub static WORKER_MACHINES_READY: Table<OfCluster> = reported! {
    id: "CL-WMR", kind: "Cluster", condition: "WorkerMachinesReady", source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    takes: "`Ready` of all worker Machines together", facts: [descendants.worker_machines.len], first: [internal_error!("CL-WMR-1", descendants_not_listed)],
    worker_machines_ready: "CL-WMR-2" True "NoReplicas", "CL-WMR-3" fails, "CL-WMR-4" False "NotReady", "CL-WMR-5" Unknown "ReadyUnknown", "CL-WMR-6" True "Ready",
};
