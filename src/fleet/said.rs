//! What a health check said about machines, for as long as it would say the same again.
//!
//! It judges each machine by itself, so what it said holds until the machine, its Node, or something that all of them share
//! changes, or until a timeout of the machine runs out.

use super::store::Store;
use crate::outcome::{Evaluation, Judgement};
use crate::progress::Mode;
use crate::rules::machine_health_check::lasts;
use crate::snapshot::Profile;
use crate::time::Time;

/// What a health check said about machines.
#[derive(Default)]
pub struct Said {
    /// By the places of the machines.
    machines: Vec<Option<Judgement>>,
    profile: Profile,
    at: Time,
    /// Whether remediation was allowed, which each machine's judgement names.
    allowed: Option<bool>,
}

impl Said {
    /// Whether there is something that answers what is asked now.
    pub fn holds(&self, mode: Mode) -> bool {
        !self.machines.is_empty() && self.profile == mode.profile && self.at <= mode.now && !mode.explain
    }

    /// Whether an evaluation that relied on it came to the same about what all machines share.
    pub fn agrees(&self, evaluation: &Evaluation) -> bool {
        self.allowed == allowed(evaluation)
    }

    /// What was said about the machine in this place, if time has not changed it.
    pub fn about(&self, place: usize, now: Time) -> Option<&Judgement> {
        let judgement = self.machines.get(place)?.as_ref()?;
        judgement.next_change().is_none_or(|next| now < next).then_some(judgement)
    }

    /// The machine in this place has to be judged again.
    pub fn forget(&mut self, place: usize) {
        if let Some(judgement) = self.machines.get_mut(place) {
            *judgement = None;
        }
    }

    /// Adds what an evaluation said that lasts.
    pub fn add(&mut self, evaluation: &Evaluation, lasting: Vec<(usize, Judgement)>) {
        (self.profile, self.at, self.allowed) = (evaluation.profile, evaluation.now, allowed(evaluation));
        for (place, judgement) in lasting {
            if self.machines.len() <= place {
                self.machines.resize(place.saturating_add(1), None);
            }
            if let Some(slot) = self.machines.get_mut(place) {
                *slot = Some(judgement);
            }
        }
    }
}

/// What an evaluation says for the first time, and will say again: written down, with the place of the machine.
pub fn lasting(store: &Store, evaluation: &mut Evaluation) -> Vec<(usize, Judgement)> {
    let Evaluation { machines, namespace, .. } = evaluation;
    let new = machines.iter_mut().filter(|machine| !machine.is_written_down() && lasts(machine));
    new.filter_map(|machine| {
        let place = store.place_of_machine(namespace, &machine.name)?;
        machine.write_down();
        Some((place, machine.clone()))
    })
    .collect()
}

fn allowed(evaluation: &Evaluation) -> Option<bool> {
    evaluation.threshold.as_ref().map(|threshold| threshold.allowed)
}

#[cfg(test)]
mod tests {
    use crate::fleet::{Fleet, ObjectRef};
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
            format!(r#"{{"kind":"Cluster","metadata":{{"namespace":"ns","name":"c"}},"status":{{"conditions":[{up}]}}}}"#),
            r#"{"kind":"MachineHealthCheck","metadata":{"namespace":"ns","name":"mhc"},"spec":{"clusterName":"c","checks":{"nodeStartupTimeoutSeconds":0,
                "unhealthyNodeConditions":[{"type":"Ready","status":"False","timeoutSeconds":120}]}},
                "status":{"conditions":[{"type":"Paused","status":"False","reason":"NotPaused"}]}}"#.to_owned(),
        ];
        for (name, ready) in [("a", "True"), ("b", "False")] {
            let ready = condition("Ready", ready);
            objects.push(format!(
                r#"{{"kind":"Node","metadata":{{"name":"{name}"}},"status":{{"conditions":[{ready}]}}}}"#
            ));
        }
        let mut fleet = Fleet::default();
        for text in objects.into_iter().chain(["a", "b", "gone"].map(|name| machine(name, ""))) {
            fleet.upsert(&text).expect("an object");
        }
        fleet
    }

    fn machine(name: &str, note: &str) -> String {
        let healthy = r#"{"type":"HealthCheckSucceeded","status":"True","reason":"HealthCheckSucceeded","lastTransitionTime":"2026-01-01T00:00:00Z"}"#;
        format!(
            r#"{{"kind":"Machine","metadata":{{"namespace":"ns","name":"{name}","labels":{{"cluster.x-k8s.io/cluster-name":"c"}},"annotations":{{"note":"{note}"}}}},
                "status":{{"nodeRef":{{"name":"{name}"}},"conditions":[{healthy}]}}}}"#
        )
    }

    fn evaluate(fleet: &mut Fleet, now: &str, profile: Profile) -> Evaluation {
        let mhc = ObjectRef::new(Kind::MachineHealthCheck, "ns", "mhc");
        fleet.evaluate(&mhc, Time::parse(now).expect("a time"), profile, false).expect("an evaluation")
    }

    /// For each machine its verdict, with a star when it was judged anew.
    fn compared(before: &Evaluation, after: &Evaluation) -> String {
        let mut text = String::new();
        for (old, new) in before.machines.iter().zip(&after.machines) {
            let anew = if new.is(old) { "" } else { "*" };
            write!(text, "{} {}{anew} ", &*new.name, new.verdict.as_str()).expect("text");
        }
        text
    }

    #[test]
    fn only_what_can_have_changed_is_judged_anew() {
        let mut fleet = fleet();
        let first = evaluate(&mut fleet, "2026-01-01T12:00:00Z", Profile::ClusterApiV1_13);
        let again = evaluate(&mut fleet, "2026-01-01T12:00:10Z", Profile::ClusterApiV1_13);
        assert_eq!(compared(&first, &again), "a healthy b waiting gone unhealthy* ");
        fleet.upsert(&machine("a", "changed")).expect("a Machine");
        let touched = evaluate(&mut fleet, "2026-01-01T12:00:20Z", Profile::ClusterApiV1_13);
        assert_eq!(compared(&again, &touched), "a healthy* b waiting gone unhealthy* ");
        let late = evaluate(&mut fleet, "2026-01-01T12:01:01Z", Profile::ClusterApiV1_13);
        assert_eq!(compared(&touched, &late), "a healthy b unhealthy* gone unhealthy* ");
    }

    #[test]
    fn another_time_or_profile_or_a_shared_object_makes_all_new() {
        let mut fleet = fleet();
        let first = evaluate(&mut fleet, "2026-01-01T12:00:00Z", Profile::ClusterApiV1_13);
        let earlier = evaluate(&mut fleet, "2026-01-01T11:59:30Z", Profile::ClusterApiV1_13);
        assert_eq!(compared(&first, &earlier), "a healthy* b waiting* gone unhealthy* ");
        let documented = evaluate(&mut fleet, "2026-01-01T12:00:00Z", Profile::Documented);
        assert_eq!(compared(&earlier, &documented), "a healthy* b waiting* gone unhealthy* ");
        fleet.upsert(r#"{"kind":"Cluster","metadata":{"namespace":"ns","name":"c"}}"#).expect("a Cluster");
        let without = evaluate(&mut fleet, "2026-01-01T12:00:00Z", Profile::Documented);
        assert_eq!(compared(&documented, &without), "a notEvaluated* b notEvaluated* gone notEvaluated* ");
    }
}
