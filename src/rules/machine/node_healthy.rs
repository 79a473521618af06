#![doc = include_str!("node_healthy.md")]

use super::node::{
    control_plane_not_initialized, infrastructure_not_provisioned, last_successful_probe, machine_deleted_without_node,
    never_reached, never_reached_nothing_known, node_deleted_while_machine_exists, node_deleted_with_machine,
    node_found, node_has_been_deleted, node_has_been_deleted_too_early, node_unreadable, not_connected,
    not_connected_nothing_known, not_reached_for_too_long, provider_id_known, waiting_for_provider_id,
    waiting_for_the_node,
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
    facts: facts![node_found, never_reached, not_reached_for_too_long, not_connected, node_unreadable, provider_id_known],
    rows: &[
        //   row        when                                     status   reason                message
        row!("M-NH-1",  infrastructure_not_provisioned    => Unknown, "InspectionFailed",   "Waiting for Cluster status.initialization.infrastructureProvisioned to be true"),
        row!("M-NH-2",  control_plane_not_initialized     => Unknown, "InspectionFailed",   "Waiting for Cluster control plane to be initialized"),
        row!("M-NH-3",  never_reached_nothing_known       => Unknown, "ConnectionDown",     "Remote connection not established yet"),
        row!("M-NH-4",  never_reached                     => keep),
        row!("M-NH-5",  not_reached_for_too_long          => Unknown, "ConnectionDown",     last_successful_probe),
        row!("M-NH-6",  not_connected_nothing_known       => Unknown, "ConnectionDown",     last_successful_probe),
        row!("M-NH-7",  not_connected                     => keep),
        row!("M-NH-8",  node_unreadable                   => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("M-NH-9",  node_has_issues                   => False,   "NodeNotHealthy",     what_the_node_reports),
        row!("M-NH-10", node_health_unknown               => Unknown, "NodeHealthyUnknown", what_the_node_reports),
        row!("M-NH-11", node_found                        => True,    "NodeHealthy",        none),
        row!("M-NH-12", node_deleted_with_machine         => False,   "NodeDeleted",        node_has_been_deleted),
        row!("M-NH-13", machine_deleted_without_node      => Unknown, "NodeDoesNotExist",   "Node does not exist"),
        row!("M-NH-14", node_deleted_while_machine_exists => False,   "NodeDeleted",        node_has_been_deleted_too_early),
        row!("M-NH-15", provider_id_known                 => Unknown, "InspectionFailed",   waiting_for_the_node),
        row!("M-NH-16", otherwise                         => Unknown, "InspectionFailed",   waiting_for_provider_id),
    ],
};

fn node_has_issues(s: &Facts<'_>) -> bool {
    s.node_health.as_ref().is_some_and(|health| health.priority == Priority::Issue)
}

fn node_health_unknown(s: &Facts<'_>) -> bool {
    s.node_health.as_ref().is_some_and(|health| health.priority == Priority::Unknown)
}

fn what_the_node_reports(s: &Facts<'_>) -> String {
    s.node_health.as_ref().map_or(String::new(), |health| health.message.clone())
}
