#![doc = include_str!("scaling_down.md")]

use super::{OfCluster, control_plane_unreadable, descendants_not_listed};
use crate::rules::reports::reported;
use crate::table::{Table, internal_error, otherwise};

/// Whether there will be fewer Machines.
pub static SCALING_DOWN: Table<OfCluster> = reported! {
    id: "CL-SDN", kind: "Cluster", condition: "ScalingDown", source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    takes: "`ScalingDown` of the control plane, where it has it, of all MachineDeployments and of the MachineSets without one together", facts: [control_plane_unreadable, scaling_down.nothing_to_aggregate],
    first: [internal_error!("CL-SDN-1", control_plane_unreadable), internal_error!("CL-SDN-2", descendants_not_listed)], scaling_down: "CL-SDN-3" False "NotScalingDown", "CL-SDN-4" fails, "CL-SDN-5" True "ScalingDown", "CL-SDN-6" Unknown "ScalingDownUnknown", "CL-SDN-7" False "NotScalingDown",
};
