#![doc = include_str!("machines_ready.md")]

use super::OfMachineDeployment;
use crate::rules::reports::reported;
use crate::table::{Table, otherwise};

/// Whether the machines are ready.
pub static MACHINES_READY: Table<OfMachineDeployment> = reported! {
    id: "MD-RDY", kind: "MachineDeployment", condition: "MachinesReady", source: "Cluster API v1.13.6, MachineDeployment controller",
    takes: "`Ready` of all Machines together", facts: [input.machines.len], first: [],
    ready: "MD-RDY-1" True "NoReplicas", "MD-RDY-2" fails, "MD-RDY-3" False "NotReady", "MD-RDY-4" Unknown "ReadyUnknown", "MD-RDY-5" True "Ready",
};
