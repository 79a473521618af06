#![doc = include_str!("machines_ready.md")]

use super::OfKubeadmControlPlane;
use crate::table::{Table, facts, otherwise, row};

/// Whether the machines are ready.
#[rustfmt::skip]
pub static MACHINES_READY: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-RDY",
    kind: "KubeadmControlPlane",
    condition: "MachinesReady",
    about: "Takes the `Ready` of all Machines together: an issue goes before unknown, and the message says who reports what.",
    source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    facts: facts![input.machines.len; ready.message],
    rows: &[
        //   row          when                          status   reason           message
        row!("KCP-RDY-1", ready.nothing_to_aggregate => True,    "NoReplicas",    ""),
        row!("KCP-RDY-2", ready.aggregation_fails    => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("KCP-RDY-3", ready.some_issue_reported  => False,   "NotReady",      "{ready.message}"),
        row!("KCP-RDY-4", ready.some_status_unknown  => Unknown, "ReadyUnknown",  "{ready.message}"),
        row!("KCP-RDY-5", otherwise                  => True,    "Ready",         "{ready.message}"),
    ],
};
