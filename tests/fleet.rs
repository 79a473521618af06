//! A fleet after any sequence of upserts and removes decides exactly what a fresh snapshot of its objects decides, and
//! `due` names every object whose decision changed.

use capi_policy::fleet::{Fleet, ObjectRef};
use capi_policy::outcome::written;
use capi_policy::time::Time;
use capi_policy::{Kind, Profile, evaluate_json};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use serde_json::{Value, json};
use std::collections::BTreeMap;

type Objects = BTreeMap<(String, String), Value>;

const NOW: &str = "2026-01-01T12:00:00Z";

fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_default()
}

fn owned_by<'o>(objects: &'o Objects, kind: &'o str, uid: &'o str) -> impl Iterator<Item = &'o Value> {
    objects
        .iter()
        .filter(move |((k, _), object)| {
            let owner = object.pointer("/metadata/ownerReferences/0");
            k == kind && owner.is_some_and(|owner| owner["controller"] == true && owner["uid"] == uid)
        })
        .map(|(_, object)| object)
}

fn all<'o>(objects: &'o Objects, kind: &'o str) -> impl Iterator<Item = &'o Value> {
    objects.iter().filter(move |((k, _), _)| k == kind).map(|(_, object)| object)
}

fn find<'o>(objects: &'o Objects, kind: &str, name: &str) -> Option<&'o Value> {
    objects.get(&(kind.to_owned(), name.to_owned()))
}

/// The snapshot a host would make of these objects, written without any index.
fn snapshot(objects: &Objects, kind: Kind, name: &str, now: Time, profile: Profile) -> Option<Value> {
    let object = find(objects, &kind.to_string(), name)?;
    let uid = text(object, "/metadata/uid");
    let mut snapshot = json!({ "kind": kind, "now": now, "profile": profile, kind.field(): object });
    let mut put = |field: &str, value: Option<&Value>| {
        if let Some(value) = value {
            snapshot[field] = value.clone();
        }
    };
    let list = |items: Vec<&Value>| json!(items);
    if kind != Kind::Cluster {
        put("cluster", find(objects, "Cluster", "c1"));
    }
    match kind {
        Kind::MachineDeployment => {
            let sets: Vec<_> = owned_by(objects, "MachineSet", uid).collect();
            let machines =
                sets.iter().flat_map(|set| owned_by(objects, "Machine", text(set, "/metadata/uid"))).collect();
            put("machineSets", Some(&list(sets)));
            put("machines", Some(&list(machines)));
        }
        Kind::MachineSet => put("machines", Some(&list(owned_by(objects, "Machine", uid).collect()))),
        Kind::KubeadmControlPlane => {
            put("machines", Some(&list(owned_by(objects, "Machine", uid).collect())));
        }
        Kind::Machine => {
            let owner = |object: &Value| text(object, "/metadata/ownerReferences/0/name").to_owned();
            let set = find(objects, "MachineSet", &owner(object))
                .filter(|_| text(object, "/metadata/ownerReferences/0/kind") == "MachineSet");
            put("owningMachineSet", set);
            put("owningMachineDeployment", set.and_then(|set| find(objects, "MachineDeployment", &owner(set))));
            put("node", find(objects, "Node", text(object, "/status/nodeRef/name")));
            put("infraMachine", find(objects, "DockerMachine", text(object, "/spec/infrastructureRef/name")));
        }
        Kind::MachineHealthCheck => {
            put("machines", Some(&list(all(objects, "Machine").collect())));
            put("nodes", Some(&list(all(objects, "Node").collect())));
        }
        Kind::Cluster => {
            put("machineDeployments", Some(&list(all(objects, "MachineDeployment").collect())));
            put("machineSets", Some(&list(all(objects, "MachineSet").collect())));
            put("machines", Some(&list(all(objects, "Machine").collect())));
            put("controlPlane", find(objects, "KubeadmControlPlane", "cp"));
        }
    }
    Some(snapshot)
}

fn metadata(kind: &str, name: &str, owner: Option<(&str, &str)>) -> Value {
    let owners: Vec<_> = owner
        .into_iter()
        .map(|(kind, name)| json!({ "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": kind, "name": name, "uid": format!("{kind}-{name}"), "controller": true }))
        .collect();
    let namespace = if kind == "Node" { "" } else { "ns" };
    json!({ "name": name, "namespace": namespace, "uid": format!("{kind}-{name}"), "creationTimestamp": "2026-01-01T00:00:00Z",
            "labels": { "cluster.x-k8s.io/cluster-name": "c1" }, "ownerReferences": owners })
}

