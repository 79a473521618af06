#![doc = include_str!("control_plane_machines_ready.md")]

use super::{OfCluster, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether the control-plane Machines are fit for use.
#[rustfmt::skip]
pub static CONTROL_PLANE_MACHINES_READY: Table<OfCluster> = Table {
    id: "CL-CPMR",
    kind: "Cluster",
    condition: "ControlPlaneMachinesReady",
    about: "Takes the `Ready` of all control-plane Machines together: an issue goes before unknown, and the message says who reports what.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![descendants.control_plane_machines.len; control_plane_machines_ready.message],
    rows: &[
        //   row          when                                                 status   reason           message
        row!("CL-CPMR-1", descendants_not_listed                            => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("CL-CPMR-2", control_plane_machines_ready.nothing_to_aggregate => True,    "NoReplicas",    ""),
        row!("CL-CPMR-3", control_plane_machines_ready.aggregation_fails    => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("CL-CPMR-4", control_plane_machines_ready.some_issue_reported  => False,   "NotReady",      "{control_plane_machines_ready.message}"),
        row!("CL-CPMR-5", control_plane_machines_ready.some_status_unknown  => Unknown, "ReadyUnknown",  "{control_plane_machines_ready.message}"),
        row!("CL-CPMR-6", otherwise                                         => True,    "Ready",         "{control_plane_machines_ready.message}"),
    ],
};
