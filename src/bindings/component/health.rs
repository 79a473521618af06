//! What a health check says about its machines.

use super::evaluation::all;
use super::types;
use crate::outcome::{Evaluation, MachineEvaluation, MatchedCheck, Threshold, Verdict};
use std::mem;

impl From<Evaluation> for types::HealthCheckEvaluation {
    fn from(mut e: Evaluation) -> Self {
        let (machines, threshold) = (mem::take(&mut e.machines), e.threshold.take());
        let machines = machines.into_iter().map(|machine| MachineEvaluation::from(machine).into()).collect();
        Self { evaluation: e.into(), machines, threshold: threshold.map(Into::into) }
    }
}

impl From<MachineEvaluation> for types::MachineEvaluation {
    fn from(m: MachineEvaluation) -> Self {
        Self {
            name: m.name.into(),
            verdict: m.verdict.into(),
            row: m.row.to_owned(),
            cause: m.cause.map(|cause| cause.as_str().to_owned()),
            checks: all(m.checks),
            since: m.since.map(|time| time.to_string()),
            clock: m.clock.map(|clock| clock.as_str().to_owned()),
            deadline: m.deadline.map(|time| time.to_string()),
            remediation_row: m.remediation_row.map(ToOwned::to_owned),
            conditions: all(m.conditions),
        }
    }
}

impl From<Verdict> for types::Verdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Healthy => Self::Healthy,
            Verdict::Unhealthy => Self::Unhealthy,
            Verdict::Waiting => Self::Waiting,
            Verdict::NotEvaluated => Self::NotEvaluated,
            Verdict::Skipped => Self::Skipped,
        }
    }
}

impl From<MatchedCheck> for types::MatchedCheck {
    fn from(c: MatchedCheck) -> Self {
        Self {
            on: c.on.to_owned(),
            type_: c.kind,
            status: c.status,
            since: c.since.to_string(),
            clock: c.clock.as_str().to_owned(),
            timeout_seconds: c.timeout_seconds,
            deadline: c.deadline.to_string(),
            expired: c.expired,
        }
    }
}

impl From<Threshold> for types::Threshold {
    fn from(t: Threshold) -> Self {
        Self {
            targets: t.targets,
            healthy: t.healthy,
            waiting: t.waiting,
            unhealthy: t.unhealthy,
            not_evaluated: t.not_evaluated,
            counted: t.counted,
            min: t.min,
            limit: t.limit,
            source: t.source.to_owned(),
            configured: t.configured,
            allowed: t.allowed,
            flips: t.flips,
        }
    }
}
