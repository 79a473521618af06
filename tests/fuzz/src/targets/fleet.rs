//! A fleet after any changes decides what a fresh snapshot of its objects decides, and names what has to be looked at.

use crate::bytes::Bytes;
use crate::evaluation::{decision, difference};
use crate::shape::{self, NOW, OBSERVED};
use capi_policy::fleet::{Fleet, ObjectRef};
use capi_policy::outcome::written;
use capi_policy::time::Time;
use capi_policy::{Evaluation, Kind, Profile, Snapshot, evaluate};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const CLUSTER_NAME: &str = "cluster.x-k8s.io/cluster-name";

/// Kinds of providers, which objects refer to.
const PROVIDED: &[&str] =
    &["DockerMachine", "DockerCluster", "KubeadmControlPlane", "ClusterClass", "RemediationTemplate", "Remediation"];

/// Kind, namespace and name.
type Id = (String, String, String);

/// The same objects as the fleet's, without any index.
#[derive(Default)]
struct Model {
    objects: BTreeMap<Id, Value>,
    observed: BTreeMap<Id, Value>,
}

/// Changes a fleet and compares.
pub fn fleet(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let (mut fleet, mut model) = (Fleet::default(), Model::default());
    let mut now = Time::parse(NOW).expect("a time");
    let mut last: BTreeMap<ObjectRef, Value> = BTreeMap::new();
    for _ in 0..40 {
        if bytes.is_empty() {
            return;
        }
        let changed = change(&mut fleet, &mut model, &mut now, bytes);
        let due = fleet.due(now);
        for object in model.evaluable() {
            let decided = fleet.evaluate(&object, now, Profile::ClusterApiV1_13, false).ok();
            let fresh = model.evaluate(&object, now);
            // As the fleet's host gets it: what is said again was written down before.
            let json = |evaluation: &Option<Evaluation>| -> Value {
                evaluation.as_ref().map_or(Value::Null, |e| serde_json::from_str(&written(e)).expect("JSON"))
            };
            assert_eq!(difference(&json(&decided), &json(&fresh)), None, "{object:?}");
            let Some(decided) = decided else {
                last.remove(&object);
                continue;
            };
            let decided = decision(&decided);
            let change = difference(last.get(&object).unwrap_or(&Value::Null), &decided);
            assert!(change.is_none() || due.contains(&object), "{object:?} is not due, but {changed}: {change:?}");
            last.insert(object, decided);
        }
        last.retain(|object, _| model.find(&object.kind.to_string(), &object.namespace, &object.name).is_some());
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
    let (kind, namespace, name) = (id.0.clone(), id.1.clone(), id.2.clone());
    match what {
        0..=39 => {
            fleet.remove(&kind, &namespace, &name);
            model.objects.remove(&id);
            model.observed.remove(&id);
            format!("{id:?} was removed")
        }
        40..=49 => {
            let Some(&kind) = Kind::ALL.iter().find(|known| known.to_string() == kind) else { return String::new() };
            let facts = OBSERVED.value(bytes);
            if fleet.observe(&ObjectRef { kind, namespace, name }, &facts.to_string()).is_ok() {
                model.observed.insert(id, facts.clone());
            }
            format!("{facts} was observed")
        }
        _ => {
            if fleet.upsert(&object.to_string()).is_ok() {
                model.objects.insert(id, object.clone());
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
    // No Machine is made from a control plane.
    for path in ["/spec/infrastructureRef/kind", "/spec/bootstrap/configRef/kind"] {
        if let Some(reference) = object.pointer_mut(path).filter(|_| kind == "Machine") {
            *reference = json!("DockerMachine");
        }
    }
    object
}

fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_default()
}

fn id(object: &Value) -> Id {
    let text = |path| text(object, path).to_owned();
    (text("/kind"), text("/metadata/namespace"), text("/metadata/name"))
}

impl Model {
    fn evaluable(&self) -> Vec<ObjectRef> {
        let objects = self.objects.keys().filter_map(|(kind, namespace, name)| {
            let kind = *Kind::ALL.iter().find(|known| known.to_string() == *kind)?;
            Some(ObjectRef { kind, namespace: namespace.clone(), name: name.clone() })
        });
        objects.collect()
    }

    fn find(&self, kind: &str, namespace: &str, name: &str) -> Option<&Value> {
        self.objects.get(&(kind.to_owned(), namespace.to_owned(), name.to_owned()))
    }

    fn of_kind<'m>(&'m self, kind: &'m str, namespace: &'m str) -> impl Iterator<Item = &'m Value> {
        let found = move |(id, _): &(&Id, &Value)| id.0 == kind && id.1 == namespace;
        self.objects.iter().filter(found).map(|(_, object)| object)
    }

    fn owned<'m>(&'m self, kind: &'m str, owner: &'m Value) -> Vec<&'m Value> {
        let uid = text(owner, "/metadata/uid");
        let of_owner = |object: &&Value| text(object, "/metadata/ownerReferences/0/uid") == uid;
        self.of_kind(kind, text(owner, "/metadata/namespace")).filter(of_owner).collect()
    }

    /// What a snapshot of the object decides; `None` when it can't be made or is refused.
    fn evaluate(&self, object: &ObjectRef, now: Time) -> Option<Evaluation> {
        let snapshot = self.snapshot(object, now)?.to_string();
        evaluate(&Snapshot::parse(&snapshot).ok()?).ok()
    }

    fn snapshot(&self, reference: &ObjectRef, now: Time) -> Option<Value> {
        let (kind, namespace) = (reference.kind, &*reference.namespace);
        let object = self.find(&kind.to_string(), namespace, &reference.name)?;
        let mut snapshot = Map::new();
        let mut put = |field: &str, value: Option<Value>| {
            if let Some(value) = value {
                snapshot.insert(field.to_owned(), value);
            }
        };
        let referred = |path: &str| {
            let (kind, name) = (text(object, &format!("{path}/kind")), text(object, &format!("{path}/name")));
            PROVIDED.contains(&kind).then(|| self.find(kind, namespace, name).cloned())?
        };
        put("kind", Some(json!(kind)));
        put("now", Some(json!(now)));
        put("profile", Some(json!("cluster-api-v1.13")));
        let label = object.pointer("/metadata/labels").and_then(|labels| labels.get(CLUSTER_NAME)?.as_str());
        let cluster = if kind == Kind::MachineHealthCheck { Some(text(object, "/spec/clusterName")) } else { label };
        put("cluster", cluster.and_then(|name| self.find("Cluster", namespace, name)).cloned());
        put(kind.field(), Some(object.clone()));
        put("observed", self.observed.get(&(kind.to_string(), namespace.to_owned(), reference.name.clone())).cloned());
        match kind {
            Kind::MachineDeployment => {
                let sets = self.owned("MachineSet", object);
                put("machines", Some(sets.iter().flat_map(|set| self.owned("Machine", set)).cloned().collect()));
                put("machineSets", Some(json!(sets)));
            }
            Kind::MachineSet | Kind::KubeadmControlPlane => put("machines", Some(json!(self.owned("Machine", object)))),
            Kind::Machine => {
                let owner = |kind: &str, object: &Value| {
                    let owned = text(object, "/metadata/ownerReferences/0/kind") == kind;
                    self.find(kind, namespace, text(object, "/metadata/ownerReferences/0/name")).filter(|_| owned)
                };
                let set = owner("MachineSet", object);
                put("owningMachineSet", set.cloned());
                put("owningMachineDeployment", set.and_then(|set| owner("MachineDeployment", set)).cloned());
                put("node", self.find("Node", "", text(object, "/status/nodeRef/name")).cloned());
                put("infraMachine", referred("/spec/infrastructureRef"));
                put("bootstrapConfig", referred("/spec/bootstrap/configRef"));
            }
            Kind::MachineHealthCheck => {
                let machines: Vec<_> = self.of_kind("Machine", namespace).collect();
                let places = ["/spec/remediation/templateRef", "/spec/remediationTemplate"];
                let place = places.into_iter().find(|place| !text(object, &format!("{place}/name")).is_empty());
                if let Some(place) = place {
                    put("remediationTemplate", referred(place));
                    let kind = text(object, &format!("{place}/kind"));
                    let request = kind.strip_suffix("Template").unwrap_or(kind);
                    let named = machines.iter().filter(|_| PROVIDED.contains(&request));
                    let requests = named.filter_map(|m| self.find(request, namespace, text(m, "/metadata/name")));
                    put("remediationRequests", Some(requests.cloned().collect()));
                }
                put("machines", Some(json!(machines)));
                put("nodes", Some(self.of_kind("Node", "").cloned().collect()));
            }
            Kind::Cluster => {
                let belongs = |object: &&Value| {
                    object.pointer("/metadata/labels").and_then(|labels| labels.get(CLUSTER_NAME)?.as_str())
                        == Some(&reference.name)
                };
                for (field, kind) in [
                    ("machineDeployments", "MachineDeployment"),
                    ("machineSets", "MachineSet"),
                    ("machines", "Machine"),
                ] {
                    put(field, Some(self.of_kind(kind, namespace).filter(belongs).cloned().collect()));
                }
                put("infraCluster", referred("/spec/infrastructureRef"));
                put("controlPlane", referred("/spec/controlPlaneRef"));
                let class = text(object, "/spec/topology/classRef/name");
                put("clusterClass", self.find("ClusterClass", namespace, class).cloned());
            }
        }
        Some(Value::Object(snapshot))
    }
}
