#![doc = include_str!("rolling_out.md")]

use super::{Facts, OfCluster, control_plane_unreadable, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether Machines are replaced by others.
#[rustfmt::skip]
pub static ROLLING_OUT: Table<OfCluster> = Table {
    id: "CL-ROL",
    kind: "Cluster",
    condition: "RollingOut",
    about: "Takes the `RollingOut` of the control plane, where it has it, and of all MachineDeployments together. True is the transitional state.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![control_plane_unreadable, nobody_to_ask],
    rows: &[
        //   row         when                        status   reason              message
        row!("CL-ROL-1", control_plane_unreadable   => Unknown, "InternalError",     CHECK_CONTROLLER_LOGS),
        row!("CL-ROL-2", descendants_not_listed     => Unknown, "InternalError",     CHECK_CONTROLLER_LOGS),
        row!("CL-ROL-3", nobody_to_ask              => False,   "NotRollingOut",     none),
        row!("CL-ROL-4", aggregation_fails          => Unknown, "InternalError",     CHECK_CONTROLLER_LOGS),
        row!("CL-ROL-5", something_rolls_out        => True,    "RollingOut",        aggregated),
        row!("CL-ROL-6", some_status_unknown        => Unknown, "RollingOutUnknown", aggregated),
        row!("CL-ROL-7", otherwise                  => False,   "NotRollingOut",     aggregated),
    ],
};

fn nobody_to_ask(s: &Facts<'_>) -> bool {
    s.rolling_out.no_machines()
}

fn aggregation_fails(s: &Facts<'_>) -> bool {
    s.rolling_out.fails()
}

fn something_rolls_out(s: &Facts<'_>) -> bool {
    s.rolling_out.issue()
}

fn some_status_unknown(s: &Facts<'_>) -> bool {
    s.rolling_out.unknown()
}

fn aggregated(s: &Facts<'_>) -> String {
    s.rolling_out.message()
}
