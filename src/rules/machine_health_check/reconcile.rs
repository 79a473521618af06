#![doc = include_str!("reconcile.md")]

use super::Facts;
use crate::table::{Table, facts, otherwise, row, subject};

/// A health check before its machines are looked at.
pub struct OfAdmission;

subject!(OfAdmission, Facts, Act);

/// Whether machines are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Check the machines.
    CheckMachines,
    /// Leave everything as it is.
    DoNothing,
    /// Leave everything as it is and say why; the host retries.
    ReportError,
}

/// Whether machines are checked at all.
#[rustfmt::skip]
pub static RECONCILE: Table<OfAdmission> = Table {
    id: "MHC-REC",
    kind: "MachineHealthCheck",
    condition: "Reconcile",
    about: "Before any machine is checked: what can't be read, and what is paused. Cluster API writes a new or changed `Paused` condition first and comes back for the rest.",
    source: "docs/documents.md, MachineHealthCheck, overview and error handling",
    facts: facts![cluster_found, paused, machines_listed, workload_cluster_connected],
    rows: &[
        //   row          when                             step
        row!("MHC-REC-1", not cluster_found         => act ReportError),
        row!("MHC-REC-2", paused                    => act DoNothing),
        row!("MHC-REC-3", not machines_listed       => act ReportError),
        row!("MHC-REC-4", paused_condition_outdated => act CheckMachines; cluster_api: act DoNothing),
        row!("MHC-REC-5", workload_cluster_lost     => act CheckMachines; cluster_api: act ReportError),
        row!("MHC-REC-6", some_node_unreadable      => act CheckMachines; cluster_api: act ReportError),
        row!("MHC-REC-7", otherwise                 => act CheckMachines),
    ],
};

/// The Cluster that `spec.clusterName` names exists.
fn cluster_found(s: &Facts<'_>) -> bool {
    s.input.observed.cluster_found && s.input.cluster.is_some()
}

/// The Cluster or the health check is paused.
fn paused(s: &Facts<'_>) -> bool {
    s.paused
}

/// The Machines could be listed.
fn machines_listed(s: &Facts<'_>) -> bool {
    s.input.observed.machines_listed
}

/// There is a connection to the workload cluster.
fn workload_cluster_connected(s: &Facts<'_>) -> bool {
    s.input.observed.workload_cluster_connected
}

/// The stored `Paused` condition differs from the one decided now.
fn paused_condition_outdated(s: &Facts<'_>) -> bool {
    s.paused_outdated
}

/// The control plane has been initialized, but there is no connection to it.
fn workload_cluster_lost(s: &Facts<'_>) -> bool {
    s.input.milestones().control_plane_initialized && !workload_cluster_connected(s)
}

/// Some target's Node can't be read.
fn some_node_unreadable(s: &Facts<'_>) -> bool {
    s.selection().some_node_unreadable()
}

/// What stands in the way, for the host's log.
pub fn error(s: &Facts<'_>) -> String {
    let spec = &s.input.health_check.spec;
    if !cluster_found(s) {
        format!("Cluster {} of MachineHealthCheck {} not found", spec.cluster_name, s.input.health_check.metadata.key())
    } else if !machines_listed(s) {
        format!("Machines of Cluster {} can't be listed", spec.cluster_name)
    } else if workload_cluster_lost(s) {
        format!("no connection to the workload cluster {}", spec.cluster_name)
    } else {
        format!(
            "Nodes can't be read: {}",
            s.input.observed.node_read_errors.iter().map(|n| &**n).collect::<Vec<_>>().join(", ")
        )
    }
}
