//! The command line decides about raw objects what the library's fleet decides about them. `cargo xtask vectors` writes what is
//! asked, and Go and the browser are asked the same.

use crate::command;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs;

#[derive(Deserialize)]
struct Asked {
    id: String,
    now: String,
    profile: String,
    objects: Vec<Value>,
    evaluations: Vec<Value>,
}

#[test]
fn raw_objects_are_decided_as_in_every_other_shape() {
    let file = fs::read_to_string(command::path("target/fleets.jsonl")).expect("made by `cargo xtask vectors`");
    let asked: Vec<Asked> = file.lines().map(|line| serde_json::from_str(line).expect("a question")).collect();
    assert_eq!(asked.len(), 10, "five parts of the fleet under two profiles");
    for Asked { id, now, profile, objects, evaluations } in asked {
        assert!(evaluations.len() >= 15, "{id}: {} evaluations", evaluations.len());
        let list = json!({ "apiVersion": "v1", "kind": "List", "items": objects }).to_string();
        let run =
            command::run_with(&list, &["evaluate", "-f", "-", "--now", &now, "--profile", &profile, "-o", "json"]);
        assert_eq!(run.code, Some(0), "{id}: {}", run.stderr);
        let decided: Vec<Value> = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!(by_subject(decided), by_subject(evaluations), "{id}");
    }
}

/// Evaluations in the order of kind, namespace and name.
fn by_subject(mut evaluations: Vec<Value>) -> Vec<Value> {
    evaluations.sort_by_key(|evaluation| ["kind", "namespace", "name"].map(|field| evaluation[field].to_string()));
    evaluations
}
