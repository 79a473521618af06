//! Verdicts of a health check on its machines, for as long as it would give the same again.
//!
//! It looks at each machine by itself, so a verdict holds until the machine, its Node, or something that all of them share
//! changes, or until a timeout of the machine runs out.

use crate::outcome::{CheckedMachine, Evaluation};
use crate::progress::Mode;
use crate::rules::machine_health_check::lasts;
use crate::snapshot::Profile;
use crate::time::Time;
use std::collections::{BTreeMap, btree_map};
use std::iter::Peekable;

/// The verdicts that one health check gave.
#[derive(Default)]
pub struct Verdicts {
    machines: BTreeMap<String, CheckedMachine>,
    profile: Profile,
    at: Time,
    /// Whether remediation was allowed, which each machine's evaluation tells.
    allowed: Option<bool>,
}

impl Verdicts {
    /// Whether something that was cached holds now.
    pub fn hold(&self, mode: Mode) -> bool {
        !self.machines.is_empty() && self.profile == mode.profile && self.at <= mode.now && !mode.explain
    }

    /// Whether an evaluation that relied on them came to the same about what all machines share.
    pub fn agree(&self, evaluation: &Evaluation) -> bool {
        self.allowed == allowed(evaluation)
    }

    /// The verdicts for machines that come by name.
    pub fn beside(&self, now: Time) -> Beside<'_> {
        Beside { machines: self.machines.iter().peekable(), now }
    }

    /// The machine has to be looked at again.
    pub fn forget(&mut self, machine: &str) {
        self.machines.remove(machine);
    }

    /// Adds those of an evaluation that last.
    pub fn add(&mut self, evaluation: &Evaluation, lasting: Vec<CheckedMachine>) {
        (self.profile, self.at, self.allowed) = (evaluation.profile, evaluation.now, allowed(evaluation));
        self.machines.extend(lasting.into_iter().map(|machine| (machine.name.to_string(), machine)));
    }
}

/// Verdicts in the order of the machines' names.
pub struct Beside<'v> {
    machines: Peekable<btree_map::Iter<'v, String, CheckedMachine>>,
    now: Time,
}

impl<'v> Beside<'v> {
    /// The verdict on the next machine, if time has not changed it.
    pub fn about(&mut self, name: &str) -> Option<&'v CheckedMachine> {
        while self.machines.next_if(|(known, _)| &***known < name).is_some() {}
        let (_, machine) = self.machines.next_if(|(known, _)| &***known == name)?;
        machine.next_change().is_none_or(|next| self.now < next).then_some(machine)
    }
}

/// The verdicts that an evaluation gives for the first time and that last, written down to be repeated.
pub fn lasting(evaluation: &mut Evaluation) -> Vec<CheckedMachine> {
    let new = evaluation.machines.iter_mut().filter(|machine| !machine.is_written_down() && lasts(machine));
    new.map(|machine| {
        machine.write_down();
        machine.clone()
    })
    .collect()
}

fn allowed(evaluation: &Evaluation) -> Option<bool> {
    evaluation.threshold.as_ref().map(|threshold| threshold.allowed)
}

#[cfg(test)]
mod tests {
    use crate::fleet::{Assumption, Fleet, Options, Subject};
    use crate::outcome::Evaluation;
    use crate::snapshot::{Kind, Profile};
    use crate::time::Time;
    use std::fmt::Write;

    /// A health check with three machines: one healthy, one whose Node was lost a minute ago, one without a Node for long.
    fn fleet() -> Fleet {
        let condition = |kind: &str, status: &str| {
            format!(
                r#"{{"type":"{kind}","status":"{status}","reason":"R","lastTransitionTime":"2026-01-01T11:59:00Z"}}"#
            )
        };
        let up = [condition("InfrastructureReady", "True"), condition("ControlPlaneInitialized", "True")].join(",");
        let mut objects = vec![
            format!(
                r#"{{"kind":"Cluster","metadata":{{"namespace":"ns","name":"c"}},"status":{{"conditions":[{up}]}}}}"#
            ),
            health_check(120, 0),
        ];
        for (name, ready) in [("a", "True"), ("b", "False")] {
            let ready = condition("Ready", ready);
            objects.push(format!(
                r#"{{"kind":"Node","metadata":{{"name":"{name}"}},"status":{{"conditions":[{ready}]}}}}"#
            ));
        }
        let mut fleet = Fleet::default();
        for text in objects.into_iter().chain(["a", "b", "gone"].map(|name| machine(name, ""))) {
            fleet.upsert(text, None).expect("an object");
        }
        fleet.assume(Assumption::PresentKindsAreComplete);
        fleet
    }

