//! What a health check decides about its machines.

use super::evaluation::{all, count, seconds};
use super::types::{self, CheckTarget, CheckedCondition};
use crate::outcome::{Cause, Clock, MachineEvaluation, MatchedCheck, Threshold, Verdict};

impl From<MachineEvaluation> for types::CheckedMachine {
    fn from(m: MachineEvaluation) -> Self {
        Self {
            name: m.name.into(),
            verdict: m.verdict.into(),
            row: m.row.to_owned(),
            cause: m.cause.map(Into::into),
            checks: all(m.checks),
            since: m.since.map(|time| time.to_string()),
            clock: m.clock.map(Into::into),
            deadline: m.deadline.map(|time| time.to_string()),
            remediation_row: m.remediation_row.map(ToOwned::to_owned),
            conditions: all(m.conditions),
        }
    }
}

/// An enum with the same cases.
macro_rules! same_cases {
    ($($name:ident { $($case:ident)* })*) => {$(
        impl From<$name> for types::$name {
            fn from(value: $name) -> Self {
                match value { $($name::$case => Self::$case),* }
            }
        }
    )*};
}

same_cases! {
    Verdict { Healthy Unhealthy Waiting NotEvaluated Skipped }
    Cause { RemediateAnnotation NodeStartupTimeout NodeNotFound UnhealthyCondition }
    Clock { MachineCreated ClusterInfrastructureReady ControlPlaneInitialized MachineInfrastructureReady ConditionTransition }
}

impl From<MatchedCheck> for types::MatchedCheck {
    fn from(c: MatchedCheck) -> Self {
        let condition = CheckedCondition { type_: c.kind, status: c.status };
        Self {
            on: match c.on {
                "Machine" => CheckTarget::Machine(condition),
                "Node" => CheckTarget::Node(condition),
                _ => CheckTarget::Startup,
            },
            since: c.since.to_string(),
            clock: c.clock.into(),
            timeout_seconds: seconds(c.timeout_seconds),
            deadline: c.deadline.to_string(),
            expired: c.expired,
        }
    }
}

impl From<Threshold> for types::Threshold {
    fn from(t: Threshold) -> Self {
        Self {
            targets: count(t.targets),
            healthy: count(t.healthy),
            waiting: count(t.waiting),
            unhealthy: count(t.unhealthy),
            not_evaluated: count(t.not_evaluated),
            counted: count(t.counted),
            min: t.min,
            limit: t.limit,
            source: match t.source {
                "unhealthyInRange" => types::ThresholdSource::UnhealthyInRange,
                "unhealthyLessThanOrEqualTo" => types::ThresholdSource::UnhealthyLessThanOrEqualTo,
                _ => types::ThresholdSource::Default,
            },
            configured: t.configured,
            allowed: t.allowed,
            flips: t.flips,
        }
    }
}
