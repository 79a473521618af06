#![doc = include_str!("remediating.md")]

use super::OfKubeadmControlPlane;
use crate::table::{Table, facts, otherwise, row};

/// Whether unhealthy machines are being replaced.
#[rustfmt::skip]
pub static REMEDIATING: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-REM",
    kind: "KubeadmControlPlane",
    condition: "Remediating",
    about: "A Machine is unhealthy when its `HealthCheckSucceeded` is False, and the owner's to remediate when its `OwnerRemediated` is False too. True is the transitional state.",
    source: "docs/documents.md, KubeadmControlPlane `Remediating`",
    facts: facts![remediations.unhealthy_machines, remediations.to_be_remediated; remediations.not_healthy, remediations.progress],
    rows: &[
        //   row          when                                     status   reason            message
        row!("KCP-REM-1", remediations.nothing_unhealthy        => False,   "NotRemediating", ""),
        row!("KCP-REM-2", remediations.nothing_to_be_remediated => False,   "NotRemediating", "{remediations.not_healthy} (not to be remediated)"; cluster_api: False, "NotRemediating", "{remediations.not_healthy} (not to be remediated by KubeadmControlPlane)"),
        row!("KCP-REM-3", remediations.progress_aggregated      => True,    "Remediating",    "{remediations.progress}"),
        row!("KCP-REM-4", otherwise                             => Unknown, "InternalError",  CHECK_CONTROLLER_LOGS),
    ],
};
