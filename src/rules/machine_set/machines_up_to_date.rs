#![doc = include_str!("machines_up_to_date.md")]

use super::{OfMachineSet, machines_not_listed};
use crate::rules::reports::reported;
use crate::table::{Table, internal_error, otherwise};

/// Whether the machines are as the spec wants them.
pub static MACHINES_UP_TO_DATE: Table<OfMachineSet> = reported! {
    id: "MS-UTD", kind: "MachineSet", condition: "MachinesUpToDate", source: "Cluster API v1.13.6, MachineSet controller",
    takes: "`UpToDate` of all Machines together" and later, facts: [input.machines.len], first: [internal_error!("MS-UTD-1", machines_not_listed)],
    up_to_date: "MS-UTD-2" True "NoReplicas", "MS-UTD-3" fails, "MS-UTD-4" False "NotUpToDate", "MS-UTD-5" Unknown "UpToDateUnknown", "MS-UTD-6" True "UpToDate",
};
