//! What is remembered of a decision, so that only what is new is told and done.

use super::decision::{Decision, Event};
use super::differences::Comparison;
use super::foresight::Expected;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What is remembered of an object's last turn.
#[derive(Clone, Default)]
pub struct Memory {
    /// The object's uid: another one of the same name starts from nothing.
    pub uid: Option<Box<str>>,
    /// Digest of what was decided, times aside.
    pub decision: String,
    pub due: Option<jiff::Timestamp>,
    pub failures: u32,
    /// A remediation request was refused.
    pub refused: bool,
    /// The conditions say that it was.
    pub told: bool,
    pub events: BTreeSet<Event>,
    pub comparison: Comparison,
    /// What an owner of machines is about to do.
    pub expected: Expected,
}

/// The rows that decided, each once.
pub fn rows(decision: &Decision, value: &Value) -> Vec<String> {
    let own = decision.conditions.iter().map(|condition| condition.row.clone());
    let machines = decision.machines.iter().flat_map(|machine| {
        let conditions = machine.conditions.iter().map(|condition| condition.row.clone());
        conditions.chain([machine.row.clone()]).chain(machine.remediation_row.clone())
    });
    let explained = value["explanations"].as_array().into_iter().flatten().filter_map(|e| e["row"].as_str());
    own.chain(machines).chain(explained.map(str::to_owned)).collect::<BTreeSet<_>>().into_iter().collect()
}

/// A decision without what passes with time.
pub fn essence(value: &Value) -> String {
    let mut value = value.clone();
    if let Some(fields) = value.as_object_mut() {
        for field in ["now", "requeueAfterSeconds", "nextChange", "explanations"] {
            fields.remove(field);
        }
    }
    drop_times(&mut value);
    digest(&[&value.to_string()])
}

fn drop_times(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(drop_times),
        Value::Object(fields) => {
            fields.remove("lastTransitionTime");
            fields.values_mut().for_each(drop_times);
        }
        _ => {}
    }
}

/// SHA-256 of the parts, as hexadecimal text.
pub fn digest(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.as_bytes());
    }
    hex(hasher)
}

/// What was hashed, as hexadecimal text.
pub fn hex(hasher: Sha256) -> String {
    hasher.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
