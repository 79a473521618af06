//! A fleet after any sequence of changes decides exactly what a fresh snapshot of its objects decides, gives that snapshot, and
//! `due` names every object whose decision changed.

mod model;
mod objects;

use capi_policy::fleet::{Assumption, Audience, Fleet, ObjectRef, Options, Presence, Scope, Subject, WorkloadCluster};
use capi_policy::outcome::written;
use capi_policy::time::Time;
use capi_policy::{Kind, Profile, evaluate_json, forecast_json};
use model::{Id, Model, id};
use objects::object;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const NOW: &str = "2026-01-01T12:00:00Z";

/// A fleet and the model of it.
#[derive(Default)]
struct Both {
    fleet: Fleet,
    model: Model,
}

impl Both {
    fn upsert(&mut self, object: Value) {
        self.fleet.upsert(object.to_string(), None).expect("an object");
        self.model.upsert(object);
    }

    fn remove(&mut self, id: &Id) {
        self.fleet.remove(&reference(id));
        self.model.remove(id);
    }

    fn mark(&mut self, kind: &str, namespace: &str, complete: bool) {
        let cluster = ["Node", "Pod"].contains(&kind).then(|| WorkloadCluster::new(namespace, "c1"));
        let name = cluster.as_ref().map(|cluster| format!("{}/{}", cluster.namespace, cluster.name));
        self.fleet.mark(&Scope { workload_cluster: cluster, ..Scope::of(("", kind)) }, complete);
        self.model.marks.insert((kind.to_owned(), name), complete);
    }

    fn observe(&mut self, audience: &Audience, facts: Value) {
        self.fleet.observe(audience, &facts.to_string()).expect("facts");
        let name = match audience {
            Audience::All => String::new(),
            Audience::WorkloadCluster(cluster) => format!("{}/{}", cluster.namespace, cluster.name),
            Audience::Object(subject) => subject.to_string(),
        };
        self.model.reports.insert(name, facts);
    }

    /// One of the changes that hosts make.
    fn change(&mut self, (namespace, which, state, what): (usize, usize, usize, u8)) {
        let namespace = ["ns", "other ns"][namespace];
        let object = object(namespace, which, state);
        match what {
            0..=69 => self.upsert(object),
            70..=84 => self.remove(&id(&object)),
            85..=92 => {
                let kinds = [
                    "Machine",
                    "MachineSet",
                    "MachineDeployment",
                    "Node",
                    "DockerMachine",
                    "DockerCluster",
                    "Pod",
                    "KubeadmConfig",
                    "DockerMachineTemplate",
                    "KubeadmControlPlane",
                    "DockerMachinePool",
                ];
                self.mark(kinds[which % kinds.len()], namespace, state % 3 != 0);
            }
            93..=94 => {
                let present = state.is_multiple_of(2);
                self.fleet.assume(if present { Assumption::PresentKindsAreComplete } else { Assumption::Nothing });
                self.model.present_is_complete = present;
            }
            _ => {
                let subject =
                    reference(&id(&object)).subject().filter(|_| self.model.objects.contains_key(&id(&object)));
                let audience = match (state % 3, subject) {
                    (0, _) => Audience::All,
                    (1, Some(subject)) => Audience::Object(subject),
                    _ => Audience::WorkloadCluster(WorkloadCluster::new(namespace, "c1")),
                };
                let grace = [0, 300, 5_000][which % 3];
                self.observe(&audience, json!({ "remoteConditionsGracePeriodSeconds": grace, "machinesListed": which != 7,
                    "workloadClusterConnected": which != 8, "healthCheckingState": { "lastProbeSuccessTime": "2026-01-01T11:58:00Z" } }));
            }
        }
    }
}

fn reference(id: &Id) -> ObjectRef {
    let mut object = ObjectRef::new(("", &id.kind), &id.namespace, &id.name);
    let cluster = id.cluster.as_ref().and_then(|cluster| cluster.split_once('/'));
    object.place.workload_cluster = cluster.map(|(namespace, name)| WorkloadCluster::new(namespace, name));
    object
}

fn evaluable() -> Vec<Subject> {
    let objects = ["ns", "other ns"]
        .into_iter()
        .flat_map(|namespace| (0..=10).chain([35]).map(move |which| object(namespace, which, 0)));
    objects.filter_map(|object| reference(&id(&object)).subject()).collect()
}

fn changes() -> impl Strategy<Value = (usize, usize, usize, u8)> {
    (0_usize..2, 0_usize..37, 0_usize..60, 0_u8..100)
}

