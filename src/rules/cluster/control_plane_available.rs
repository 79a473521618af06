#![doc = include_str!("control_plane_available.md")]

use super::{Facts, OfCluster, has_topology, waiting_for_topology};
use crate::table::{Table, facts, otherwise, row};

/// Whether the control plane serves.
#[rustfmt::skip]
pub static CONTROL_PLANE_AVAILABLE: Table<OfCluster> = Table {
    id: "CL-CPA",
    kind: "Cluster",
    condition: "ControlPlaneAvailable",
    about: "The `Available` condition of the control plane; where it has none, whether it was initialized.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![control_plane.reference, control_plane.found, initialized, deletion.in_deletion; waiting_for_topology, control_plane.what_is_invalid, control_plane.kind],
    rows: &[
        //   row         when                                             status   reason                      message
        row!("CL-CPA-1", has_topology and not control_plane.referenced => False,   "ObjectDoesNotExist",       "{waiting_for_topology}"),
        row!("CL-CPA-2", control_plane.conditions_invalid              => Unknown, "InvalidConditionReported", "{control_plane.what_is_invalid}"),
        row!("CL-CPA-3", control_plane.reports("Available")            => copy control_plane.mirror("Available", "Available")),
        row!("CL-CPA-4", control_plane.found and initialized           => True,    "Available",                ""),
        row!("CL-CPA-5", control_plane.found                           => False,   "NotAvailable",             "{control_plane.kind} status.initialization.controlPlaneInitialized is false"),
        row!("CL-CPA-6", control_plane.unreadable                      => Unknown, "InternalError",            CHECK_CONTROLLER_LOGS),
        row!("CL-CPA-7", initialized and deletion.in_deletion          => False,   "ObjectDeleted",            "{control_plane.kind} has been deleted"),
        row!("CL-CPA-8", initialized                                   => False,   "ObjectDeleted",            "{control_plane.kind} has been deleted while the cluster still exists"),
        row!("CL-CPA-9", otherwise                                     => False,   "ObjectDoesNotExist",       "{control_plane.kind} does not exist"),
    ],
};

/// `status.initialization.controlPlaneInitialized` of the Cluster.
fn initialized(s: &Facts<'_>) -> bool {
    s.input.cluster.status.initialization.control_plane_initialized
}
