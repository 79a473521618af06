#![doc = include_str!("scaling_up.md")]

use super::{OfCluster, control_plane_unreadable, descendants_not_listed};
use crate::rules::reports::reported;
use crate::table::{Table, internal_error, otherwise};

/// Whether there will be more Machines.
pub static SCALING_UP: Table<OfCluster> = reported! {
    id: "CL-SUP", kind: "Cluster", condition: "ScalingUp", source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    takes: "`ScalingUp` of the control plane, where it has it, of all MachineDeployments and of the MachineSets without one together", facts: [control_plane_unreadable, scaling_up.nothing_to_aggregate],
    first: [internal_error!("CL-SUP-1", control_plane_unreadable), internal_error!("CL-SUP-2", descendants_not_listed)], scaling_up: "CL-SUP-3" False "NotScalingUp", "CL-SUP-4" fails, "CL-SUP-5" True "ScalingUp", "CL-SUP-6" Unknown "ScalingUpUnknown", "CL-SUP-7" False "NotScalingUp",
};
