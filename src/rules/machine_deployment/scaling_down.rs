#![doc = include_str!("scaling_down.md")]

use super::{OfMachineDeployment, machine_sets_not_listed};
use crate::rules::scaling::scaling_down;
use crate::table::{Table, internal_error, otherwise};

/// Whether machines have to be removed.
pub static SCALING_DOWN: Table<OfMachineDeployment> = scaling_down! {
    id: "MD-SDN", kind: "MachineDeployment", source: "Cluster API v1.13.6, MachineDeployment controller",
    about: "Compares the wanted replicas, none during deletion, with what the MachineSets count, and says which Machines have been in deletion for more than 15 minutes. True is the transitional state.",
    first: [internal_error!("MD-SDN-1", machine_sets_not_listed)], scaling: not_set "MD-SDN-2", stuck "MD-SDN-3", down "MD-SDN-4", done "MD-SDN-5",
};
