#![doc = include_str!("scaling_up.md")]

use super::{Facts, OfCluster, control_plane_unreadable, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether there will be more Machines.
#[rustfmt::skip]
pub static SCALING_UP: Table<OfCluster> = Table {
    id: "CL-SUP",
    kind: "Cluster",
    condition: "ScalingUp",
    about: "Takes the `ScalingUp` of the control plane, where it has it, of all MachineDeployments and of the MachineSets without one together. True is the transitional state.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![control_plane_unreadable, nobody_to_ask],
    rows: &[
        //   row         when                        status   reason             message
        row!("CL-SUP-1", control_plane_unreadable   => Unknown, "InternalError",    CHECK_CONTROLLER_LOGS),
        row!("CL-SUP-2", descendants_not_listed     => Unknown, "InternalError",    CHECK_CONTROLLER_LOGS),
        row!("CL-SUP-3", nobody_to_ask              => False,   "NotScalingUp",     none),
        row!("CL-SUP-4", aggregation_fails          => Unknown, "InternalError",    CHECK_CONTROLLER_LOGS),
        row!("CL-SUP-5", something_scales_up        => True,    "ScalingUp",        aggregated),
        row!("CL-SUP-6", some_status_unknown        => Unknown, "ScalingUpUnknown", aggregated),
        row!("CL-SUP-7", otherwise                  => False,   "NotScalingUp",     aggregated),
    ],
};

fn nobody_to_ask(s: &Facts<'_>) -> bool {
    s.scaling_up.no_machines()
}

fn aggregation_fails(s: &Facts<'_>) -> bool {
    s.scaling_up.fails()
}

fn something_scales_up(s: &Facts<'_>) -> bool {
    s.scaling_up.issue()
}

fn some_status_unknown(s: &Facts<'_>) -> bool {
    s.scaling_up.unknown()
}

fn aggregated(s: &Facts<'_>) -> String {
    s.scaling_up.message()
}
