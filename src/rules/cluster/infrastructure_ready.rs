#![doc = include_str!("infrastructure_ready.md")]

use super::{Facts, OfCluster, waiting_for_topology};
use crate::table::{Copied, Table, facts, otherwise, row};

/// Whether what the Cluster runs on is ready.
#[rustfmt::skip]
pub static INFRASTRUCTURE_READY: Table<OfCluster> = Table {
    id: "CL-INF",
    kind: "Cluster",
    condition: "InfrastructureReady",
    about: "The `Ready` condition of the infrastructure cluster; where it has none, whether it was provisioned.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![infrastructure_ref, infrastructure_found, provisioned, in_deletion],
    rows: &[
        //   row         when                                status   reason                      message
        row!("CL-INF-1", topology_not_reconciled      => False,   "ObjectDoesNotExist",       waiting_for_topology),
        row!("CL-INF-2", conditions_invalid           => Unknown, "InvalidConditionReported", what_is_invalid),
        row!("CL-INF-3", readiness_reported           => copy readiness_of_the_infrastructure),
        row!("CL-INF-4", provisioned_without_it       => True,    "Ready",                    none),
        row!("CL-INF-5", infrastructure_found         => False,   "NotReady",                 not_provisioned),
        row!("CL-INF-6", infrastructure_unreadable    => Unknown, "InternalError",            CHECK_CONTROLLER_LOGS),
        row!("CL-INF-7", deleted_with_cluster         => False,   "ObjectDeleted",            has_been_deleted),
        row!("CL-INF-8", deleted_while_cluster_exists => False,   "ObjectDeleted",            has_been_deleted_too_early),
        row!("CL-INF-9", otherwise                    => False,   "ObjectDoesNotExist",       does_not_exist),
    ],
};

fn infrastructure_ref(s: &Facts<'_>) -> String {
    let infrastructure_ref = &s.input.cluster.spec.infrastructure_ref;
    format!("{} {}", infrastructure_ref.kind, infrastructure_ref.name)
}

fn provisioned(s: &Facts<'_>) -> bool {
    s.input.cluster.status.initialization.infrastructure_provisioned
}

fn in_deletion(s: &Facts<'_>) -> bool {
    s.in_deletion()
}

fn topology_not_reconciled(s: &Facts<'_>) -> bool {
    let spec = &s.input.cluster.spec;
    !spec.infrastructure_ref.is_defined() && spec.topology.is_defined()
}

fn conditions_invalid(s: &Facts<'_>) -> bool {
    !s.infrastructure.invalid().is_empty()
}

fn readiness_reported(s: &Facts<'_>) -> bool {
    s.infrastructure.reports("Ready")
}

fn infrastructure_found(s: &Facts<'_>) -> bool {
    s.infrastructure.found()
}

fn provisioned_without_it(s: &Facts<'_>) -> bool {
    infrastructure_found(s) && provisioned(s)
}

fn infrastructure_unreadable(s: &Facts<'_>) -> bool {
    s.infrastructure.unreadable()
}

fn deleted_with_cluster(s: &Facts<'_>) -> bool {
    provisioned(s) && in_deletion(s)
}

fn deleted_while_cluster_exists(s: &Facts<'_>) -> bool {
    provisioned(s) && !in_deletion(s)
}

fn what_is_invalid(s: &Facts<'_>) -> String {
    s.infrastructure.invalid().to_owned()
}

fn readiness_of_the_infrastructure(s: &Facts<'_>) -> Copied {
    s.infrastructure.mirror("Ready", "Ready")
}

fn not_provisioned(s: &Facts<'_>) -> String {
    format!("{} status.initialization.provisioned is false", kind(s))
}

fn has_been_deleted(s: &Facts<'_>) -> String {
    format!("{} has been deleted", kind(s))
}

fn has_been_deleted_too_early(s: &Facts<'_>) -> String {
    format!("{} has been deleted while the cluster still exists", kind(s))
}

fn does_not_exist(s: &Facts<'_>) -> String {
    format!("{} does not exist", kind(s))
}

fn kind<'a>(s: &'a Facts<'_>) -> &'a str {
    &s.input.cluster.spec.infrastructure_ref.kind
}
