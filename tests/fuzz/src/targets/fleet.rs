//! A fleet after any changes decides what a fresh snapshot of its objects decides, and names what has to be looked at.

#[path = "../../../fleet/model.rs"]
mod model;

use self::model::{Id, Model, id};
use crate::bytes::Bytes;
use crate::evaluation::{decision, difference};
use crate::shape::{self, NOW, OBSERVED};
use capi_policy::fleet::{Assumption, Audience, Fleet, ObjectRef, Options, Scope, Subject, WorkloadCluster};
use capi_policy::outcome::written;
use capi_policy::time::Time;
use capi_policy::{Evaluation, Profile, Snapshot, evaluate};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Changes a fleet and compares.
pub fn fleet(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let (mut fleet, mut model) = (Fleet::default(), Model::default());
    let mut now = Time::parse(NOW).expect("a time");
    let mut last: BTreeMap<Subject, Value> = BTreeMap::new();
    for _ in 0..40 {
        if bytes.is_empty() {
            return;
        }
        let changed = change(&mut fleet, &mut model, &mut now, bytes);
        let due = fleet.due(now);
        let options = Options { now, profile: Profile::ClusterApiV1_13, explain: false };
        for subject in fleet.decidable() {
            let decided = fleet.evaluate(&subject, options).ok();
            let fresh = fresh(&model, &subject, now);
            // As the fleet's host gets it: what is repeated was written down before.
            let json = |evaluation: &Option<Evaluation>| -> Value {
                evaluation.as_ref().map_or(Value::Null, |e| serde_json::from_str(&written(e)).expect("JSON"))
            };
            assert_eq!(difference(&json(&decided), &json(&fresh)), None, "{subject}");
            let given = fleet.snapshot(&subject, options).expect("a snapshot");
            let given = Snapshot::parse(&given).ok().and_then(|snapshot| evaluate(&snapshot).ok());
            assert_eq!(difference(&json(&decided), &json(&given)), None, "{subject}");
            let Some(decided) = decided else {
                last.remove(&subject);
                continue;
            };
            let decided = decision(&decided);
            let change = difference(last.get(&subject).unwrap_or(&Value::Null), &decided);
            assert!(change.is_none() || due.contains(&subject), "{subject} is not due, but {changed}: {change:?}");
            last.insert(subject, decided);
        }
        let there = fleet.decidable();
        assert!(due.iter().all(|subject| there.contains(subject)), "due and not there: {due:?}");
        last.retain(|subject, _| there.contains(subject));
    }
}

/// What a snapshot of the object decides; `None` when it is refused.
fn fresh(model: &Model, subject: &Subject, now: Time) -> Option<Evaluation> {
    let Subject { kind, namespace, name } = subject;
    let profile = Profile::ClusterApiV1_13.to_string();
    let snapshot = model.snapshot(kind.name(), namespace, name, &now.to_string(), &profile)?.to_string();
    evaluate(&Snapshot::parse(&snapshot).ok()?).ok()
}

fn reference(id: &Id) -> ObjectRef {
    if id.kind == "Node" {
        ObjectRef::node(None, &id.name)
    } else {
        ObjectRef::new(("", &id.kind), &id.namespace, &id.name)
    }
}

