#![doc = include_str!("node_ready.md")]

use super::node::{
    control_plane_not_initialized, has_node_ref, infrastructure_not_provisioned, last_successful_probe, never_reached,
    node_found, node_name, node_unreadable, not_connected, not_reached_for_too_long, nothing_known, of_node,
    provider_id, provider_id_known,
};
use super::{Facts, OfMachine};
use crate::outcome::ConditionStatus;
use crate::table::{Copied, Table, otherwise, row};
use crate::view::{Condition, Node};

/// Whether the Node is ready.
pub static NODE_READY: Table<OfMachine> = of_node! {
    id: "M-NR", condition: "NodeReady", about: "The `Ready` condition of the Node.", facts: [],
    waiting: "M-NR-1" "M-NR-2", connecting: "M-NR-3" "M-NR-4", disconnected: "M-NR-5" "M-NR-6" "M-NR-7", unreadable: "M-NR-8",
    node: [row!("M-NR-9", node_reports_readiness => copy readiness_of_the_node), row!("M-NR-10", node_found => Unknown, "NodeReadyUnknown", "* Node.Ready: Condition not yet reported")],
    gone: "M-NR-11" "M-NR-12" "M-NR-13", awaited: "M-NR-14" "M-NR-15",
};

/// The Node has a `Ready` condition.
fn node_reports_readiness(s: &Facts<'_>) -> bool {
    readiness(s).is_some()
}

fn readiness_of_the_node(s: &Facts<'_>) -> Copied {
    let reported = readiness(s);
    let status = reported.and_then(|ready| ConditionStatus::parse(&ready.status)).unwrap_or(ConditionStatus::Unknown);
    let reason = match status {
        ConditionStatus::True => "NodeReady",
        ConditionStatus::False => "NodeNotReady",
        ConditionStatus::Unknown => "NodeReadyUnknown",
    };
    let message = reported.filter(|ready| status != ConditionStatus::True && !ready.message.is_empty());
    Copied {
        status,
        reason: reason.into(),
        message: message.map(|ready| format!("* Node.Ready: {}", ready.message)).unwrap_or_default().into(),
        since: reported.and_then(|ready| ready.last_transition_time),
    }
}

fn readiness<'a>(s: &'a Facts<'_>) -> Option<&'a Condition<'a>> {
    s.input.node.and_then(|node| last_of_type(node, "Ready"))
}

/// Of several conditions of a type, the last one of a Node counts.
pub fn last_of_type<'a>(node: &'a Node<'_>, kind: &str) -> Option<&'a Condition<'a>> {
    node.status.conditions.iter().rfind(|c| c.kind == kind)
}
