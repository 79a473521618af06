#![doc = include_str!("remediating.md")]

use super::OfMachineDeployment;
use crate::rules::remediations::remediating;
use crate::table::{Table, otherwise};

/// Whether unhealthy machines are being replaced.
pub static REMEDIATING: Table<OfMachineDeployment> = remediating! {
    id: "MD-REM", kind: "MachineDeployment", source: "docs/documents.md, MachineDeployment `Remediating`", first: [],
    rows: healthy "MD-REM-1", left_alone "MD-REM-2" [False, "NotRemediating", "{remediations.not_healthy} (not to be remediated by MachineDeployment/MachineSet)"], remediated "MD-REM-3", unclear "MD-REM-4",
};
