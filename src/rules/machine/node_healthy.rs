#![doc = include_str!("node_healthy.md")]

use super::node::{
    control_plane_not_initialized, has_node_ref, infrastructure_not_provisioned, last_successful_probe, never_reached,
    node_found, node_name, node_unreadable, not_connected, not_reached_for_too_long, nothing_known, of_node,
    provider_id, provider_id_known,
};
use super::{Facts, OfMachine};
use crate::aggregate::Priority;
use crate::table::{Table, otherwise, row};

/// Whether the Node is healthy.
pub static NODE_HEALTHY: Table<OfMachine> = of_node! {
    id: "M-NH", condition: "NodeHealthy", about: "A Node is healthy when it is ready and has no pressure on memory, disk or processes.", facts: [node_report],
    waiting: "M-NH-1" "M-NH-2", connecting: "M-NH-3" "M-NH-4", disconnected: "M-NH-5" "M-NH-6" "M-NH-7", unreadable: "M-NH-8",
    node: [row!("M-NH-9", node_has_issues => False, "NodeNotHealthy", "{node_report}"), row!("M-NH-10", node_health_unknown => Unknown, "NodeHealthyUnknown", "{node_report}"), row!("M-NH-11", node_found => True, "NodeHealthy", "")],
    gone: "M-NH-12" "M-NH-13" "M-NH-14", awaited: "M-NH-15" "M-NH-16",
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
