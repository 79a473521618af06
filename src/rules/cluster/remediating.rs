#![doc = include_str!("remediating.md")]

use super::{OfCluster, descendants_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether unhealthy machines are being replaced.
#[rustfmt::skip]
pub static REMEDIATING: Table<OfCluster> = Table {
    id: "CL-REM",
    kind: "Cluster",
    condition: "Remediating",
    about: "A Machine is unhealthy when its `HealthCheckSucceeded` is False, and the owner's to remediate when its `OwnerRemediated` is False too. True is the transitional state.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![remediations.unhealthy_machines, remediations.to_be_remediated; remediations.not_healthy, remediations.progress],
    rows: &[
        //   row         when                                     status   reason            message
        row!("CL-REM-1", descendants_not_listed                => Unknown, "InternalError",  CHECK_CONTROLLER_LOGS),
        row!("CL-REM-2", remediations.nothing_unhealthy        => False,   "NotRemediating", ""),
        row!("CL-REM-3", remediations.nothing_to_be_remediated => False,   "NotRemediating", "{remediations.not_healthy} (not to be remediated)"),
        row!("CL-REM-4", remediations.progress_aggregated      => True,    "Remediating",    "{remediations.progress}"),
        row!("CL-REM-5", otherwise                             => Unknown, "InternalError",  CHECK_CONTROLLER_LOGS),
    ],
};
