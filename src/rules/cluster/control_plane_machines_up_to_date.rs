#![doc = include_str!("control_plane_machines_up_to_date.md")]

use super::{OfCluster, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether the control-plane Machines are as the spec wants them.
#[rustfmt::skip]
pub static CONTROL_PLANE_MACHINES_UP_TO_DATE: Table<OfCluster> = Table {
    id: "CL-CPMU",
    kind: "Cluster",
    condition: "ControlPlaneMachinesUpToDate",
    about: "Takes the `UpToDate` of all control-plane Machines together: an issue goes before unknown, and the message says who reports what. A Machine that does not have it yet is looked at once it is more than 10 seconds old.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![descendants.control_plane_machines.len; control_plane_machines_up_to_date.message],
    rows: &[
        //   row          when                                                      status   reason             message
        row!("CL-CPMU-1", descendants_not_listed                                 => Unknown, "InternalError",   CHECK_CONTROLLER_LOGS),
        row!("CL-CPMU-2", control_plane_machines_up_to_date.nothing_to_aggregate => True,    "NoReplicas",      ""),
        row!("CL-CPMU-3", control_plane_machines_up_to_date.aggregation_fails    => Unknown, "InternalError",   CHECK_CONTROLLER_LOGS),
        row!("CL-CPMU-4", control_plane_machines_up_to_date.some_issue_reported  => False,   "NotUpToDate",     "{control_plane_machines_up_to_date.message}"),
        row!("CL-CPMU-5", control_plane_machines_up_to_date.some_status_unknown  => Unknown, "UpToDateUnknown", "{control_plane_machines_up_to_date.message}"),
        row!("CL-CPMU-6", otherwise                                              => True,    "UpToDate",        "{control_plane_machines_up_to_date.message}"),
    ],
};