/// How an evaluation and those after it go on from each other.
fn merge(before: &mut Value, update: &Value) {
    let mut update = update.clone();
    let Some(reduced) = update.as_object_mut().and_then(|members| members.remove("reduced")) else {
        *before = update;
        return;
    };
    if reduced["conditions"] == true {
        let mut conditions = before["conditions"].clone();
        for new in update["conditions"].as_array().expect("conditions") {
            let old = conditions.as_array_mut().expect("conditions").iter_mut().find(|old| old["type"] == new["type"]);
            *old.expect("a condition of that type") = new.clone();
        }
        update["conditions"] = conditions;
    }
    if let (true, Some(targets)) = (reduced["targets"] == true, before.pointer("/status/targets")) {
        update["status"]["targets"] = targets.clone();
    }
    let machines = before["machines"].as_array().into_iter().flatten();
    let mut machines: BTreeMap<String, Value> = machines.map(|m| (m["name"].to_string(), m.clone())).collect();
    for removed in reduced["removedMachines"].as_array().expect("names") {
        assert!(machines.remove(&removed.to_string()).is_some(), "{removed} was not there");
    }
    machines.extend(update["machines"].as_array().into_iter().flatten().map(|m| (m["name"].to_string(), m.clone())));
    if !machines.is_empty() {
        update["machines"] = machines.into_values().collect();
    }
    *before = update;
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, rng_seed: RngSeed::Fixed(2026), ..Config::with_cases(60) })]

    #[test]
    fn a_fleet_decides_what_a_fresh_snapshot_decides(steps in prop::collection::vec(changes(), 1..60)) {
        let mut both = Both::default();
        let options = Options { now: Time::parse(NOW).expect("a time"), profile: Profile::ClusterApiV1_14, explain: false };
        let mut last: BTreeMap<Subject, String> = BTreeMap::new();
        let mut merged: BTreeMap<Subject, Value> = BTreeMap::new();
        for step in steps {
            both.change(step);
            let due = both.fleet.due(options.now);
            for subject in evaluable() {
                let Subject { kind, namespace, name } = &subject;
                let decided = both.fleet.evaluate(&subject, options).ok().map(|e| written(&e));
                let fresh = both.model.snapshot(kind.name(), namespace, name, NOW, "cluster-api-v1.14");
                let fresh = fresh.map(|snapshot| evaluate_json(&snapshot.to_string()).expect("an evaluation"));
                prop_assert_eq!(&decided, &fresh, "{}", &subject);
                let Some(decided) = decided else {
                    prop_assert!(!due.contains(&subject), "{} is due and not there", subject);
                    last.remove(&subject);
                    merged.remove(&subject);
                    continue;
                };
                let given = both.fleet.snapshot(&subject, options).expect("a snapshot");
                prop_assert_eq!(&decided, &evaluate_json(&given).expect("an evaluation"), "{}", &subject);
                let update = both.fleet.update(&subject, options).expect("an update");
                let merged = merged.entry(subject.clone()).or_default();
                merge(merged, &serde_json::from_str(&written(&update)).expect("JSON"));
                prop_assert_eq!(&*merged, &serde_json::from_str::<Value>(&decided).expect("JSON"), "{}", &subject);
                let before = last.insert(subject.clone(), decided.clone());
                prop_assert!(before.as_deref() == Some(&*decided) || due.contains(&subject), "{} changed and is not due", subject);
            }
            let there: Vec<_> = evaluable().into_iter().filter(|subject| last.contains_key(subject)).collect();
            let mut decidable = both.fleet.decidable();
            decidable.sort();
            prop_assert_eq!(decidable, std::collections::BTreeSet::from_iter(there).into_iter().collect::<Vec<_>>());
        }
    }
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, rng_seed: RngSeed::Fixed(2027), ..Config::with_cases(150) })]

    /// Time goes on and sometimes back, profiles change, explanations are asked for: verdicts are repeated only where they are
    /// still true.
    #[test]
    fn a_health_check_repeats_nothing_that_it_would_not_decide(
        steps in prop::collection::vec((prop::sample::select(vec![0_usize, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]), 0_usize..60, prop::bool::weighted(0.9), -20_i64..60, 0_u8..12), 1..60)
    ) {
        let mut both = Both::default();
        let mhc = Subject::new(Kind::MachineHealthCheck, "ns", "mhc");
        let mut now = Time::parse(NOW).expect("a time");
        for which in 0..16 {
            both.upsert(object("ns", which, 7));
        }
        for kind in ["Machine", "Node"] {
            both.mark(kind, "ns", true);
        }
        for (which, state, upsert, seconds, how) in steps {
            let object = object("ns", which, state);
            if upsert { both.upsert(object) } else { both.remove(&id(&object)) }
            now = now.plus(seconds);
            let profile = if how < 3 { Profile::Documented } else { Profile::ClusterApiV1_13 };
            let options = Options { now, profile, explain: how == 5 };
            let decided = both.fleet.evaluate(&mhc, options).ok().map(|e| written(&e));
            let fresh = both.model.snapshot("MachineHealthCheck", "ns", "mhc", &now.to_string(), &profile.to_string());
            let fresh = fresh.map(|mut snapshot| {
                snapshot["explain"] = json!(options.explain);
                evaluate_json(&snapshot.to_string()).expect("an evaluation")
            });
            prop_assert_eq!(decided, fresh);
        }
    }
}

