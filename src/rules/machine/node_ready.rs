#![doc = include_str!("node_ready.md")]

use super::node::{
    control_plane_not_initialized, has_node_ref, infrastructure_not_provisioned, last_successful_probe, never_reached,
    node_found, node_name, node_unreadable, not_connected, not_reached_for_too_long, nothing_known, provider_id,
    provider_id_known,
};
use super::{Facts, OfMachine};
use crate::outcome::ConditionStatus;
use crate::table::{Copied, Table, facts, otherwise, row};
use crate::view::{Condition, Node};

/// Whether the Node is ready.
#[rustfmt::skip]
pub static NODE_READY: Table<OfMachine> = Table {
    id: "M-NR",
    kind: "Machine",
    condition: "NodeReady",
    about: "The `Ready` condition of the Node. What was known last is kept while the workload cluster can't be reached for a short time.",
    source: "Cluster API v1.13.6, `internal/controllers/machine`",
    facts: facts![node_found, never_reached, not_reached_for_too_long, not_connected, node_unreadable, provider_id_known; last_successful_probe, node_name, provider_id, infrastructure.kind],
    rows: &[
        //   row        when                                     status   reason              message
        row!("M-NR-1",  infrastructure_not_provisioned        => Unknown, "InspectionFailed", "Waiting for Cluster status.initialization.infrastructureProvisioned to be true"),
        row!("M-NR-2",  control_plane_not_initialized         => Unknown, "InspectionFailed", "Waiting for Cluster control plane to be initialized"),
        row!("M-NR-3",  never_reached and nothing_known       => Unknown, "ConnectionDown",   "Remote connection not established yet"),
        row!("M-NR-4",  never_reached                         => keep),
        row!("M-NR-5",  not_reached_for_too_long              => Unknown, "ConnectionDown",   "{last_successful_probe}"),
        row!("M-NR-6",  not_connected and nothing_known       => Unknown, "ConnectionDown",   "{last_successful_probe}"),
        row!("M-NR-7",  not_connected                         => keep),
        row!("M-NR-8",  node_unreadable                       => Unknown, "InternalError",    CHECK_CONTROLLER_LOGS),
        row!("M-NR-9",  node_reports_readiness                => copy readiness_of_the_node),
        row!("M-NR-10", node_found                            => Unknown, "NodeReadyUnknown", "* Node.Ready: Condition not yet reported"),
        row!("M-NR-11", has_node_ref and deletion.in_deletion => False,   "NodeDeleted",      "Node {node_name} has been deleted"),
        row!("M-NR-12", deletion.in_deletion                  => Unknown, "NodeDoesNotExist", "Node does not exist"),
        row!("M-NR-13", has_node_ref                          => False,   "NodeDeleted",      "Node {node_name} has been deleted while the Machine still exists"),
        row!("M-NR-14", provider_id_known                     => Unknown, "InspectionFailed", "Waiting for a Node with spec.providerID {provider_id} to exist"),
        row!("M-NR-15", otherwise                             => Unknown, "InspectionFailed", "Waiting for {infrastructure.kind} to report spec.providerID"),
    ],
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
