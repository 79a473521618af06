#![doc = include_str!("scaling_down.md")]

use super::{OfCluster, control_plane_unreadable, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether there will be fewer Machines.
#[rustfmt::skip]
pub static SCALING_DOWN: Table<OfCluster> = Table {
    id: "CL-SDN",
    kind: "Cluster",
    condition: "ScalingDown",
    about: "Takes the `ScalingDown` of the control plane, where it has it, of all MachineDeployments and of the MachineSets without one together. True is the transitional state.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![control_plane_unreadable, scaling_down.nothing_to_aggregate; scaling_down.message],
    rows: &[
        //   row         when                                 status   reason                message
        row!("CL-SDN-1", control_plane_unreadable          => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("CL-SDN-2", descendants_not_listed            => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("CL-SDN-3", scaling_down.nothing_to_aggregate => False,   "NotScalingDown",     ""),
        row!("CL-SDN-4", scaling_down.aggregation_fails    => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("CL-SDN-5", scaling_down.some_issue_reported  => True,    "ScalingDown",        "{scaling_down.message}"),
        row!("CL-SDN-6", scaling_down.some_status_unknown  => Unknown, "ScalingDownUnknown", "{scaling_down.message}"),
        row!("CL-SDN-7", otherwise                         => False,   "NotScalingDown",     "{scaling_down.message}"),
    ],
};