fn options(now: Time) -> Options {
    Options { now, profile: Profile::Documented, explain: false }
}

#[test]
fn what_cannot_be_read_leaves_the_fleet_as_it_was() {
    let mut fleet = Fleet::default();
    fleet.upsert(object("ns", 1, 0).to_string(), None).expect("a MachineDeployment");
    for broken in [
        r#"{"kind":"Machine","metadata":{"name":5}}"#,
        "{",
        r#"{"kind":"","metadata":{"name":5}}"#,
        r#"{"kind":"MachineDeployment","metadata":{"name":"md","namespace":"ns"},"spec":{"replicas":"many"}}"#,
    ] {
        assert!(fleet.upsert(broken, None).is_err(), "{broken}");
        let list = fleet.replace(&Scope::of(("", "MachineDeployment")), [broken]);
        assert!(list.is_err(), "{broken}");
    }
    assert_eq!(fleet.size().0, 1);
    let md = Subject::new(Kind::MachineDeployment, "ns", "md");
    assert!(fleet.evaluate(&md, options(Time::ZERO)).is_ok());
    let other = Subject::new(Kind::MachineDeployment, "ns", "other");
    let error = fleet.evaluate(&other, options(Time::ZERO)).expect_err("nothing there");
    assert_eq!((error.code(), &*error.to_string()), ("notFound", "fleet: there is no MachineDeployment ns/other"));
}

#[test]
fn time_makes_an_object_due() {
    let mut fleet = Fleet::default();
    for which in [0, 5, 7, 12] {
        fleet.upsert(object("ns", which, if which == 0 { 3 } else { 1 }).to_string(), None).expect("an object");
    }
    fleet.assume(Assumption::PresentKindsAreComplete);
    let mhc = Subject::new(Kind::MachineHealthCheck, "ns", "mhc");
    let start = Time::parse("2026-01-01T11:00:10Z").expect("a time");
    let evaluation = fleet.evaluate(&mhc, options(start)).expect("an evaluation");
    let next = evaluation.next_change.expect("a deadline");
    assert_eq!(next.to_string(), "2026-01-01T11:01:01Z");
    assert!(!fleet.due(next.plus(-1)).contains(&mhc));
    assert!(fleet.due(next).contains(&mhc));
}

#[test]
fn a_host_that_decides_about_one_kind_does_not_see_the_others() {
    let mut fleet = Fleet::default();
    for which in [0, 5, 7, 12] {
        fleet.upsert(object("ns", which, if which == 0 { 3 } else { 1 }).to_string(), None).expect("an object");
    }
    let all = fleet.due(Time::ZERO);
    let of = |kinds: &[Kind]| fleet.due_of(Time::ZERO, kinds);
    for kind in Kind::ALL {
        let wanted: Vec<_> = all.iter().filter(|subject| subject.kind == *kind).cloned().collect();
        assert_eq!(of(&[*kind]), wanted, "{kind}");
    }
    assert!(!of(&[Kind::Machine]).is_empty());
    assert_eq!(of(&[]), []);
    let mhc = Subject::new(Kind::MachineHealthCheck, "ns", "mhc");
    let start = Time::parse("2026-01-01T11:00:10Z").expect("a time");
    fleet.assume(Assumption::PresentKindsAreComplete);
    let next = fleet.evaluate(&mhc, options(start)).expect("an evaluation").next_change.expect("a deadline");
    assert_eq!(fleet.due_of(next.plus(-1), &[Kind::MachineHealthCheck]), []);
    assert_eq!(fleet.due_of(next, &[Kind::MachineHealthCheck]), [mhc]);
    assert_eq!(fleet.due_of(next, &[Kind::MachineSet]), []);
}

#[test]
fn what_is_gone_is_not_due() {
    let mut fleet = Fleet::default();
    fleet.upsert(object("ns", 6, 1).to_string(), None).expect("a Machine");
    fleet.remove(&ObjectRef::new(("", "Machine"), "ns", "m6"));
    // Its owner, its Cluster and its health check were never there.
    assert_eq!(fleet.due(Time::ZERO), []);
}

#[test]
fn names_with_spaces_do_not_collide() {
    let mut fleet = Fleet::default();
    for (namespace, name) in [("a", "b c"), ("a b", "c"), ("a b", "b c")] {
        let object = json!({ "kind": "MachineSet", "metadata": { "namespace": namespace, "name": name } });
        fleet.upsert(object.to_string(), None).expect("a MachineSet");
    }
    assert_eq!(fleet.decidable().len(), 3);
    fleet.remove(&ObjectRef::new(("", "MachineSet"), "a", "b c"));
    let left: Vec<_> = fleet.decidable().iter().map(ToString::to_string).collect();
    assert_eq!(left, ["MachineSet a b/b c", "MachineSet a b/c"]);
}

