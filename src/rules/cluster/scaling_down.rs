#![doc = include_str!("scaling_down.md")]

use super::{Facts, OfCluster, control_plane_unreadable, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether there will be fewer Machines.
#[rustfmt::skip]
pub static SCALING_DOWN: Table<OfCluster> = Table {
    id: "CL-SDN",
    kind: "Cluster",
    condition: "ScalingDown",
    about: "Takes the `ScalingDown` of the control plane, where it has it, of all MachineDeployments and of the MachineSets without one together. True is the transitional state.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![control_plane_unreadable, nobody_to_ask],
    rows: &[
        //   row         when                        status   reason               message
        row!("CL-SDN-1", control_plane_unreadable   => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("CL-SDN-2", descendants_not_listed     => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("CL-SDN-3", nobody_to_ask              => False,   "NotScalingDown",     none),
        row!("CL-SDN-4", aggregation_fails          => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("CL-SDN-5", something_scales_down      => True,    "ScalingDown",        aggregated),
        row!("CL-SDN-6", some_status_unknown        => Unknown, "ScalingDownUnknown", aggregated),
        row!("CL-SDN-7", otherwise                  => False,   "NotScalingDown",     aggregated),
    ],
};

fn nobody_to_ask(s: &Facts<'_>) -> bool {
    s.scaling_down.no_machines()
}

fn aggregation_fails(s: &Facts<'_>) -> bool {
    s.scaling_down.fails()
}

fn something_scales_down(s: &Facts<'_>) -> bool {
    s.scaling_down.issue()
}

fn some_status_unknown(s: &Facts<'_>) -> bool {
    s.scaling_down.unknown()
}

fn aggregated(s: &Facts<'_>) -> String {
    s.scaling_down.message()
}
