#![doc = include_str!("machines_ready.md")]

use super::{Facts, OfKubeadmControlPlane};
use crate::table::{Table, facts, otherwise, row};

/// Whether the machines are ready.
#[rustfmt::skip]
pub static MACHINES_READY: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-RDY",
    kind: "KubeadmControlPlane",
    condition: "MachinesReady",
    about: "Takes the `Ready` of all Machines together: an issue goes before unknown, and the message says who reports what.",
    source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    facts: facts![machines],
    rows: &[
        //   row          when                             status   reason           message
        row!("KCP-RDY-1", no_machines                   => True,    "NoReplicas",    none),
        row!("KCP-RDY-2", aggregation_fails             => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("KCP-RDY-3", some_machine_reports_an_issue => False,   "NotReady",      aggregated),
        row!("KCP-RDY-4", some_status_unknown           => Unknown, "ReadyUnknown",  aggregated),
        row!("KCP-RDY-5", otherwise                     => True,    "Ready",         aggregated),
    ],
};

fn machines(s: &Facts<'_>) -> usize {
    s.input.machines.len()
}

fn no_machines(s: &Facts<'_>) -> bool {
    s.ready.no_machines()
}

fn aggregation_fails(s: &Facts<'_>) -> bool {
    s.ready.fails()
}

fn some_machine_reports_an_issue(s: &Facts<'_>) -> bool {
    s.ready.issue()
}

fn some_status_unknown(s: &Facts<'_>) -> bool {
    s.ready.unknown()
}

fn aggregated(s: &Facts<'_>) -> String {
    s.ready.message()
}
