#![doc = include_str!("infrastructure_ready.md")]

use super::{Facts, OfCluster, has_topology, waiting_for_topology};
use crate::table::{Table, facts, otherwise, row};

/// Whether what the Cluster runs on is ready.
#[rustfmt::skip]
pub static INFRASTRUCTURE_READY: Table<OfCluster> = Table {
    id: "CL-INF",
    kind: "Cluster",
    condition: "InfrastructureReady",
    about: "The `Ready` condition of the infrastructure cluster; where it has none, whether it was provisioned.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![infrastructure.reference, infrastructure.found, provisioned, deletion.in_deletion; waiting_for_topology, infrastructure.what_is_invalid, infrastructure.kind],
    rows: &[
        //   row         when                                              status   reason                      message
        row!("CL-INF-1", has_topology and not infrastructure.referenced => False,   "ObjectDoesNotExist",       "{waiting_for_topology}"),
        row!("CL-INF-2", infrastructure.conditions_invalid              => Unknown, "InvalidConditionReported", "{infrastructure.what_is_invalid}"),
        row!("CL-INF-3", infrastructure.reports("Ready")                => copy infrastructure.mirror("Ready", "Ready")),
        row!("CL-INF-4", infrastructure.found and provisioned           => True,    "Ready",                    ""),
        row!("CL-INF-5", infrastructure.found                           => False,   "NotReady",                 "{infrastructure.kind} status.initialization.provisioned is false"),
        row!("CL-INF-6", infrastructure.unreadable                      => Unknown, "InternalError",            CHECK_CONTROLLER_LOGS),
        row!("CL-INF-7", provisioned and deletion.in_deletion           => False,   "ObjectDeleted",            "{infrastructure.kind} has been deleted"),
        row!("CL-INF-8", provisioned                                    => False,   "ObjectDeleted",            "{infrastructure.kind} has been deleted while the cluster still exists"),
        row!("CL-INF-9", otherwise                                      => False,   "ObjectDoesNotExist",       "{infrastructure.kind} does not exist"),
    ],
};

/// `status.initialization.infrastructureProvisioned` of the Cluster.
fn provisioned(s: &Facts<'_>) -> bool {
    s.input.cluster.status.initialization.infrastructure_provisioned
}
