#![doc = include_str!("machines_ready.md")]

use super::{OfMachinePool, machines, machines_not_listed, not_set_by_cluster_api};
use crate::table::{Table, facts, otherwise, row};

/// Whether the machines are ready.
#[rustfmt::skip]
pub static MACHINES_READY: Table<OfMachinePool> = Table {
    id: "MP-RDY",
    kind: "MachinePool",
    condition: "MachinesReady",
    about: "Takes the `Ready` of all Machines together: an issue goes before unknown, and the message says who reports what. A pool whose infrastructure has no Machines has none to report.",
    source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    facts: facts![machines; ready.message],
    rows: &[
        // row, when, status, reason, message
        row!("MP-RDY-1", only cluster_api, not_set_by_cluster_api => keep),
        row!("MP-RDY-2", machines_not_listed                      => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MP-RDY-3", ready.nothing_to_aggregate               => True, "NoReplicas", ""),
        row!("MP-RDY-4", ready.aggregation_fails                  => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MP-RDY-5", ready.some_issue_reported                => False, "NotReady", "{ready.message}"),
        row!("MP-RDY-6", ready.some_status_unknown                => Unknown, "ReadyUnknown", "{ready.message}"),
        row!("MP-RDY-7", otherwise                                => True, "Ready", "{ready.message}"),
    ],
};
