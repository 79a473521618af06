#![doc = include_str!("remediating.md")]

use super::{Facts, OfMachineDeployment};
use crate::table::{Table, facts, row};

/// Whether unhealthy machines are being replaced.
#[rustfmt::skip]
pub static REMEDIATING: Table<OfMachineDeployment> = Table {
    id: "MD-REM",
    kind: "MachineDeployment",
    condition: "Remediating",
    about: "A Machine is unhealthy when its `HealthCheckSucceeded` is False, and the owner's to remediate when its `OwnerRemediated` is False too. True is the transitional state.",
    source: "machinedeployment-remediating.md",
    facts: facts![unhealthy, to_be_remediated],
    rows: &[
        //   row         when                            status   reason            message
        row!("MD-REM-1", nothing_unhealthy        => False,   "NotRemediating", none),
        row!("MD-REM-2", nothing_to_be_remediated => False,   "NotRemediating", not_healthy_not_to_be_remediated),
        row!("MD-REM-3", remediation_aggregated   => True,    "Remediating",    remediation_progress),
        row!("MD-REM-4", aggregation_fails        => Unknown, "InternalError",  CHECK_CONTROLLER_LOGS),
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

fn not_healthy_not_to_be_remediated(s: &Facts<'_>) -> String {
    format!("{} (not to be remediated by MachineDeployment/MachineSet)", s.remediations.not_healthy())
}

fn remediation_progress(s: &Facts<'_>) -> String {
    s.remediations.progress()
}
