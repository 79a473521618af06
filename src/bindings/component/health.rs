//! What a health check decides about its machines.

use super::abi::{Made, cases, made, record, variant};
use super::evaluation::{count, seconds, time};
use crate::outcome::{Cause, Clock, Condition, Judgement, MatchedCheck, Threshold, Verdict};

record! {
    Judgement { m:
        name: &str = &m.name,
        verdict: Verdict = m.verdict,
        row: &str = m.row,
        cause: Option<Cause> = m.cause,
        checks: &Vec<MatchedCheck> = &m.checks,
        since: Option<Made> = time(m.since),
        clock: Option<Clock> = m.clock,
        deadline: Option<Made> = time(m.deadline),
        remediation_row: Option<&str> = m.remediation_row,
        conditions: &Vec<Condition> = &m.conditions,
    }
    MatchedCheck { c:
        on: Target<'_> = Target(c),
        since: Made = made(c.since.to_string()),
        clock: Clock = c.clock,
        timeout_seconds: u64 = seconds(c.timeout_seconds),
        deadline: Made = made(c.deadline.to_string()),
        expired: bool = c.expired,
    }
    Threshold { t:
        targets: u32 = count(t.targets),
        healthy: u32 = count(t.healthy),
        waiting: u32 = count(t.waiting),
        unhealthy: u32 = count(t.unhealthy),
        not_evaluated: u32 = count(t.not_evaluated),
        counted: u32 = count(t.counted),
        min: Option<i64> = t.min,
        limit: i64 = t.limit,
        source: Source = source(t.source),
        configured: &str = &t.configured,
        allowed: bool = t.allowed,
        flips: &str = &t.flips,
    }
}

/// What a check looked at.
struct Target<'a>(&'a MatchedCheck);

variant! {
    Target<'_> { target, case: [(&str, &str), ()] match target.0.on {
        "Machine" => case.is(0, (&*target.0.kind, &*target.0.status)),
        "Node" => case.is(1, (&*target.0.kind, &*target.0.status)),
        _ => case.is(2, ()),
    } }
}

enum Source {
    UnhealthyInRange,
    UnhealthyLessThanOrEqualTo,
    Default,
}

fn source(name: &str) -> Source {
    match name {
        "unhealthyInRange" => Source::UnhealthyInRange,
        "unhealthyLessThanOrEqualTo" => Source::UnhealthyLessThanOrEqualTo,
        _ => Source::Default,
    }
}

cases! {
    Source { UnhealthyInRange UnhealthyLessThanOrEqualTo Default }
    Verdict { Healthy Unhealthy Waiting NotEvaluated Skipped }
    Cause { RemediateAnnotation NodeStartupTimeout NodeNotFound UnhealthyCondition }
    Clock { MachineCreated ClusterInfrastructureReady ControlPlaneInitialized MachineInfrastructureReady ConditionTransition }
}
