#![doc = include_str!("rolling_out.md")]

use super::{OfCluster, control_plane_unreadable, descendants_not_listed};
use crate::rules::reports::reported;
use crate::table::{Table, internal_error, otherwise};

/// Whether Machines are replaced by others.
pub static ROLLING_OUT: Table<OfCluster> = reported! {
    id: "CL-ROL", kind: "Cluster", condition: "RollingOut", source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    takes: "`RollingOut` of the control plane, where it has it, and of all MachineDeployments together", facts: [control_plane_unreadable, rolling_out.nothing_to_aggregate],
    first: [internal_error!("CL-ROL-1", control_plane_unreadable), internal_error!("CL-ROL-2", descendants_not_listed)], rolling_out: "CL-ROL-3" False "NotRollingOut", "CL-ROL-4" fails, "CL-ROL-5" True "RollingOut", "CL-ROL-6" Unknown "RollingOutUnknown", "CL-ROL-7" False "NotRollingOut",
};
