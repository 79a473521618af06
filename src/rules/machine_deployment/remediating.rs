#![doc = include_str!("remediating.md")]

use super::OfMachineDeployment;
use crate::table::{Table, facts, otherwise, row};

/// Whether unhealthy machines are being replaced.
#[rustfmt::skip]
pub static REMEDIATING: Table<OfMachineDeployment> = Table {
    id: "MD-REM",
    kind: "MachineDeployment",
    condition: "Remediating",
    about: "A Machine is unhealthy when its `HealthCheckSucceeded` is False, and the owner's to remediate when its `OwnerRemediated` is False too. True is the transitional state.",
    source: "docs/documents.md, MachineDeployment `Remediating`",
    facts: facts![remediations.unhealthy_machines, remediations.to_be_remediated; remediations.not_healthy, remediations.progress],
    rows: &[
        //   row         when                                     status   reason            message
        row!("MD-REM-1", remediations.nothing_unhealthy        => False,   "NotRemediating", ""),
        row!("MD-REM-2", remediations.nothing_to_be_remediated => False,   "NotRemediating", "{remediations.not_healthy} (not to be remediated by MachineDeployment/MachineSet)"),
        row!("MD-REM-3", remediations.progress_aggregated      => True,    "Remediating",    "{remediations.progress}"),
        row!("MD-REM-4", otherwise                             => Unknown, "InternalError",  CHECK_CONTROLLER_LOGS),
    ],
};
