#![doc = include_str!("remediating.md")]

use super::{Facts, OfCluster, descendants_not_listed};
use crate::table::{Table, facts, row};

/// Whether unhealthy machines are being replaced.
#[rustfmt::skip]
pub static REMEDIATING: Table<OfCluster> = Table {
    id: "CL-REM",
    kind: "Cluster",
    condition: "Remediating",
    about: "A Machine is unhealthy when its `HealthCheckSucceeded` is False, and the owner's to remediate when its `OwnerRemediated` is False too. True is the transitional state.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![unhealthy, to_be_remediated],
    rows: &[
        //   row         when                            status   reason            message
        row!("CL-REM-1", descendants_not_listed   => Unknown, "InternalError",  CHECK_CONTROLLER_LOGS),
        row!("CL-REM-2", nothing_unhealthy        => False,   "NotRemediating", none),
        row!("CL-REM-3", nothing_to_be_remediated => False,   "NotRemediating", not_to_be_remediated),
        row!("CL-REM-4", remediation_aggregated   => True,    "Remediating",    remediation_progress),
        row!("CL-REM-5", aggregation_fails        => Unknown, "InternalError",  CHECK_CONTROLLER_LOGS),
    ],
};

fn unhealthy(s: &Facts<'_>) -> usize {
    s.remediations.unhealthy()
}

fn to_be_remediated(s: &Facts<'_>) -> usize {
    s.remediations.to_be_remediated()
}

fn nothing_unhealthy(s: &Facts<'_>) -> bool {
    s.remediations.nothing_unhealthy()
}

fn nothing_to_be_remediated(s: &Facts<'_>) -> bool {
    s.remediations.nothing_to_be_remediated()
}

fn remediation_aggregated(s: &Facts<'_>) -> bool {
    s.remediations.aggregated()
}

fn aggregation_fails(s: &Facts<'_>) -> bool {
    !remediation_aggregated(s)
}

fn not_to_be_remediated(s: &Facts<'_>) -> String {
    format!("{} (not to be remediated)", s.remediations.not_healthy())
}

fn remediation_progress(s: &Facts<'_>) -> String {
    s.remediations.progress()
}
