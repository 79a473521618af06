#![doc = include_str!("worker_machines_up_to_date.md")]

use super::{OfCluster, descendants_not_listed};
use crate::rules::reports::reported;
use crate::table::{Table, internal_error, otherwise};

/// Whether the worker Machines are as the spec wants them.
pub static WORKER_MACHINES_UP_TO_DATE: Table<OfCluster> = reported! {
    id: "CL-WMU", kind: "Cluster", condition: "WorkerMachinesUpToDate", source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    takes: "`UpToDate` of all worker Machines together" and later, facts: [descendants.worker_machines.len], first: [internal_error!("CL-WMU-1", descendants_not_listed)],
    worker_machines_up_to_date: "CL-WMU-2" True "NoReplicas", "CL-WMU-3" fails, "CL-WMU-4" False "NotUpToDate", "CL-WMU-5" Unknown "UpToDateUnknown", "CL-WMU-6" True "UpToDate",
};
