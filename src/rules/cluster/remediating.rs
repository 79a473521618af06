#![doc = include_str!("remediating.md")]

use super::{OfCluster, descendants_not_listed};
use crate::rules::remediations::remediating;
use crate::table::{Table, internal_error, otherwise};

/// Whether unhealthy machines are being replaced.
pub static REMEDIATING: Table<OfCluster> = remediating! {
    id: "CL-REM", kind: "Cluster", source: "Cluster API v1.13.6, `internal/controllers/cluster`", first: [internal_error!("CL-REM-1", descendants_not_listed)],
    rows: healthy "CL-REM-2", left_alone "CL-REM-3" [False, "NotRemediating", "{remediations.not_healthy} (not to be remediated)"], remediated "CL-REM-4", unclear "CL-REM-5",
};
