#![doc = include_str!("scaling_up.md")]

use super::{OfCluster, control_plane_unreadable, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether there will be more Machines.
#[rustfmt::skip]
pub static SCALING_UP: Table<OfCluster> = Table {
    id: "CL-SUP",
    kind: "Cluster",
    condition: "ScalingUp",
    about: "Takes the `ScalingUp` of the control plane, where it has it, of all MachineDeployments and of the MachineSets without one together. True is the transitional state.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![control_plane_unreadable, scaling_up.nothing_to_aggregate; scaling_up.message],
    rows: &[
        //   row         when                               status   reason              message
        row!("CL-SUP-1", control_plane_unreadable        => Unknown, "InternalError",    CHECK_CONTROLLER_LOGS),
        row!("CL-SUP-2", descendants_not_listed          => Unknown, "InternalError",    CHECK_CONTROLLER_LOGS),
        row!("CL-SUP-3", scaling_up.nothing_to_aggregate => False,   "NotScalingUp",     ""),
        row!("CL-SUP-4", scaling_up.aggregation_fails    => Unknown, "InternalError",    CHECK_CONTROLLER_LOGS),
        row!("CL-SUP-5", scaling_up.some_issue_reported  => True,    "ScalingUp",        "{scaling_up.message}"),
        row!("CL-SUP-6", scaling_up.some_status_unknown  => Unknown, "ScalingUpUnknown", "{scaling_up.message}"),
        row!("CL-SUP-7", otherwise                       => False,   "NotScalingUp",     "{scaling_up.message}"),
    ],
};
