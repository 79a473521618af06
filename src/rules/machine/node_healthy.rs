#![doc = include_str!("node_healthy.md")]

use super::node::{
    control_plane_not_initialized, has_node_ref, infrastructure_not_provisioned, last_successful_probe, never_reached,
    node_found, node_name, node_unreadable, not_connected, not_reached_for_too_long, nothing_known, provider_id,
    provider_id_known,
};
use super::{Facts, OfMachine};
use crate::aggregate::Priority;
use crate::table::{Table, facts, otherwise, row};

/// Whether the Node is healthy.
#[rustfmt::skip]
pub static NODE_HEALTHY: Table<OfMachine> = Table {
    id: "M-NH",
    kind: "Machine",
    condition: "NodeHealthy",
    about: "A Node is healthy when it is ready and has no pressure on memory, disk or processes. What was known last is kept while the workload cluster can't be reached for a short time.",
    source: "Cluster API v1.13.6, `internal/controllers/machine`",
    facts: facts![node_found, never_reached, not_reached_for_too_long, not_connected, node_unreadable, provider_id_known; last_successful_probe, node_name, provider_id, infrastructure.kind, node_report],
    rows: &[
        //   row        when                                     status   reason                message
        row!("M-NH-1",  infrastructure_not_provisioned        => Unknown, "InspectionFailed",   "Waiting for Cluster status.initialization.infrastructureProvisioned to be true"),
        row!("M-NH-2",  control_plane_not_initialized         => Unknown, "InspectionFailed",   "Waiting for Cluster control plane to be initialized"),
        row!("M-NH-3",  never_reached and nothing_known       => Unknown, "ConnectionDown",     "Remote connection not established yet"),
        row!("M-NH-4",  never_reached                         => keep),
        row!("M-NH-5",  not_reached_for_too_long              => Unknown, "ConnectionDown",     "{last_successful_probe}"),
        row!("M-NH-6",  not_connected and nothing_known       => Unknown, "ConnectionDown",     "{last_successful_probe}"),
        row!("M-NH-7",  not_connected                         => keep),
        row!("M-NH-8",  node_unreadable                       => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("M-NH-9",  node_has_issues                       => False,   "NodeNotHealthy",     "{node_report}"),
        row!("M-NH-10", node_health_unknown                   => Unknown, "NodeHealthyUnknown", "{node_report}"),
        row!("M-NH-11", node_found                            => True,    "NodeHealthy",        ""),
        row!("M-NH-12", has_node_ref and deletion.in_deletion => False,   "NodeDeleted",        "Node {node_name} has been deleted"),
        row!("M-NH-13", deletion.in_deletion                  => Unknown, "NodeDoesNotExist",   "Node does not exist"),
        row!("M-NH-14", has_node_ref                          => False,   "NodeDeleted",        "Node {node_name} has been deleted while the Machine still exists"),
        row!("M-NH-15", provider_id_known                     => Unknown, "InspectionFailed",   "Waiting for a Node with spec.providerID {provider_id} to exist"),
        row!("M-NH-16", otherwise                             => Unknown, "InspectionFailed",   "Waiting for {infrastructure.kind} to report spec.providerID"),
    ],
};

/// Some condition of the Node is not as it should be.
fn node_has_issues(s: &Facts<'_>) -> bool {
    s.node_health.as_ref().is_some_and(|health| health.priority == Priority::Issue)
}

/// Nothing is wrong with the Node as far as is known, but some condition is Unknown or missing.
fn node_health_unknown(s: &Facts<'_>) -> bool {
    s.node_health.as_ref().is_some_and(|health| health.priority == Priority::Unknown)
}

/// A line for each condition of the Node that is not as it should be.
fn node_report(s: &Facts<'_>) -> String {
    s.node_health.as_ref().map_or(String::new(), |health| health.message.clone())
}
