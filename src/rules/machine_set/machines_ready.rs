#![doc = include_str!("machines_ready.md")]

use super::{OfMachineSet, machines_not_listed};
use crate::rules::reports::reported;
use crate::table::{Table, internal_error, otherwise};

/// Whether the machines are ready.
pub static MACHINES_READY: Table<OfMachineSet> = reported! {
    id: "MS-RDY", kind: "MachineSet", condition: "MachinesReady", source: "Cluster API v1.13.6, MachineSet controller",
    takes: "`Ready` of all Machines together", facts: [input.machines.len], first: [internal_error!("MS-RDY-1", machines_not_listed)],
    ready: "MS-RDY-2" True "NoReplicas", "MS-RDY-3" fails, "MS-RDY-4" False "NotReady", "MS-RDY-5" Unknown "ReadyUnknown", "MS-RDY-6" True "Ready",
};
