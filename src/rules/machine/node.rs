//! What `NodeReady` and `NodeHealthy` have in common: whether the Node could be looked at, and what its absence means.

use super::Facts;
use crate::time::Time;
use crate::view::ConditionsExt;

/// So many probes have to fail before a cluster that was never reached counts as lost.
const FAILURES_UNTIL_LOST: i64 = 5;

/// A table about the Node of a Machine: rows for a Node that can't be looked at, `node` what is read from one that was found, and
/// rows for one that is not there.
macro_rules! of_node {
    (
        id: $id:literal, condition: $condition:literal, about: $about:literal, facts: [$($fact:ident)?],
        waiting: $infrastructure:literal $initialization:literal, connecting: $connecting:literal $kept:literal,
        disconnected: $lost:literal $unknown:literal $remembered:literal, unreadable: $unreadable:literal, node: [$($node:expr),+],
        gone: $gone:literal $absent:literal $vanished:literal, awaited: $awaited:literal $otherwise:literal,
    ) => {
        $crate::table::Table {
            id: $id,
            kind: "Machine",
            condition: $condition,
            about: concat!($about, " What was known last is kept while the workload cluster can't be reached for a short time."),
            source: "Cluster API v1.13.6, `internal/controllers/machine`",
            facts: $crate::table::facts![
                node_found, never_reached, not_reached_for_too_long, not_connected, node_unreadable, provider_id_known;
                last_successful_probe, node_name, provider_id, infrastructure.kind $(, $fact)?
            ],
            rows: &[
                $crate::table::row!($infrastructure, infrastructure_not_provisioned => Unknown, "InspectionFailed", "Waiting for Cluster status.initialization.infrastructureProvisioned to be true"),
                $crate::table::row!($initialization, control_plane_not_initialized => Unknown, "InspectionFailed", "Waiting for Cluster control plane to be initialized"),
                $crate::table::row!($connecting, never_reached and nothing_known => Unknown, "ConnectionDown", "Remote connection not established yet"),
                $crate::table::row!($kept, never_reached => keep),
                $crate::table::row!($lost, not_reached_for_too_long => Unknown, "ConnectionDown", "{last_successful_probe}"),
                $crate::table::row!($unknown, not_connected and nothing_known => Unknown, "ConnectionDown", "{last_successful_probe}"),
                $crate::table::row!($remembered, not_connected => keep),
                $crate::table::row!($unreadable, node_unreadable => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
                $($node,)+
                $crate::table::row!($gone, has_node_ref and deletion.in_deletion => False, "NodeDeleted", "Node {node_name} has been deleted"),
                $crate::table::row!($absent, deletion.in_deletion => Unknown, "NodeDoesNotExist", "Node does not exist"),
                $crate::table::row!($vanished, has_node_ref => False, "NodeDeleted", "Node {node_name} has been deleted while the Machine still exists"),
                $crate::table::row!($awaited, provider_id_known => Unknown, "InspectionFailed", "Waiting for a Node with spec.providerID {provider_id} to exist"),
                $crate::table::row!($otherwise, otherwise => Unknown, "InspectionFailed", "Waiting for {infrastructure.kind} to report spec.providerID"),
            ],
        }
    };
}
pub(super) use of_node;

/// The Cluster's infrastructure has not been provisioned.
pub fn infrastructure_not_provisioned(s: &Facts<'_>) -> bool {
    !s.input.cluster.is_some_and(|cluster| cluster.status.initialization.infrastructure_provisioned)
}

/// The Cluster's `ControlPlaneInitialized` is not True.
pub fn control_plane_not_initialized(s: &Facts<'_>) -> bool {
    initialized_since(s).is_none()
}

/// No probe of the workload cluster has succeeded, and fewer than five have failed.
pub fn never_reached(s: &Facts<'_>) -> bool {
    let probes = &s.input.observed.health_checking_state;
    probes.last_probe_success_time.is_none() && probes.consecutive_failures < FAILURES_UNTIL_LOST
}

/// The last successful probe is longer ago than the grace period.
pub fn not_reached_for_too_long(s: &Facts<'_>) -> bool {
    connection_lost_at(s) <= s.progress.mode.now
}

/// There is no connection to the workload cluster.
pub fn not_connected(s: &Facts<'_>) -> bool {
    s.input.observed.node_get_error == "ClusterNotConnected"
}

/// Reading the Node failed.
pub fn node_unreadable(s: &Facts<'_>) -> bool {
    !s.input.observed.node_get_error.is_empty()
}

/// The Node was found.
pub fn node_found(s: &Facts<'_>) -> bool {
    s.input.node.is_some()
}

/// The Machine has a `spec.providerID`.
pub fn provider_id_known(s: &Facts<'_>) -> bool {
    !s.input.object.spec.provider_id.is_empty()
}

/// `Last successful probe at TIME`, or nothing when there was none.
pub fn last_successful_probe(s: &Facts<'_>) -> String {
    let last = s.input.observed.health_checking_state.last_probe_success_time;
    last.map_or(String::new(), |time| format!("Last successful probe at {time}"))
}

/// The Node that the Machine refers to.
pub fn node_name(s: &Facts<'_>) -> String {
    s.input.object.status.node_ref.name.to_string()
}

/// `spec.providerID` of the Machine.
pub fn provider_id(s: &Facts<'_>) -> String {
    s.input.object.spec.provider_id.to_string()
}

/// The first moment at which the Node has not been reached for too long.
pub fn connection_lost_at(s: &Facts<'_>) -> Time {
    let reached = s.input.observed.health_checking_state.last_probe_success_time.unwrap_or(Time::ZERO);
    let from = reached.max(initialized_since(s).unwrap_or(Time::ZERO));
    from.plus(s.input.observed.remote_conditions_grace_period_seconds.saturating_add(1))
}

fn initialized_since(s: &Facts<'_>) -> Option<Time> {
    let initialized = s.input.cluster?.status.conditions.of_type("ControlPlaneInitialized")?;
    (initialized.status == "True").then(|| initialized.transitioned())
}

/// Both conditions are set together, so one that is missing makes both worth setting.
pub fn nothing_known(s: &Facts<'_>) -> bool {
    ["NodeReady", "NodeHealthy"].iter().any(|kind| s.progress.stored(kind).is_none())
}

/// The Machine refers to a Node.
pub fn has_node_ref(s: &Facts<'_>) -> bool {
    !s.input.object.status.node_ref.name.is_empty()
}
