//! A judgement in, whether the next evaluation comes to the same unless something changes out.

use crate::outcome::{MachineEvaluation, Verdict};
use crate::time::Time;

/// Whether a judgement that was made `now` lasts until the machine's next change.
///
/// What is done about an unhealthy machine depends on the machines before it, an unreadable Node concerns the whole health
/// check, and a request is deleted once: such machines are looked at each time. So are those with a condition that changed
/// just now, since it changes later when asked later.
pub fn lasts(machine: &MachineEvaluation, now: Time) -> bool {
    matches!(machine.verdict, Verdict::Healthy | Verdict::Waiting | Verdict::Skipped)
        && machine.remediation_row != Some("MHC-REM-2")
        && machine.conditions.iter().all(|condition| condition.last_transition_time != now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Condition, ConditionStatus, Name};

    const NOW: Time = Time::ZERO;

    fn machine(verdict: Verdict, remediation_row: &'static str, since: Time) -> MachineEvaluation {
        let condition = |kind, last_transition_time| Condition {
            kind,
            status: ConditionStatus::True,
            reason: "R".into(),
            message: "".into(),
            observed_generation: 0,
            last_transition_time,
            row: "MHC-HCS-13",
        };
        MachineEvaluation {
            name: Name::from("m1"),
            verdict,
            row: "MHC-HCS-13",
            cause: None,
            checks: Vec::new(),
            since: None,
            clock: None,
            deadline: None,
            remediation_row: Some(remediation_row),
            conditions: vec![condition("HealthCheckSucceeded", since), condition("OwnerRemediated", NOW.plus(-9))],
        }
    }

    #[test]
    fn a_judgement_lasts_unless_it_depends_on_others_or_on_the_moment() {
        let before = NOW.plus(-1);
        for (verdict, remediation_row, since, expected) in [
            (Verdict::Healthy, "MHC-REM-3", before, true),
            (Verdict::Waiting, "MHC-REM-3", before, true),
            (Verdict::Skipped, "MHC-REM-3", before, true),
            (Verdict::NotEvaluated, "MHC-REM-3", before, false),
            (Verdict::Unhealthy, "MHC-REM-1", before, false),
            (Verdict::Healthy, "MHC-REM-2", before, false),
            (Verdict::Healthy, "MHC-REM-3", NOW, false),
        ] {
            let machine = machine(verdict, remediation_row, since);
            assert_eq!(lasts(&machine, NOW), expected, "{verdict:?} {remediation_row} {since}");
        }
    }
}
