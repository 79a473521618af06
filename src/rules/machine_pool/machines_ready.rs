#![doc = include_str!("machines_ready.md")]

use super::{OfMachinePool, machines, machines_not_listed, not_set_by_cluster_api};
use crate::rules::reports::reported;
use crate::table::{Table, internal_error, otherwise, row};

/// Whether the machines are ready.
pub static MACHINES_READY: Table<OfMachinePool> = reported! {
    id: "MP-RDY", kind: "MachinePool", condition: "MachinesReady", source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    takes: "`Ready` of all Machines together" and " A pool whose infrastructure has no Machines has none to report.", facts: [machines],
    first: [row!("MP-RDY-1", only cluster_api, not_set_by_cluster_api => keep), internal_error!("MP-RDY-2", machines_not_listed)],
    ready: "MP-RDY-3" True "NoReplicas", "MP-RDY-4" fails, "MP-RDY-5" False "NotReady", "MP-RDY-6" Unknown "ReadyUnknown", "MP-RDY-7" True "Ready",
};
