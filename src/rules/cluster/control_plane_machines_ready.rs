#![doc = include_str!("control_plane_machines_ready.md")]

use super::{Facts, OfCluster, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether the control-plane Machines are fit for use.
#[rustfmt::skip]
pub static CONTROL_PLANE_MACHINES_READY: Table<OfCluster> = Table {
    id: "CL-CPMR",
    kind: "Cluster",
    condition: "ControlPlaneMachinesReady",
    about: "Takes the `Ready` of all control-plane Machines together: an issue goes before unknown, and the message says who reports what.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![machines],
    rows: &[
        //   row          when                                 status   reason             message
        row!("CL-CPMR-1", descendants_not_listed        => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("CL-CPMR-2", no_machines                   => True,    "NoReplicas",   none),
        row!("CL-CPMR-3", aggregation_fails             => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("CL-CPMR-4", some_machine_reports_an_issue => False,   "NotReady",     aggregated),
        row!("CL-CPMR-5", some_status_unknown           => Unknown, "ReadyUnknown", aggregated),
        row!("CL-CPMR-6", otherwise                     => True,    "Ready",        aggregated),
    ],
};

fn machines(s: &Facts<'_>) -> usize {
    s.descendants.control_plane_machines.len()
}

fn no_machines(s: &Facts<'_>) -> bool {
    s.control_plane_machines_ready.no_machines()
}

fn aggregation_fails(s: &Facts<'_>) -> bool {
    s.control_plane_machines_ready.fails()
}

fn some_machine_reports_an_issue(s: &Facts<'_>) -> bool {
    s.control_plane_machines_ready.issue()
}

fn some_status_unknown(s: &Facts<'_>) -> bool {
    s.control_plane_machines_ready.unknown()
}

fn aggregated(s: &Facts<'_>) -> String {
    s.control_plane_machines_ready.message()
}
