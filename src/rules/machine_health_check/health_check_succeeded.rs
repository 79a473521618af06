#![doc = include_str!("health_check_succeeded.md")]

use super::target::{NodeState, Target, node_unreadable};
use crate::outcome::Cause::{self, NodeNotFound, NodeStartupTimeout, RemediateAnnotation, UnhealthyCondition};
use crate::outcome::Verdict;
use crate::table::{Table, facts, otherwise, row, subject};
use crate::text::go_duration;
use crate::view::annotation;

/// A machine whose health is checked.
pub struct OfHealth;

/// What a health check finds about a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// It is healthy.
    Healthy,
    /// It is unhealthy, and why.
    Unhealthy(Cause),
    /// A timeout is running.
    Waiting,
    /// It can't be checked now.
    NotEvaluated,
}

impl Act {
    /// The verdict, and why a machine is unhealthy.
    pub fn verdict(self) -> (Verdict, Option<Cause>) {
        match self {
            Self::Healthy => (Verdict::Healthy, None),
            Self::Unhealthy(cause) => (Verdict::Unhealthy, Some(cause)),
            Self::Waiting => (Verdict::Waiting, None),
            Self::NotEvaluated => (Verdict::NotEvaluated, None),
        }
    }
}

subject!(OfHealth, Target, Act);

/// Whether a machine is healthy.
#[rustfmt::skip]
pub static HEALTH_CHECK_SUCCEEDED: Table<OfHealth> = Table {
    id: "MHC-HCS",
    kind: "MachineHealthCheck",
    condition: "HealthCheckSucceeded",
    about: "Checks one Machine. A timeout has run out when more time than it allows has passed; until then the Machine waits.",
    source: "docs/documents.md, MachineHealthCheck, health checking",
    facts: facts![node, matching_checks, expired_checks; failed_checks, startup_timeout, tolerated_conditions],
    rows: &[
        //   row           when                                 status   reason                    message          verdict
        row!("MHC-HCS-1",  remediate_annotation          => False,   "HasRemediateAnnotation", "Health check failed: marked for remediation via cluster.x-k8s.io/remediate-machine annotation", act Unhealthy(RemediateAnnotation)),
        row!("MHC-HCS-2",  control_plane_not_initialized => keep, act NotEvaluated),
        row!("MHC-HCS-3",  node_but_no_infrastructure    => keep, act NotEvaluated; cluster_api: True, "HealthCheckSucceeded", "", act Healthy),
        row!("MHC-HCS-4",  infrastructure_not_ready      => keep, act NotEvaluated),
        row!("MHC-HCS-5",  machine_condition_expired     => False,   "UnhealthyMachine",       "Health check failed:\n  * {failed_checks}", act Unhealthy(UnhealthyCondition)),
        row!("MHC-HCS-6",  node_unreadable               => keep, act NotEvaluated),
        row!("MHC-HCS-7",  node_not_found                => False,   "NodeDeleted",            "Health check failed:\n  * {failed_checks}", act Unhealthy(NodeNotFound)),
        row!("MHC-HCS-8",  startup_timeout_expired       => False,   "NodeStartupTimeout",     "Health check failed:\n  * {failed_checks}", act Unhealthy(NodeStartupTimeout)),
        row!("MHC-HCS-9",  node_condition_expired        => False,   "UnhealthyNode",          "Health check failed:\n  * {failed_checks}", act Unhealthy(UnhealthyCondition)),
        row!("MHC-HCS-10", waiting_for_node              => Unknown, "WaitingForNode",         "Waiting for the Node to report startup, for at most {startup_timeout}", act Waiting; cluster_api: keep, act Waiting),
        row!("MHC-HCS-11", waiting_for_recovery          => Unknown, "WaitingForRecovery",     "Waiting for recovery:\n  * {tolerated_conditions}", act Waiting; cluster_api: keep, act Waiting),
        row!("MHC-HCS-12", in_deletion_or_without_node   => keep, act NotEvaluated),
        row!("MHC-HCS-13", otherwise                     => True,    "HealthCheckSucceeded",   "", act Healthy),
    ],
};