/// Changes something, and says what.
fn change(fleet: &mut Fleet, model: &mut Model, now: &mut Time, bytes: &mut Bytes<'_>) -> String {
    let what = bytes.byte();
    if what >= 240 {
        *now = now.plus(i64::from(bytes.byte()));
        return format!("it is {now}");
    }
    let object = object(bytes);
    let id = id(&object);
    match what {
        0..=39 => {
            fleet.remove(&reference(&id));
            model.remove(&id);
            format!("{id:?} was removed")
        }
        40..=49 => {
            let Some(subject) = reference(&id).subject() else { return String::new() };
            let facts = OBSERVED.value(bytes);
            if fleet.observe(&Audience::Object(subject.clone()), &facts.to_string()).is_ok() {
                model.reports.insert(subject.to_string(), facts.clone());
            }
            format!("{facts} was observed")
        }
        50..=59 => {
            let complete = bytes.byte().is_multiple_of(2);
            let workload_cluster = (id.kind == "Node").then(|| WorkloadCluster::new("ns", "a"));
            fleet.mark(&Scope { workload_cluster, ..Scope::of(("", &id.kind)) }, complete);
            let cluster = (id.kind == "Node").then(|| "ns/a".to_owned());
            model.marks.insert((id.kind.clone(), cluster), complete);
            format!("{} complete: {complete}", id.kind)
        }
        60..=64 => {
            model.present_is_complete = !model.present_is_complete;
            let present = model.present_is_complete;
            fleet.assume(if present { Assumption::PresentKindsAreComplete } else { Assumption::Nothing });
            format!("present kinds are complete: {present}")
        }
        _ => {
            if fleet.upsert(object.to_string(), None).is_ok() {
                model.upsert(object.clone());
            }
            format!("{object} was put there")
        }
    }
}

/// An object of a small world in which owners and references are told the way Kubernetes tells them.
fn object(bytes: &mut Bytes<'_>) -> Value {
    let (kind, field) = *bytes.pick(&[
        ("Machine", "machine"),
        ("MachineSet", "machineSet"),
        ("MachineDeployment", "machineDeployment"),
        ("Cluster", "cluster"),
        ("KubeadmControlPlane", "kubeadmControlPlane"),
        ("MachineHealthCheck", "machineHealthCheck"),
        ("Node", "node"),
        ("DockerMachine", "infraMachine"),
        ("DockerCluster", "infraCluster"),
        ("ClusterClass", "clusterClass"),
        ("RemediationTemplate", "remediationTemplate"),
        ("Remediation", "remediationTemplate"),
    ]);
    let name = *bytes.pick(&["a", "b", "c"]);
    let namespace = if kind == "Node" { "" } else { *bytes.pick(&["ns", "ns", "ns", "other"]) };
    let owner = match kind {
        "Machine" => *bytes.pick(&["MachineSet", "KubeadmControlPlane", ""]),
        "MachineSet" => *bytes.pick(&["MachineDeployment", ""]),
        _ => "",
    };
    let uid = |kind: &str, name: &str| format!("{kind}/{namespace}/{name}");
    let mut object = shape::of_field(field).value(bytes);
    if !object.is_object() {
        object = json!({});
    }
    object["kind"] = json!(kind);
    if !object["metadata"].is_object() {
        object["metadata"] = json!({});
    }
    let metadata = &mut object["metadata"];
    for (field, value) in [("name", name), ("namespace", namespace), ("uid", &uid(kind, name))] {
        metadata[field] = json!(value);
    }
    metadata["ownerReferences"] = json!([]);
    if !owner.is_empty() {
        let name = bytes.pick(&["a", "b", "c"]);
        metadata["ownerReferences"] =
            json!([{ "kind": owner, "name": name, "uid": uid(owner, name), "controller": true }]);
    }
    // Groups are left out everywhere, and a class is one of the Cluster's namespace.
    for path in [
        "/spec/infrastructureRef",
        "/spec/bootstrap/configRef",
        "/spec/controlPlaneRef",
        "/spec/remediation/templateRef",
        "/spec/remediationTemplate",
        "/spec/topology/classRef",
    ] {
        if let Some(reference) = object.pointer_mut(path).and_then(Value::as_object_mut) {
            for member in ["apiGroup", "apiVersion", "namespace"] {
                reference.remove(member);
            }
        }
    }
    if let Some(members) = object.as_object_mut() {
        members.remove("apiVersion");
    }
    // No Machine is made from a control plane.
    for path in ["/spec/infrastructureRef/kind", "/spec/bootstrap/configRef/kind"] {
        if let Some(reference) = object.pointer_mut(path).filter(|_| kind == "Machine") {
            *reference = json!("DockerMachine");
        }
    }
    object
}
