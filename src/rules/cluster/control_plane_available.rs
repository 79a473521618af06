#![doc = include_str!("control_plane_available.md")]

use super::{Facts, OfCluster, waiting_for_topology};
use crate::table::{Copied, Table, facts, otherwise, row};

/// Whether the control plane serves.
#[rustfmt::skip]
pub static CONTROL_PLANE_AVAILABLE: Table<OfCluster> = Table {
    id: "CL-CPA",
    kind: "Cluster",
    condition: "ControlPlaneAvailable",
    about: "The `Available` condition of the control plane; where it has none, whether it was initialized.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![control_plane_ref, control_plane_found, initialized, in_deletion],
    rows: &[
        //   row         when                                status   reason                      message
        row!("CL-CPA-1", topology_not_reconciled      => False,   "ObjectDoesNotExist",       waiting_for_topology),
        row!("CL-CPA-2", conditions_invalid           => Unknown, "InvalidConditionReported", what_is_invalid),
        row!("CL-CPA-3", availability_reported        => copy availability_of_the_control_plane),
        row!("CL-CPA-4", initialized_without_it       => True,    "Available",                none),
        row!("CL-CPA-5", control_plane_found          => False,   "NotAvailable",             not_initialized),
        row!("CL-CPA-6", unreadable                   => Unknown, "InternalError",            CHECK_CONTROLLER_LOGS),
        row!("CL-CPA-7", deleted_with_cluster         => False,   "ObjectDeleted",            has_been_deleted),
        row!("CL-CPA-8", deleted_while_cluster_exists => False,   "ObjectDeleted",            has_been_deleted_too_early),
        row!("CL-CPA-9", otherwise                    => False,   "ObjectDoesNotExist",       does_not_exist),
    ],
};

fn control_plane_ref(s: &Facts<'_>) -> String {
    let control_plane_ref = &s.input.cluster.spec.control_plane_ref;
    format!("{} {}", control_plane_ref.kind, control_plane_ref.name)
}

fn initialized(s: &Facts<'_>) -> bool {
    s.input.cluster.status.initialization.control_plane_initialized
}

fn in_deletion(s: &Facts<'_>) -> bool {
    s.in_deletion()
}

fn topology_not_reconciled(s: &Facts<'_>) -> bool {
    let spec = &s.input.cluster.spec;
    !spec.control_plane_ref.is_defined() && spec.topology.is_defined()
}

fn conditions_invalid(s: &Facts<'_>) -> bool {
    !s.control_plane.invalid().is_empty()
}

fn availability_reported(s: &Facts<'_>) -> bool {
    s.control_plane.reports("Available")
}

fn control_plane_found(s: &Facts<'_>) -> bool {
    s.control_plane.found()
}

fn initialized_without_it(s: &Facts<'_>) -> bool {
    control_plane_found(s) && initialized(s)
}

fn unreadable(s: &Facts<'_>) -> bool {
    s.control_plane.unreadable()
}

fn deleted_with_cluster(s: &Facts<'_>) -> bool {
    initialized(s) && in_deletion(s)
}

fn deleted_while_cluster_exists(s: &Facts<'_>) -> bool {
    initialized(s) && !in_deletion(s)
}

fn what_is_invalid(s: &Facts<'_>) -> String {
    s.control_plane.invalid().to_owned()
}

fn availability_of_the_control_plane(s: &Facts<'_>) -> Copied {
    s.control_plane.mirror("Available", "Available")
}

fn not_initialized(s: &Facts<'_>) -> String {
    format!("{} status.initialization.controlPlaneInitialized is false", kind(s))
}

fn has_been_deleted(s: &Facts<'_>) -> String {
    format!("{} has been deleted", kind(s))
}

fn has_been_deleted_too_early(s: &Facts<'_>) -> String {
    format!("{} has been deleted while the cluster still exists", kind(s))
}

fn does_not_exist(s: &Facts<'_>) -> String {
    format!("{} does not exist", kind(s))
}

fn kind<'a>(s: &'a Facts<'_>) -> &'a str {
    &s.input.cluster.spec.control_plane_ref.kind
}
