#![doc = include_str!("machines_up_to_date.md")]

use super::{OfMachinePool, machines, machines_not_listed, not_set_by_cluster_api};
use crate::rules::reports::reported;
use crate::table::{Table, internal_error, otherwise, row};

/// Whether the machines are as the spec wants them.
pub static MACHINES_UP_TO_DATE: Table<OfMachinePool> = reported! {
    id: "MP-UTD", kind: "MachinePool", condition: "MachinesUpToDate", source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    takes: "`UpToDate` of all Machines together, as it was just decided about them", facts: [machines],
    first: [row!("MP-UTD-1", only cluster_api, not_set_by_cluster_api => keep), internal_error!("MP-UTD-2", machines_not_listed)],
    up_to_date: "MP-UTD-3" True "NoReplicas", "MP-UTD-4" fails, "MP-UTD-5" False "NotUpToDate", "MP-UTD-6" Unknown "UpToDateUnknown", "MP-UTD-7" True "UpToDate",
};
