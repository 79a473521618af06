//! The checks that match a machine or its Node, and how long each has to last.

use super::target::{NodeState, Target};
use crate::outcome::{Clock, MatchedCheck};
use crate::text::go_duration;
use crate::time::Time;
use crate::view::{Condition, Conditions, ConditionsExt, UnhealthyCondition};

/// How long a machine may be without a Node unless the health check says otherwise, in seconds.
const DEFAULT_STARTUP_TIMEOUT: i64 = 600;
/// When to try again to read a Node, in seconds.
pub const RETRY_NODE_AFTER: i64 = 10;

/// The checks that match one machine.
#[derive(Debug, Default)]
pub struct Checks {
    /// On the machine's own conditions.
    pub machine: Vec<Check>,
    /// On the Node, or on its absence.
    pub node: Vec<Check>,
}

/// A check that matches, and what it says once it has matched for too long.
#[derive(Debug)]
pub struct Check {
    /// What matched since when, until when.
    pub matched: MatchedCheck,
    complaint: String,
}

impl Checks {
    /// Looks at one machine.
    pub fn of(target: &Target<'_>, now: Time) -> Self {
        let wanted = &target.health_check.spec.checks;
        let node = match target.node {
            NodeState::Found(node) => {
                conditions("Node", &wanted.unhealthy_node_conditions, &node.status.conditions, now)
            }
            NodeState::None => {
                let timeout = wanted.node_startup_timeout_seconds.unwrap_or(DEFAULT_STARTUP_TIMEOUT);
                if timeout == 0 { Vec::new() } else { vec![startup(target, timeout, now)] }
            }
            NodeState::NotFound | NodeState::Unreadable => Vec::new(),
        };
        let machine =
            conditions("Machine", &wanted.unhealthy_machine_conditions, &target.machine.status.conditions, now);
        Self { machine, node }
    }

    fn all(&self) -> impl Iterator<Item = &MatchedCheck> {
        self.machine.iter().chain(&self.node).map(|check| &check.matched)
    }

    /// The checks that have matched for too long.
    pub fn expired(&self) -> impl Iterator<Item = &MatchedCheck> {
        self.all().filter(|check| check.expired)
    }

    /// The checks that match, but not for too long yet.
    pub fn pending(&self) -> impl Iterator<Item = &MatchedCheck> {
        self.all().filter(|check| !check.expired)
    }

    /// Everything that has matched for too long, a line each; the machine's own conditions first.
    pub fn complaints(&self) -> Vec<&str> {
        self.machine.iter().chain(&self.node).filter(|c| c.matched.expired).map(|c| &*c.complaint).collect()
    }

    /// Everything that matched.
    pub fn into_matched(self) -> Vec<MatchedCheck> {
        self.machine.into_iter().chain(self.node).map(|check| check.matched).collect()
    }
}

fn conditions(on: &'static str, wanted: &[UnhealthyCondition<'_>], found: &Conditions<'_>, now: Time) -> Vec<Check> {
    wanted
        .iter()
        .filter_map(|check| {
            let condition = found.of_type(&check.kind).filter(|c| c.status == check.status)?;
            let timeout = check.timeout_seconds.unwrap_or(0);
            let complaint = format!(
                "Condition {} on {on} is reporting status {} with reason {} for more than {}",
                check.kind,
                check.status,
                condition.reason,
                go_duration(timeout)
            );
            let mut matched = clocked(on, condition.transitioned(), Clock::ConditionTransition, timeout, now);
            matched.kind = check.kind.to_string();
            matched.status = check.status.to_string();
            Some(Check { matched, complaint })
        })
        .collect()
}

/// The startup timeout counts from the latest event that a Node has to wait for.
fn startup(target: &Target<'_>, timeout: i64, now: Time) -> Check {
    let became_true = |conditions: &Conditions<'_>, kind: &str| {
        conditions.of_type(kind).filter(|c| c.status == "True").map(Condition::transitioned)
    };
    let cluster = |kind| target.cluster.and_then(|cluster| became_true(&cluster.status.conditions, kind));
    let machine = target.machine;
    let created = machine.metadata.creation_timestamp.unwrap_or(Time::ZERO);
    let (mut since, mut clock) = (created, Clock::MachineCreated);
    for (moment, base) in [
        (cluster("ControlPlaneInitialized"), Clock::ControlPlaneInitialized),
        (cluster("InfrastructureReady"), Clock::ClusterInfrastructureReady),
        (became_true(&machine.status.conditions, "InfrastructureReady"), Clock::MachineInfrastructureReady),
    ] {
        if let Some(moment) = moment.filter(|moment| *moment > since) {
            (since, clock) = (moment, base);
        }
    }
    let complaint = format!("Node failed to report startup in {}", go_duration(timeout));
    Check { matched: clocked("startup", since, clock, timeout, now), complaint }
}

/// A timeout has run out strictly after `since + timeout`; times are whole seconds, so that is one second later.
fn clocked(on: &'static str, since: Time, clock: Clock, timeout: i64, now: Time) -> MatchedCheck {
    let deadline = since.plus(timeout).plus(1);
    MatchedCheck {
        on,
        kind: String::new(),
        status: String::new(),
        since,
        clock,
        timeout_seconds: timeout,
        deadline,
        expired: deadline <= now,
    }
}