#[test]
fn kinds_of_one_name_in_two_groups_are_two_kinds() {
    let mut fleet = Fleet::default();
    for group in ["cluster.x-k8s.io", "postgresql.cnpg.io"] {
        let object = json!({ "apiVersion": format!("{group}/v1beta2"), "kind": "Cluster", "metadata": { "namespace": "ns", "name": "c1" } });
        fleet.upsert(object.to_string(), None).expect("an object");
    }
    assert_eq!((fleet.size().0, fleet.decidable().len()), (2, 1));
}

#[test]
fn a_complete_list_replaces_what_was_there() {
    let mut fleet = Fleet::default();
    let cluster = Some(WorkloadCluster::new("ns", "c1"));
    let nodes = Scope { workload_cluster: cluster.clone(), ..Scope::of(("", "Node")) };
    fleet.upsert(r#"{"kind":"Node","metadata":{"name":"old"}}"#, cluster.clone()).expect("a Node");
    fleet
        .upsert(r#"{"kind":"Node","metadata":{"name":"theirs"}}"#, Some(WorkloadCluster::new("ns", "c2")))
        .expect("a Node");
    fleet.upsert(object("ns", 6, 1).to_string(), None).expect("a Machine");
    // As they stand in a NodeList.
    fleet.replace(&nodes, [r#"{"metadata":{"name":"n6"}}"#, r#" {"metadata":{"name":"new"}}"#]).expect("Nodes");
    assert_eq!(fleet.size().0, 4);
    let machine = Subject::new(Kind::Machine, "ns", "m6");
    let snapshot = fleet.snapshot(&machine, options(Time::ZERO)).expect("a snapshot");
    assert!(snapshot.contains(r#""node":{"kind":"Node","metadata":{"name":"n6"}}"#), "{snapshot}");
    let wrong = fleet.replace(&nodes, [r#"{"kind":"Machine","metadata":{"name":"n6"}}"#]).expect_err("a Machine");
    assert_eq!(
        wrong.to_string(),
        r#"objects[0].kind: expected an object of kind Node, found a Machine in namespace """#
    );
}

#[test]
fn the_fleet_says_what_it_wants() {
    let mut fleet = Fleet::default();
    for which in [0, 5, 6] {
        fleet.upsert(object("ns", which, 1).to_string(), None).expect("an object");
    }
    let infrastructure = ObjectRef::new(("", "DockerMachine"), "ns", "m6");
    let presence = |fleet: &mut Fleet| {
        let wanted = fleet.wanted();
        let found = wanted.objects.iter().find(|wanted| wanted.object == infrastructure);
        found.map(|wanted| wanted.presence)
    };
    assert_eq!(presence(&mut fleet), Some(Presence::NotRead));
    fleet.remove(&infrastructure);
    assert_eq!(presence(&mut fleet), Some(Presence::Missing));
    fleet.upsert(object("ns", 16, 0).to_string(), None).expect("a DockerMachine");
    assert_eq!(presence(&mut fleet), Some(Presence::Found));
    let wanted = serde_json::to_value(fleet.wanted()).expect("JSON");
    let node = json!({ "kind": "Node", "workloadCluster": { "namespace": "ns", "name": "c1" }, "complete": false });
    assert!(wanted["kinds"].as_array().expect("kinds").contains(&node), "{wanted}");
    fleet.mark(&Scope::of(("", "Machine")), true);
    let machines = json!({ "group": "cluster.x-k8s.io", "kind": "Machine", "complete": true });
    let wanted = serde_json::to_value(fleet.wanted()).expect("JSON");
    assert!(wanted["kinds"].as_array().expect("kinds").contains(&machines), "{wanted}");
}

#[test]
fn a_fleet_looks_ahead_as_its_snapshot_does() {
    let mut fleet = Fleet::default();
    for which in [0, 5, 6, 7, 11, 12] {
        fleet.upsert(object("ns", which, if which == 0 { 3 } else { 1 }).to_string(), None).expect("an object");
    }
    fleet.assume(Assumption::PresentKindsAreComplete);
    let (start, until) = ("2026-01-01T11:00:10Z", "2026-01-01T13:00:00Z");
    let options = options(Time::parse(start).expect("a time"));
    for subject in fleet.decidable() {
        let forecast = fleet.forecast(&subject, options, Time::parse(until).expect("a time")).expect("a forecast");
        let snapshot = fleet.snapshot(&subject, options).expect("a snapshot");
        assert_eq!(written(&forecast), forecast_json(&snapshot, until).expect("a forecast"), "{subject}");
    }
}
