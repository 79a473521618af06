#![doc = include_str!("remediating.md")]

use super::{OfMachineSet, machines_not_listed};
use crate::rules::remediations::remediating;
use crate::table::{Table, internal_error, otherwise};

/// Whether unhealthy machines are being replaced.
pub static REMEDIATING: Table<OfMachineSet> = remediating! {
    id: "MS-REM", kind: "MachineSet", source: "Cluster API v1.13.6, MachineSet controller", first: [internal_error!("MS-REM-1", machines_not_listed)],
    rows: healthy "MS-REM-2", left_alone "MS-REM-3" [False, "NotRemediating", "{remediations.not_healthy} (not to be remediated by MachineSet)"], remediated "MS-REM-4", unclear "MS-REM-5",
};
