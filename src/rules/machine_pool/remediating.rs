#![doc = include_str!("remediating.md")]

use super::{OfMachinePool, machines_not_listed, not_set_by_cluster_api};
use crate::table::{Table, facts, otherwise, row};

/// Whether unhealthy machines are being replaced.
#[rustfmt::skip]
pub static REMEDIATING: Table<OfMachinePool> = Table {
    id: "MP-REM",
    kind: "MachinePool",
    condition: "Remediating",
    about: "A Machine is unhealthy when its `HealthCheckSucceeded` is False, and the owner's to remediate when its `OwnerRemediated` is False too. True is the transitional state.",
    source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    facts: facts![remediations.unhealthy_machines, remediations.to_be_remediated; remediations.not_healthy, remediations.progress],
    rows: &[
        // row, when, status, reason, message
        row!("MP-REM-1", only cluster_api, not_set_by_cluster_api => keep),
        row!("MP-REM-2", machines_not_listed                      => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MP-REM-3", remediations.nothing_unhealthy           => False, "NotRemediating", ""),
        row!("MP-REM-4", remediations.nothing_to_be_remediated    => False, "NotRemediating", "{remediations.not_healthy} (not to be remediated by MachinePool)"),
        row!("MP-REM-5", remediations.progress_aggregated         => True, "Remediating", "{remediations.progress}"),
        row!("MP-REM-6", otherwise                                => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
    ],
};
