//! The same day with something else in it.

use super::{Invalid, Scenario};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A change to a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Variant {
    /// What it is called.
    pub name: String,
    /// What is different: a merge patch of the scenario.
    pub change: Value,
}

impl Variant {
    /// One for each value of a field: `healthChecks.workers.unhealthyLessThanOrEqualTo=20%,40%`.
    pub fn of_field(text: &str) -> Option<Vec<Self>> {
        let (path, values) = text.split_once('=')?;
        let names: Vec<&str> = path.trim().split('.').collect();
        if names.iter().any(|name| name.is_empty()) {
            return None;
        }
        let last = names.last()?;
        let variant = |value: &str| {
            let value = value.trim();
            let leaf = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
            let change = names.iter().rev().fold(leaf, |inner, name| json!({ *name: inner }));
            Self { name: format!("{last}={value}"), change }
        };
        Some(values.split(',').map(variant).collect())
    }

    /// The scenario with the change.
    pub fn apply(&self, scenario: &Scenario) -> Result<Scenario, Invalid> {
        let mut value = scenario.value();
        merge(&mut value, &self.change);
        Scenario::read(&value).map_err(|invalid| invalid.below(&format!("compare {:?}: ", self.name)))
    }
}

/// A merge patch (RFC 7386).
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        target.clone_from(patch);
        return;
    };
    let target = crate::object::member(target, &[]);
    for (name, value) in patch {
        if value.is_null() {
            target.remove(name);
        } else {
            merge(target.entry(name).or_insert(Value::Null), value);
        }
    }
}
