#![doc = include_str!("remediating.md")]

use super::{OfMachinePool, machines_not_listed, not_set_by_cluster_api};
use crate::rules::remediations::remediating;
use crate::table::{Table, internal_error, otherwise, row};

/// Whether unhealthy machines are being replaced.
pub static REMEDIATING: Table<OfMachinePool> = remediating! {
    id: "MP-REM", kind: "MachinePool", source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it", first: [row!("MP-REM-1", only cluster_api, not_set_by_cluster_api => keep), internal_error!("MP-REM-2", machines_not_listed)],
    rows: healthy "MP-REM-3", left_alone "MP-REM-4" [False, "NotRemediating", "{remediations.not_healthy} (not to be remediated by MachinePool)"], remediated "MP-REM-5", unclear "MP-REM-6",
};
