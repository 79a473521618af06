#![doc = include_str!("machines_up_to_date.md")]

use super::OfMachineDeployment;
use crate::rules::reports::reported;
use crate::table::{Table, otherwise};

/// Whether the machines are as the spec wants them.
pub static MACHINES_UP_TO_DATE: Table<OfMachineDeployment> = reported! {
    id: "MD-UTD", kind: "MachineDeployment", condition: "MachinesUpToDate", source: "Cluster API v1.13.6, MachineDeployment controller",
    takes: "`UpToDate` of all Machines together" and later, facts: [input.machines.len], first: [],
    up_to_date: "MD-UTD-1" True "NoReplicas", "MD-UTD-2" fails, "MD-UTD-3" False "NotUpToDate", "MD-UTD-4" Unknown "UpToDateUnknown", "MD-UTD-5" True "UpToDate",
};
