#![doc = include_str!("remediating.md")]

use super::{OfMachineSet, machines_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether unhealthy machines are being replaced.
#[rustfmt::skip]
pub static REMEDIATING: Table<OfMachineSet> = Table {
    id: "MS-REM",
    kind: "MachineSet",
    condition: "Remediating",
    about: "A Machine is unhealthy when its `HealthCheckSucceeded` is False, and the owner's to remediate when its `OwnerRemediated` is False too. True is the transitional state.",
    source: "Cluster API v1.13.6, MachineSet controller",
    facts: facts![remediations.unhealthy_machines, remediations.to_be_remediated; remediations.not_healthy, remediations.progress],
    rows: &[
        //   row         when                                     status   reason            message
        row!("MS-REM-1", machines_not_listed                   => Unknown, "InternalError",  CHECK_CONTROLLER_LOGS),
        row!("MS-REM-2", remediations.nothing_unhealthy        => False,   "NotRemediating", ""),
        row!("MS-REM-3", remediations.nothing_to_be_remediated => False,   "NotRemediating", "{remediations.not_healthy} (not to be remediated by MachineSet)"),
        row!("MS-REM-4", remediations.progress_aggregated      => True,    "Remediating",    "{remediations.progress}"),
        row!("MS-REM-5", otherwise                             => Unknown, "InternalError",  CHECK_CONTROLLER_LOGS),
    ],
};
