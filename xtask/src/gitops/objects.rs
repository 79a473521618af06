//! Every recorded object of Cluster API with what its conditions mean, for the engines of GitOps tools.

use super::health::{self, Compiled, Kind};
use crate::run;
use anyhow::{Context, Result};
use capi_policy_corpus::Case;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};

/// Where the tests in `tests/integrations` find them.
const FILE: &str = "target/gitops/objects.jsonl";

/// The field of a recorded case that holds the object that its conditions are about.
const SUBJECTS: &[(&str, &str)] = &[
    ("Cluster", "cluster"),
    ("KubeadmControlPlane", "kubeadmControlPlane"),
    ("Machine", "machine"),
    ("MachineDeployment", "machineDeployment"),
    ("MachineHealthCheck", "machineHealthCheck"),
    ("MachineSet", "machineSet"),
];

/// Writes the objects as they were stored, and as they are once the recorded conditions have been stored.
pub fn write(kinds: &[(&Kind, Vec<Compiled>)]) -> Result<()> {
    let rules: BTreeMap<_, _> = kinds.iter().map(|(kind, rules)| (kind.kind, rules)).collect();
    let path = run::root().join(FILE);
    fs::create_dir_all(path.parent().context("no folder")?)?;
    let mut file = BufWriter::new(File::create(&path)?);
    let (mut count, mut refused) = (0_usize, 0_usize);
    for case in capi_policy_corpus::read_all(&run::root().join("tests/conformance"))? {
        let mut objects = Vec::new();
        collect(&case.input, &mut objects);
        objects.extend(decided(&case));
        for object in objects {
            let Some(rules) = object["kind"].as_str().and_then(|kind| rules.get(kind)) else { continue };
            if !acceptable(&object) {
                refused += 1;
                continue;
            }
            let health = health::of(rules, &object).to_string();
            serde_json::to_writer(&mut file, &json!({ "case": case.id, "health": health, "object": object }))?;
            file.write_all(b"\n")?;
            count += 1;
        }
    }
    file.flush()?;
    run::say(&format!("{count} recorded objects in {FILE}; {refused} left out that no API server accepts"));
    Ok(())
}

/// The objects in a recorded value, wherever they are.
fn collect(value: &Value, objects: &mut Vec<Value>) {
    match value {
        Value::Object(fields) => {
            if is_object(fields) {
                objects.push(value.clone());
            }
            fields.values().for_each(|value| collect(value, objects));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, objects)),
        _ => {}
    }
}

fn is_object(fields: &Map<String, Value>) -> bool {
    fields.contains_key("apiVersion") && fields.contains_key("kind") && fields.contains_key("metadata")
}

/// The object of a case with the conditions that Cluster API gives it; those that the case does not tell about stay.
fn decided(case: &Case) -> Option<Value> {
    let conditions = case.expected["conditions"].as_array()?;
    let subject = SUBJECTS.iter().filter(|(kind, _)| case.kind.starts_with(kind)).max_by_key(|(kind, _)| kind.len())?.1;
    let mut object = case.input.get(subject)?.clone();
    let told = |stored: &&Value| !conditions.iter().any(|condition| condition["type"] == stored["type"]);
    let stored = object["status"]["conditions"].as_array().cloned().unwrap_or_default();
    let stored: Vec<_> = stored.iter().filter(told).chain(conditions).cloned().collect();
    object["status"]["conditions"] = stored.into();
    Some(object)
}

/// Whether each condition has what the resource definitions require.
fn acceptable(object: &Value) -> bool {
    let complete = |condition: &Value| {
        ["type", "reason", "message"].iter().all(|name| condition[name].is_string())
            && matches!(condition["status"].as_str(), Some("True" | "False" | "Unknown"))
    };
    object["status"]["conditions"].as_array().is_none_or(|conditions| conditions.iter().all(complete))
}
