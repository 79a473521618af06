#![doc = include_str!("remediating.md")]

use super::{Facts, OfMachineSet};
use crate::table::{Table, facts, row};

/// Whether unhealthy machines are being replaced.
#[rustfmt::skip]
pub static REMEDIATING: Table<OfMachineSet> = Table {
    id: "MS-REM",
    kind: "MachineSet",
    condition: "Remediating",
    about: "A Machine is unhealthy when its `HealthCheckSucceeded` is False, and the owner's to remediate when its `OwnerRemediated` is False too. True is the transitional state.",
    source: "Cluster API v1.13.6, MachineSet controller",
    facts: facts![unhealthy, to_be_remediated],
    rows: &[
        //   row         when                        status   reason            message
        row!("MS-REM-1", machines_not_listed      => Unknown, "InternalError",  CHECK_CONTROLLER_LOGS),
        row!("MS-REM-2", nothing_unhealthy        => False,   "NotRemediating", none),
        row!("MS-REM-3", nothing_to_be_remediated => False,   "NotRemediating", not_healthy_not_to_be_remediated),
        row!("MS-REM-4", remediation_aggregated   => True,    "Remediating",    remediation_progress),
        row!("MS-REM-5", aggregation_fails        => Unknown, "InternalError",  CHECK_CONTROLLER_LOGS),
    ],
};

fn unhealthy(s: &Facts<'_>) -> usize {
    s.remediations.unhealthy()
}

fn to_be_remediated(s: &Facts<'_>) -> usize {
    s.remediations.to_be_remediated()
}

fn machines_not_listed(s: &Facts<'_>) -> bool {
    !s.input.observed.machines_listed
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

fn not_healthy_not_to_be_remediated(s: &Facts<'_>) -> String {
    format!("{} (not to be remediated by MachineSet)", s.remediations.not_healthy())
}

fn remediation_progress(s: &Facts<'_>) -> String {
    s.remediations.progress()
}