    fn health_check(timeout: u32, healthy: u32) -> String {
        format!(
            r#"{{"kind":"MachineHealthCheck","metadata":{{"namespace":"ns","name":"mhc"}},"spec":{{"clusterName":"c","checks":{{"nodeStartupTimeoutSeconds":0,
                "unhealthyNodeConditions":[{{"type":"Ready","status":"False","timeoutSeconds":{timeout}}}]}}}},
                "status":{{"currentHealthy":{healthy},"conditions":[{{"type":"Paused","status":"False","reason":"NotPaused"}}]}}}}"#
        )
    }

    fn machine(name: &str, note: &str) -> String {
        let healthy = r#"{"type":"HealthCheckSucceeded","status":"True","reason":"HealthCheckSucceeded","lastTransitionTime":"2026-01-01T00:00:00Z"}"#;
        format!(
            r#"{{"kind":"Machine","metadata":{{"namespace":"ns","name":"{name}","labels":{{"cluster.x-k8s.io/cluster-name":"c"}},"annotations":{{"note":"{note}"}}}},
                "status":{{"nodeRef":{{"name":"{name}"}},"conditions":[{healthy}]}}}}"#
        )
    }

    fn evaluate(fleet: &mut Fleet, now: &str, profile: Profile) -> Evaluation {
        let mhc = Subject::new(Kind::MachineHealthCheck, "ns", "mhc");
        let now = Time::parse(now).expect("a time");
        fleet.evaluate(&mhc, Options { now, profile, explain: false }).expect("an evaluation")
    }

    /// For each machine its verdict, with a star when it was looked at again.
    fn compared(before: &Evaluation, after: &Evaluation) -> String {
        let mut text = String::new();
        for (old, new) in before.machines.iter().zip(&after.machines) {
            let anew = if new.is(old) { "" } else { "*" };
            write!(text, "{} {}{anew} ", &*new.name, new.verdict.as_str()).expect("text");
        }
        text
    }

    #[test]
    fn only_what_can_have_changed_is_looked_at_again() {
        let mut fleet = fleet();
        let first = evaluate(&mut fleet, "2026-01-01T12:00:00Z", Profile::ClusterApiV1_13);
        let again = evaluate(&mut fleet, "2026-01-01T12:00:10Z", Profile::ClusterApiV1_13);
        assert_eq!(compared(&first, &again), "a healthy b waiting gone unhealthy* ");
        fleet.upsert(machine("a", "changed"), None).expect("a Machine");
        let touched = evaluate(&mut fleet, "2026-01-01T12:00:20Z", Profile::ClusterApiV1_13);
        assert_eq!(compared(&again, &touched), "a healthy* b waiting gone unhealthy* ");
        let late = evaluate(&mut fleet, "2026-01-01T12:01:01Z", Profile::ClusterApiV1_13);
        assert_eq!(compared(&touched, &late), "a healthy b unhealthy* gone unhealthy* ");
    }

    #[test]
    fn what_a_health_check_counts_changes_no_verdict_and_what_it_demands_changes_all() {
        let mut fleet = fleet();
        let first = evaluate(&mut fleet, "2026-01-01T12:00:00Z", Profile::ClusterApiV1_13);
        let now = Time::parse("2026-01-01T12:00:00Z").expect("a time");
        fleet.upsert(health_check(120, 1), None).expect("a health check");
        assert!(fleet.due(now).iter().any(|subject| subject.kind == Kind::MachineHealthCheck));
        let counted = evaluate(&mut fleet, "2026-01-01T12:00:00Z", Profile::ClusterApiV1_13);
        assert_eq!(compared(&first, &counted), "a healthy b waiting gone unhealthy* ");
        fleet.upsert(health_check(30, 1), None).expect("a health check");
        let shorter = evaluate(&mut fleet, "2026-01-01T12:00:00Z", Profile::ClusterApiV1_13);
        assert_eq!(compared(&counted, &shorter), "a healthy* b unhealthy* gone unhealthy* ");
    }

    #[test]
    fn another_time_or_profile_or_a_shared_object_makes_all_new() {
        let mut fleet = fleet();
        let first = evaluate(&mut fleet, "2026-01-01T12:00:00Z", Profile::ClusterApiV1_13);
        let earlier = evaluate(&mut fleet, "2026-01-01T11:59:30Z", Profile::ClusterApiV1_13);
        assert_eq!(compared(&first, &earlier), "a healthy* b waiting* gone unhealthy* ");
        let documented = evaluate(&mut fleet, "2026-01-01T12:00:00Z", Profile::Documented);
        assert_eq!(compared(&earlier, &documented), "a healthy* b waiting* gone unhealthy* ");
        fleet.upsert(r#"{"kind":"Cluster","metadata":{"namespace":"ns","name":"c"}}"#, None).expect("a Cluster");
        let without = evaluate(&mut fleet, "2026-01-01T12:00:00Z", Profile::Documented);
        assert_eq!(compared(&documented, &without), "a notEvaluated* b notEvaluated* gone notEvaluated* ");
    }
}
