//! Decisions under one profile, each made from objects that carry the decisions about what it reads.

use super::answer;
use crate::question::Question;
use capi_policy_host::Engine;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Kinds in the order in which decisions are passed on: each reads those before it.
const ORDER: &[&str] = &[
    "Machine",
    "MachineSet",
    "MachineDeployment",
    "MachinePool",
    "KubeadmControlPlane",
    "MachineHealthCheck",
    "Cluster",
];

/// Fields of a snapshot that hold objects with decisions of their own, and their kinds.
const READ: &[(&str, &str)] = &[
    ("machines", "Machine"),
    ("machineSets", "MachineSet"),
    ("machineDeployments", "MachineDeployment"),
    ("machinePools", "MachinePool"),
    ("controlPlane", "KubeadmControlPlane"),
];

type Key = (String, String, String);

/// The decision about every question, in the order of the questions.
pub fn decide(engine: &dyn Engine, questions: &[Question], profile: &str) -> Vec<Value> {
    let mut order: Vec<usize> = (0..questions.len()).collect();
    let rank = |kind: &str| ORDER.iter().position(|known| *known == kind).unwrap_or(ORDER.len());
    order.sort_by_key(|i| questions.get(*i).map(|question| rank(&question.kind)));
    let mut decided: BTreeMap<Key, Value> = BTreeMap::new();
    let mut answers = vec![Value::Null; questions.len()];
    for i in order {
        let Some(question) = questions.get(i) else { continue };
        let mut snapshot = question.snapshot.clone();
        snapshot["profile"] = json!(profile);
        for (field, kind) in READ {
            carry(&mut snapshot[*field], kind, &decided);
        }
        let decision = answer(engine, &snapshot.to_string());
        decided.insert((question.kind.clone(), question.namespace.clone(), question.name.clone()), decision.clone());
        if let Some(place) = answers.get_mut(i) {
            *place = decision;
        }
    }
    answers
}

/// Puts decisions into the objects of a field.
fn carry(field: &mut Value, kind: &str, decided: &BTreeMap<Key, Value>) {
    match field {
        Value::Array(objects) => objects.iter_mut().for_each(|object| carry(object, kind, decided)),
        Value::Object(_) => {
            let name = |part: &str| field["metadata"][part].as_str().unwrap_or_default().to_owned();
            if let Some(decision) = decided.get(&(kind.to_owned(), name("namespace"), name("name"))) {
                update(&mut field["status"], decision);
            }
        }
        _ => {}
    }
}

/// A status with the conditions and the fields of a decision.
fn update(status: &mut Value, decision: &Value) {
    let Some(conditions) = decision["conditions"].as_array() else { return };
    if !status.is_object() {
        *status = json!({});
    }
    let mut all = status["conditions"].as_array().cloned().unwrap_or_default();
    for condition in conditions {
        all.retain(|stored| stored["type"] != condition["type"]);
        all.push(condition.clone());
    }
    status["conditions"] = Value::Array(all);
    for (field, value) in decision["status"].as_object().into_iter().flatten() {
        status[field] = value.clone();
    }
}
