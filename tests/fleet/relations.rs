//! What the texts of objects say about each other, read without views.

use super::{CLUSTER_NAME, Id};
use serde_json::{Map, Value, json};

/// What a reference leads to.
pub enum Referred {
    Nothing,
    Found(Value),
    NotRead(String),
}

impl Referred {
    pub fn found(self) -> Option<Value> {
        if let Self::Found(object) = self { Some(object) } else { None }
    }

    /// The object, or what was last seen of it; else that it was not read.
    pub fn seen(self, object: &Value, of_type: &str, observed: &mut Value, not_found: &str) -> Option<Value> {
        match self {
            Self::Nothing => None,
            Self::Found(object) => Some(object),
            Self::NotRead(kind) => {
                let Some(stored) = condition(object, of_type) else {
                    observed[not_found] = json!(false);
                    return None;
                };
                let mut ready = stored.clone();
                ready["type"] = json!("Ready");
                Some(json!({ "kind": kind, "status": { "conditions": [ready] } }))
            }
        }
    }
}

/// What an object refers to.
pub fn named_by(object: &Value) -> Vec<Id> {
    let namespace = text(object, "/metadata/namespace");
    let referred = |path: &str| {
        let (kind, name) = (text(object, &format!("{path}/kind")), text(object, &format!("{path}/name")));
        Id { kind: kind.to_owned(), namespace: namespace.to_owned(), name: name.to_owned(), cluster: None }
    };
    match text(object, "/kind") {
        "Machine" => {
            let cluster = format!("{namespace}/{}", cluster_name(object).unwrap_or_default());
            let (kind, name) = ("Node".to_owned(), text(object, "/status/nodeRef/name").to_owned());
            let node = Id { kind, namespace: String::new(), name, cluster: Some(cluster) };
            vec![referred("/spec/infrastructureRef"), referred("/spec/bootstrap/configRef"), node]
        }
        "Cluster" => vec![referred("/spec/infrastructureRef"), referred("/spec/controlPlaneRef")],
        "MachineHealthCheck" => vec![referred("/spec/remediation/templateRef"), referred("/spec/remediationTemplate")],
        "MachineSet" | "MachineDeployment" | "MachinePool" => {
            vec![referred("/spec/template/spec/bootstrap/configRef"), referred("/spec/template/spec/infrastructureRef")]
        }
        "KubeadmControlPlane" => vec![referred("/spec/machineTemplate/spec/infrastructureRef")],
        _ => Vec::new(),
    }
}

pub fn controls(owner: &Value, object: &Value) -> bool {
    let owners = object.pointer("/metadata/ownerReferences").and_then(Value::as_array);
    let reference = owners.into_iter().flatten().find(|reference| reference["controller"] == true);
    let (uid, kind) = (text(owner, "/metadata/uid"), text(owner, "/kind"));
    reference.is_some_and(|reference| {
        let named = (text(reference, "/kind"), text(reference, "/name")) == (kind, text(owner, "/metadata/name"));
        let same = text(reference, "/uid");
        named && (same.is_empty() || uid.is_empty() || same == uid)
    })
}

pub fn field(kind: &str) -> String {
    kind.get(..1).unwrap_or_default().to_lowercase() + kind.get(1..).unwrap_or_default()
}

pub fn put(snapshot: &mut Value, field: &str, value: Option<Value>) {
    if let (Some(value), Some(members)) = (value, snapshot.as_object_mut()) {
        Map::insert(members, field.to_owned(), value);
    }
}

pub fn deny(observed: &mut Value, holds: bool, fact: &str) {
    if !holds {
        observed[fact] = json!(false);
    }
}

pub fn label(object: &Value) -> Option<&str> {
    object.pointer("/metadata/labels")?.get(CLUSTER_NAME)?.as_str()
}

pub fn cluster_name(object: &Value) -> Option<&str> {
    if object["kind"] == "Cluster" {
        return Some(text(object, "/metadata/name"));
    }
    let named = text(object, "/spec/clusterName");
    if named.is_empty() || object["kind"] == "KubeadmControlPlane" { label(object) } else { Some(named) }
}

pub fn condition<'o>(object: &'o Value, of_type: &str) -> Option<&'o Value> {
    let conditions = object.pointer("/status/conditions")?.as_array()?;
    conditions.iter().find(|condition| condition["type"] == *of_type)
}

pub fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_default()
}
