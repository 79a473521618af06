#![doc = include_str!("scaling_down.md")]

use super::{OfMachinePool, machines_not_listed, not_set_by_cluster_api};
use crate::rules::scaling::scaling_down;
use crate::table::{Table, internal_error, otherwise, row};

/// Whether replicas have to be removed.
pub static SCALING_DOWN: Table<OfMachinePool> = scaling_down! {
    id: "MP-SDN", kind: "MachinePool", source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    about: "Compares the wanted replicas, none during deletion, with those that the infrastructure has, and says which Machines have been in deletion for more than 15 minutes. True is the transitional state.",
    first: [row!("MP-SDN-1", only cluster_api, not_set_by_cluster_api => keep), internal_error!("MP-SDN-2", machines_not_listed)],
    scaling: not_set "MP-SDN-3", stuck "MP-SDN-4", down "MP-SDN-5", done "MP-SDN-6",
};
