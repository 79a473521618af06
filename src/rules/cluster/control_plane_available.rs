#![doc = include_str!("control_plane_available.md")]

use super::{OfCluster, has_topology, initialized, waiting_for_topology};
use crate::rules::mirrored::mirrored;
use crate::table::{Table, otherwise, row};

/// Whether the control plane serves.
pub static CONTROL_PLANE_AVAILABLE: Table<OfCluster> = mirrored! {
    id: "CL-CPA", kind: "Cluster", condition: "ControlPlaneAvailable", source: "Cluster API v1.13.6, `internal/controllers/cluster`", about: "The `Available` condition of the control plane; where it has none, whether it was initialized.",
    first: [row!("CL-CPA-1", has_topology and not control_plane.referenced => False, "ObjectDoesNotExist", "{waiting_for_topology}")], words: [waiting_for_topology], mirrors: control_plane "Available" else "NotAvailable", stand_in: initialized "controlPlaneInitialized", in_deletion: deletion.in_deletion,
    rows: invalid "CL-CPA-2", reported "CL-CPA-3", done "CL-CPA-4", not_done "CL-CPA-5", unreadable "CL-CPA-6", deleted "CL-CPA-7", too_early [row!("CL-CPA-8", initialized => False, "ObjectDeleted", "{control_plane.kind} has been deleted while the cluster still exists")], missing "CL-CPA-9",
};
