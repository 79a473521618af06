#![doc = include_str!("scaling_down.md")]

use super::{OfMachineSet, machines_not_listed};
use crate::rules::scaling::scaling_down;
use crate::table::{Table, internal_error, otherwise};

/// Whether machines have to be removed.
pub static SCALING_DOWN: Table<OfMachineSet> = scaling_down! {
    id: "MS-SDN", kind: "MachineSet", source: "Cluster API v1.13.6, MachineSet controller",
    about: "Compares the wanted replicas, none during deletion, with the Machines, and says which Machines have been in deletion for more than 15 minutes. A Machine that came from another MachineSet counts once the MachineDeployment knows. True is the transitional state.",
    first: [internal_error!("MS-SDN-1", machines_not_listed)], shrinkage: not_set "MS-SDN-2", stuck "MS-SDN-3", down "MS-SDN-4", done "MS-SDN-5",
};
