#![doc = include_str!("topology_reconciled.md")]

use super::{Facts, OfCluster, Problem as Act};
use crate::rules::paused::paused_by;
use crate::table::{Table, facts, otherwise, row};

/// Whether everything of the Cluster is as its topology wants it.
#[rustfmt::skip]
pub static TOPOLOGY_RECONCILED: Table<OfCluster> = Table {
    id: "CL-TPR",
    kind: "Cluster",
    condition: "TopologyReconciled",
    about: "Whether everything of a Cluster that is made from a ClusterClass is as its topology wants it. An upgrade is passed on step by step; until it has reached all parts, the condition says how far it is.",
    source: "Cluster API v1.14.2, `core/reconcilers/topology/cluster`",
    facts: facts![paused, topology.failed, deletion.in_deletion, topology.upgrading, topology.blocked; paused_because, topology.error, topology.blocking_hooks, topology.version, topology.progress],
    rows: &[
        // row, when, status, reason, message
        row!("CL-TPR-1",  topology.not_read                             => keep),
        row!("CL-TPR-2",  paused                                        => False, "Paused",                            "{paused_because}"),
        row!("CL-TPR-3",  topology.failed                               => False, "ReconcileFailed",                   "{topology.error}"),
        row!("CL-TPR-4",  deletion.in_deletion and topology.blocked              => False, "Deleting",                          "Cluster is deleting. Following hooks are blocking delete: {topology.blocking_hooks}"),
        row!("CL-TPR-5",  deletion.in_deletion                                   => False, "Deleting",                          "Cluster is deleting"),
        row!("CL-TPR-6",  class_outdated                                => False, "ClusterClassNotReconciled",         "ClusterClass not reconciled. If this condition persists please check ClusterClass status. A ClusterClass is reconciled if.status.observedGeneration == .metadata.generation is true. If this is not the case either ClusterClass reconciliation failed or the ClusterClass is paused"),
        row!("CL-TPR-7",  topology.creating and topology.blocked        => False, "ClusterCreating",                   "Following hooks are blocking Cluster topology creation: {topology.blocking_hooks}"),
        row!("CL-TPR-8",  topology.creating                             => True,  "ReconcileSucceeded",                ""),
        row!("CL-TPR-9",  not topology.upgrading                        => True,  "ReconcileSucceeded",                ""),
        row!("CL-TPR-10", topology.version_unknown                      => keep, act NoControlPlaneVersion),
        row!("CL-TPR-11", topology.deployments_deferred                 => False, "MachineDeploymentsUpgradeDeferred", "Cluster is upgrading to {topology.version}{topology.progress}"),
        row!("CL-TPR-12", topology.pools_deferred                       => False, "MachinePoolsUpgradeDeferred",       "Cluster is upgrading to {topology.version}{topology.progress}"),
        row!("CL-TPR-13", otherwise                                     => False, "ClusterUpgrading",                  "Cluster is upgrading to {topology.version}{topology.progress}"),
    ],
};

/// The Cluster is paused, or carries the annotation that pauses it.
fn paused(s: &Facts<'_>) -> bool {
    !paused_because(s).is_empty()
}

/// What pauses the Cluster.
fn paused_because(s: &Facts<'_>) -> String {
    paused_by("Cluster", &s.input.object.metadata, Some(s.input.object))
}

/// The ClusterClass has a newer spec than its controller has looked at.
fn class_outdated(s: &Facts<'_>) -> bool {
    s.input.cluster_class.is_some_and(|class| class.metadata.generation != class.status.observed_generation)
}
