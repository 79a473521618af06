//! The schemas are those in `docs/schema`, and every recorded snapshot and its evaluation is valid. `ACCEPT_SCHEMA=1` writes
//! the files.

use capi_policy_corpus::read_all;
use capi_policy_schema::all;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Members of recorded snapshots that no rule reads: what the recorder noted for itself.
const NOT_READ: &[&str] = &["templatesExist"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn schema(name: &str) -> Value {
    let (_, schema) = all().into_iter().find(|(file, _)| *file == name).expect("a schema");
    schema
}

#[test]
fn the_files_are_what_the_types_say() {
    for (name, schema) in all() {
        let path = root().join("docs/schema").join(name);
        let text = serde_json::to_string_pretty(&schema).expect("JSON") + "\n";
        if std::env::var_os("ACCEPT_SCHEMA").is_some() {
            fs::write(&path, &text).expect("a file");
        }
        let stored = fs::read_to_string(&path).unwrap_or_default();
        assert!(stored == text, "{name} is outdated: ACCEPT_SCHEMA=1 cargo test -p capi-policy-schema writes it");
    }
}

#[test]
fn every_recorded_snapshot_and_its_evaluation_is_valid() {
    let snapshots = jsonschema::validator_for(&schema("snapshot.schema.json")).expect("a schema");
    let evaluations = jsonschema::validator_for(&schema("evaluation.schema.json")).expect("a schema");
    let (mut checked, mut members) = (0, BTreeSet::new());
    for case in read_all(&root().join("tests/conformance")).expect("recorded answers") {
        let mut snapshot = case.snapshot();
        snapshot["explain"] = json!(true);
        let invalid = |error| format!("{}: {error}", case.id);
        snapshots.validate(&snapshot).map_err(|error| invalid(error.to_string())).expect("a valid snapshot");
        members.extend(snapshot.as_object().into_iter().flat_map(|fields| fields.keys().cloned()));
        members.extend(snapshot["observed"].as_object().into_iter().flat_map(|fields| fields.keys().cloned()));
        let answer = capi_policy::evaluate_json(&snapshot.to_string()).expect("an answer");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        evaluations.validate(&answer).map_err(|error| invalid(error.to_string())).expect("a valid evaluation");
        checked += 1;
    }
    assert!(checked > 5000, "{checked} recorded answers");
    let known = schema("snapshot.schema.json");
    let names = |schema: &Value| {
        schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>()
    };
    let known: BTreeSet<_> = names(&known).union(&names(&known["$defs"]["Observed"])).cloned().collect();
    let unknown: Vec<_> = members.difference(&known).filter(|member| !NOT_READ.contains(&member.as_str())).collect();
    assert!(unknown.is_empty(), "members of recorded snapshots that the schema does not have: {unknown:?}");
}

#[test]
fn what_is_wrong_is_found() {
    let snapshots = jsonschema::validator_for(&schema("snapshot.schema.json")).expect("a schema");
    assert!(snapshots.is_valid(&json!({ "now": "2026-01-15T12:00:00Z", "machine": { "metadata": { "name": "m" } } })));
    for wrong in [
        json!({ "machine": {} }),
        json!({ "now": 12 }),
        json!({ "now": "2026-01-15T12:00:00Z", "machines": {} }),
        json!({ "now": "2026-01-15T12:00:00Z", "observed": { "machinesListed": "yes" } }),
        json!({ "now": "2026-01-15T12:00:00Z", "observed": { "etcdMembers": [{ "id": 1 }] } }),
    ] {
        assert!(!snapshots.is_valid(&wrong), "{wrong}");
    }
    let evaluations = jsonschema::validator_for(&schema("evaluation.schema.json")).expect("a schema");
    let condition = json!({ "type": "Ready", "status": "Maybe", "lastTransitionTime": "2026-01-15T12:00:00Z" });
    let wrong = json!({ "kind": "Machine", "now": "2026-01-15T12:00:00Z", "conditions": [condition] });
    assert!(!evaluations.is_valid(&wrong));
}
