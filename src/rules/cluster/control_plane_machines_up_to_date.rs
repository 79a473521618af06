#![doc = include_str!("control_plane_machines_up_to_date.md")]

use super::{OfCluster, descendants_not_listed};
use crate::rules::reports::reported;
use crate::table::{Table, internal_error, otherwise};

/// Whether the control-plane Machines are as the spec wants them.
pub static CONTROL_PLANE_MACHINES_UP_TO_DATE: Table<OfCluster> = reported! {
    id: "CL-CPMU", kind: "Cluster", condition: "ControlPlaneMachinesUpToDate", source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    takes: "`UpToDate` of all control-plane Machines together" and later, facts: [descendants.control_plane_machines.len], first: [internal_error!("CL-CPMU-1", descendants_not_listed)],
    control_plane_machines_up_to_date: "CL-CPMU-2" True "NoReplicas", "CL-CPMU-3" fails, "CL-CPMU-4" False "NotUpToDate", "CL-CPMU-5" Unknown "UpToDateUnknown", "CL-CPMU-6" True "UpToDate",
};
