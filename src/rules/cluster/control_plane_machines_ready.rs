#![doc = include_str!("control_plane_machines_ready.md")]

use super::{OfCluster, descendants_not_listed};
use crate::rules::reports::reported;
use crate::table::{Table, internal_error, otherwise};

/// Whether the control-plane Machines are fit for use.
pub static CONTROL_PLANE_MACHINES_READY: Table<OfCluster> = reported! {
    id: "CL-CPMR", kind: "Cluster", condition: "ControlPlaneMachinesReady", source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    takes: "`Ready` of all control-plane Machines together", facts: [descendants.control_plane_machines.len], first: [internal_error!("CL-CPMR-1", descendants_not_listed)],
    control_plane_machines_ready: "CL-CPMR-2" True "NoReplicas", "CL-CPMR-3" fails, "CL-CPMR-4" False "NotReady", "CL-CPMR-5" Unknown "ReadyUnknown", "CL-CPMR-6" True "Ready",
};