fn node(t: &Target<'_>) -> &'static str {
    match t.node {
        NodeState::None => "none",
        NodeState::Unreadable => "can't be read",
        NodeState::NotFound => "not found",
        NodeState::Found(_) => "found",
    }
}

fn matching_checks(t: &Target<'_>) -> usize {
    t.checks.pending().count().saturating_add(expired_checks(t))
}

fn expired_checks(t: &Target<'_>) -> usize {
    t.checks.expired().count()
}

/// The Machine has the annotation `cluster.x-k8s.io/remediate-machine`.
fn remediate_annotation(t: &Target<'_>) -> bool {
    t.machine.metadata.annotation(annotation::REMEDIATE_MACHINE).is_some()
}

/// The Cluster's `ControlPlaneInitialized` is not True. Control-plane Machines are checked all the same: the first one has to be
/// remediable.
fn control_plane_not_initialized(t: &Target<'_>) -> bool {
    !t.milestones.control_plane_initialized && !t.machine.is_control_plane()
}

/// The Cluster's `InfrastructureReady` is not True.
fn infrastructure_not_ready(t: &Target<'_>) -> bool {
    !t.milestones.infrastructure_ready
}

/// The Cluster's infrastructure is not ready, but the Machine has a Node and is not being deleted; Cluster API takes it for
/// healthy.
fn node_but_no_infrastructure(t: &Target<'_>) -> bool {
    infrastructure_not_ready(t) && !in_deletion_or_without_node(t)
}

/// Whether the checks of the health check are looked at.
pub fn checks_apply(t: &Target<'_>) -> bool {
    !remediate_annotation(t) && !control_plane_not_initialized(t) && !infrastructure_not_ready(t)
}

/// A condition of the Machine has matched a check for longer than its timeout.
fn machine_condition_expired(t: &Target<'_>) -> bool {
    t.checks.machine.iter().any(|check| check.matched.expired)
}

/// The Machine has had a Node that does not exist any more.
fn node_not_found(t: &Target<'_>) -> bool {
    matches!(t.node, NodeState::NotFound)
}

/// The Machine has no Node, and `nodeStartupTimeoutSeconds` have passed.
fn startup_timeout_expired(t: &Target<'_>) -> bool {
    matches!(t.node, NodeState::None) && node_condition_expired(t)
}

/// A condition of the Node has matched a check for longer than its timeout.
fn node_condition_expired(t: &Target<'_>) -> bool {
    t.checks.node.iter().any(|check| check.matched.expired)
}

/// The Machine has no Node, and the startup timeout is running.
fn waiting_for_node(t: &Target<'_>) -> bool {
    matches!(t.node, NodeState::None) && !t.checks.node.is_empty()
}

/// Some check matches, but not for too long yet.
fn waiting_for_recovery(t: &Target<'_>) -> bool {
    t.checks.pending().next().is_some()
}

/// The Machine has a deletion timestamp, or no Node was found.
fn in_deletion_or_without_node(t: &Target<'_>) -> bool {
    t.machine.metadata.in_deletion() || !matches!(t.node, NodeState::Found(_))
}

/// What has matched for too long, a line each.
fn failed_checks(t: &Target<'_>) -> String {
    let mut lines = t.checks.complaints();
    let deleted = format!("Node {} has been deleted", t.machine.status.node_ref.name);
    if node_not_found(t) {
        lines.push(&deleted);
    }
    lines.join("\n  * ")
}

/// How long the Node may take to start.
fn startup_timeout(t: &Target<'_>) -> String {
    let timeout = t.checks.node.first().map_or(0, |check| check.matched.timeout_seconds);
    go_duration(timeout)
}

/// The conditions that match, but not for too long yet, a line each.
fn tolerated_conditions(t: &Target<'_>) -> String {
    let lines: Vec<_> = t
        .checks
        .pending()
        .map(|check| {
            let timeout = go_duration(check.timeout_seconds);
            format!(
                "Condition {} on {} is reporting status {}, tolerated for {timeout}",
                check.kind, check.on, check.status
            )
        })
        .collect();
    lines.join("\n  * ")
}