/// One of the objects of a small fleet, in one of a few states.
fn object(which: usize, state: usize) -> Value {
    let flag = |bit: usize| if state >> bit & 1 == 1 { "True" } else { "False" };
    let at = ["2026-01-01T11:59:50Z", "2026-01-01T11:00:00Z"][state % 2];
    let message = if state >> 2 & 1 == 1 { "m" } else { "" };
    let condition = |kind: &str, bit| json!({ "type": kind, "status": flag(bit), "reason": "R", "message": message, "lastTransitionTime": at });
    let (kind, name) = match which {
        0 => ("Cluster", "c1".to_owned()),
        1 => ("MachineDeployment", "md".to_owned()),
        2 | 3 => ("MachineSet", format!("ms{which}")),
        4 => ("KubeadmControlPlane", "cp".to_owned()),
        5 => ("MachineHealthCheck", "mhc".to_owned()),
        6..=10 => ("Machine", format!("m{which}")),
        11..=15 => ("Node", format!("n{}", which - 5)),
        _ => ("DockerMachine", format!("m{}", which - 10)),
    };
    let owner = match kind {
        "MachineSet" => Some(("MachineDeployment", "md")),
        "Machine" => {
            [Some(("MachineSet", "ms2")), Some(("MachineSet", "ms3")), Some(("KubeadmControlPlane", "cp")), None]
                [state % 4]
        }
        _ => None,
    };
    let mut object = json!({ "apiVersion": "v1", "kind": kind, "metadata": metadata(kind, &name, owner) });
    object["status"]["conditions"] = match kind {
        "Cluster" => json!([condition("InfrastructureReady", 0), condition("ControlPlaneInitialized", 1)]),
        "Node" => json!([condition("Ready", 1)]),
        _ => json!([
            condition("Ready", 0),
            condition("Available", 1),
            condition("HealthCheckSucceeded", 2),
            condition("OwnerRemediated", 3),
            condition("UpToDate", 1)
        ]),
    };
    match kind {
        "Machine" => {
            object["spec"] =
                json!({ "clusterName": "c1", "infrastructureRef": { "kind": "DockerMachine", "name": name } });
            if !state.is_multiple_of(3) {
                object["status"]["nodeRef"] = json!({ "name": format!("n{which}") });
            }
            if state % 5 == 4 {
                object["metadata"]["deletionTimestamp"] = json!("2026-01-01T11:30:00Z");
            }
        }
        "MachineHealthCheck" => {
            object["spec"] = json!({ "clusterName": "c1", "checks": { "unhealthyNodeConditions": [{ "type": "Ready", "status": "False", "timeoutSeconds": 60 * (state % 3) }] },
                                     "remediation": { "triggerIf": { "unhealthyLessThanOrEqualTo": state % 4 } } });
            object["status"] =
                json!({ "conditions": [{ "type": "Paused", "status": "False", "reason": "NotPaused" }] });
        }
        "Cluster" => {
            object["spec"] =
                json!({ "paused": state % 7 == 6, "controlPlaneRef": { "kind": "KubeadmControlPlane", "name": "cp" } });
        }
        "Node" | "DockerMachine" => {}
        _ => object["spec"] = json!({ "replicas": state % 4, "clusterName": "c1" }),
    }
    object
}

/// Puts an object there or takes it away, in the fleet and in the model of it.
fn change(fleet: &mut Fleet, objects: &mut Objects, object: Value, upsert: bool) {
    let id = (text(&object, "/kind").to_owned(), text(&object, "/metadata/name").to_owned());
    if upsert {
        fleet.upsert(&object.to_string()).expect("an object");
        objects.insert(id, object);
    } else {
        fleet.remove(&id.0, text(&object, "/metadata/namespace"), &id.1);
        objects.remove(&id);
    }
}

