#![doc = include_str!("rolling_out.md")]

use super::{OfCluster, control_plane_unreadable, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether Machines are replaced by others.
#[rustfmt::skip]
pub static ROLLING_OUT: Table<OfCluster> = Table {
    id: "CL-ROL",
    kind: "Cluster",
    condition: "RollingOut",
    about: "Takes the `RollingOut` of the control plane, where it has it, and of all MachineDeployments together. True is the transitional state.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![control_plane_unreadable, rolling_out.nothing_to_aggregate; rolling_out.message],
    rows: &[
        //   row         when                                status   reason               message
        row!("CL-ROL-1", control_plane_unreadable         => Unknown, "InternalError",     CHECK_CONTROLLER_LOGS),
        row!("CL-ROL-2", descendants_not_listed           => Unknown, "InternalError",     CHECK_CONTROLLER_LOGS),
        row!("CL-ROL-3", rolling_out.nothing_to_aggregate => False,   "NotRollingOut",     ""),
        row!("CL-ROL-4", rolling_out.aggregation_fails    => Unknown, "InternalError",     CHECK_CONTROLLER_LOGS),
        row!("CL-ROL-5", rolling_out.some_issue_reported  => True,    "RollingOut",        "{rolling_out.message}"),
        row!("CL-ROL-6", rolling_out.some_status_unknown  => Unknown, "RollingOutUnknown", "{rolling_out.message}"),
        row!("CL-ROL-7", otherwise                        => False,   "NotRollingOut",     "{rolling_out.message}"),
    ],
};