fn evaluable() -> Vec<(Kind, String)> {
    let names = (0..=10).map(|which| object(which, 0));
    names
        .filter_map(|object| {
            let kind = *Kind::ALL.iter().find(|kind| kind.to_string() == text(&object, "/kind"))?;
            Some((kind, text(&object, "/metadata/name").to_owned()))
        })
        .collect()
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, rng_seed: RngSeed::Fixed(2026), ..Config::with_cases(40) })]

    #[test]
    fn a_fleet_decides_what_a_fresh_snapshot_decides(steps in prop::collection::vec((0_usize..21, 0_usize..60, prop::bool::weighted(0.8)), 1..40)) {
        let (mut fleet, mut objects) = (Fleet::default(), Objects::new());
        let now = Time::parse(NOW).expect("a time");
        let mut last: BTreeMap<(Kind, String), String> = BTreeMap::new();
        for (which, state, upsert) in steps {
            change(&mut fleet, &mut objects, object(which, state), upsert);
            let due = fleet.due(now);
            for (kind, name) in evaluable() {
                let reference = ObjectRef { kind, namespace: "ns".to_owned(), name: name.clone() };
                let decided = fleet.evaluate(&reference, now, Profile::ClusterApiV1_13, false).ok().map(|e| written(&e));
                let fresh = snapshot(&objects, kind, &name, now, Profile::ClusterApiV1_13).map(|s| evaluate_json(&s.to_string()).expect("an evaluation"));
                prop_assert_eq!(&decided, &fresh, "{} {}", kind, name);
                let Some(decided) = decided else { last.remove(&(kind, name)); continue };
                let before = last.insert((kind, name.clone()), decided.clone());
                prop_assert!(before.as_deref() == Some(&*decided) || due.contains(&reference), "{} {} changed and is not due", kind, name);
            }
        }
    }
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, rng_seed: RngSeed::Fixed(2027), ..Config::with_cases(150) })]

    /// Time goes on and sometimes back, profiles change, explanations are asked for: what was said before is said again only
    /// where it is still true.
    #[test]
    fn a_health_check_says_nothing_that_it_would_not_decide(
        steps in prop::collection::vec((prop::sample::select(vec![0_usize, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]), 0_usize..60, prop::bool::weighted(0.9), -20_i64..60, 0_u8..12), 1..60)
    ) {
        let (mut fleet, mut objects) = (Fleet::default(), Objects::new());
        let mhc = ObjectRef { kind: Kind::MachineHealthCheck, namespace: "ns".to_owned(), name: "mhc".to_owned() };
        let mut now = Time::parse(NOW).expect("a time");
        for which in 0..16 {
            change(&mut fleet, &mut objects, object(which, 7), true);
        }
        for (which, state, upsert, seconds, manner) in steps {
            change(&mut fleet, &mut objects, object(which, state), upsert);
            now = now.plus(seconds);
            let (profile, explain) = (if manner < 3 { Profile::Documented } else { Profile::ClusterApiV1_13 }, manner == 5);
            let decided = fleet.evaluate(&mhc, now, profile, explain).ok().map(|e| written(&e));
            let fresh = snapshot(&objects, mhc.kind, &mhc.name, now, profile).map(|mut s| {
                s["explain"] = json!(explain);
                evaluate_json(&s.to_string()).expect("an evaluation")
            });
            prop_assert_eq!(decided, fresh);
        }
    }
}

#[test]
fn what_cannot_be_read_leaves_the_fleet_as_it_was() {
    let mut fleet = Fleet::default();
    fleet.upsert(&object(1, 0).to_string()).expect("a MachineDeployment");
    for broken in [
        r#"{"kind":"Machine","metadata":{"name":5}}"#,
        "{",
        r#"{"metadata":{"name":"m"}}"#,
        r#"{"kind":"MachineDeployment","metadata":{"name":"md","namespace":"ns"},"spec":{"replicas":"many"}}"#,
    ] {
        assert!(fleet.upsert(broken).is_err(), "{broken}");
    }
    let md = ObjectRef { kind: Kind::MachineDeployment, namespace: "ns".to_owned(), name: "md".to_owned() };
    assert!(fleet.evaluate(&md, Time::ZERO, Profile::Documented, false).is_ok());
    let other = ObjectRef { name: "other".to_owned(), ..md };
    let error = fleet.evaluate(&other, Time::ZERO, Profile::Documented, false).expect_err("nothing there");
    assert_eq!(error.to_string(), "fleet: expected MachineDeployment ns/other, found none");
}

#[test]
fn time_makes_an_object_due() {
    let mut fleet = Fleet::default();
    for which in [0, 5, 7, 12] {
        fleet.upsert(&object(which, if which == 0 { 3 } else { 1 }).to_string()).expect("an object");
    }
    let mhc = ObjectRef { kind: Kind::MachineHealthCheck, namespace: "ns".to_owned(), name: "mhc".to_owned() };
    let start = Time::parse("2026-01-01T11:00:10Z").expect("a time");
    let evaluation = fleet.evaluate(&mhc, start, Profile::Documented, false).expect("an evaluation");
    let next = evaluation.next_change.expect("a deadline");
    assert_eq!(next.to_string(), "2026-01-01T11:01:01Z");
    assert!(!fleet.due(next.plus(-1)).contains(&mhc));
    assert!(fleet.due(next).contains(&mhc));
}

#[test]
fn a_machine_set_is_due_when_its_deployment_or_a_sibling_changes() {
    let of_kind = |kind: &str, name: &str, owner| json!({ "kind": kind, "metadata": metadata(kind, name, owner) });
    let deployment = of_kind("MachineDeployment", "md", None);
    let sets = ["old", "new"].map(|name| of_kind("MachineSet", name, Some(("MachineDeployment", "md"))));
    let mut fleet = Fleet::default();
    for object in [&deployment].into_iter().chain(&sets) {
        fleet.upsert(&object.to_string()).expect("an object");
    }
    let now = Time::parse(NOW).expect("a time");
    let set = |name: &str| ObjectRef { kind: Kind::MachineSet, namespace: "ns".to_owned(), name: name.to_owned() };
    let (old, new) = (set("old"), set("new"));
    for changed in [&deployment, &sets[1]] {
        for known in [&old, &new] {
            fleet.evaluate(known, now, Profile::Documented, false).expect("an evaluation");
        }
        assert!(!fleet.due(now).contains(&old));
        fleet.upsert(&changed.to_string()).expect("an object");
        assert!(fleet.due(now).contains(&old), "{changed}");
    }
}
