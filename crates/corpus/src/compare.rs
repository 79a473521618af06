//! Compares an evaluation with a recorded answer.

use crate::{Case, families};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// One entry per value that differs: what it is, what was recorded, what was computed.
    pub differences: Vec<Difference>,
}

/// One value that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where.
    pub path: String,
    /// What Cluster API said.
    pub recorded: String,
    /// What the policy says.
    pub computed: String,
}

/// Compares an evaluation with a recorded answer. A family that nobody compares is a difference, too.
pub fn compare(case: &Case, evaluation: &Value) -> Comparison {
    let mut comparison = Comparison::default();
    match families::named(&case.kind) {
        Some(family) => (family.compare)(case, evaluation, &mut comparison),
        None => comparison.check("kind", &json!(case.kind), &json!("a family that the policy does not answer")),
    }
    comparison
}

impl Comparison {
    /// Notes every value below this path that differs.
    pub fn check(&mut self, path: &str, recorded: &Value, computed: &Value) {
        if recorded == computed {
            return;
        }
        match (recorded, computed) {
            (Value::Object(a), Value::Object(b)) => {
                let fields: BTreeSet<_> = a.keys().chain(b.keys()).collect();
                for field in fields {
                    self.check(&format!("{path}.{field}"), &recorded[field], &computed[field]);
                }
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                for (i, (a, b)) in a.iter().zip(b).enumerate() {
                    let name = a["type"].as_str().or(a["name"].as_str()).map_or(i.to_string(), ToOwned::to_owned);
                    self.check(&format!("{path}[{name}]"), a, b);
                }
            }
            _ => {
                let text = |value: &Value| value.as_str().map_or(value.to_string(), ToOwned::to_owned);
                self.differences.push(Difference {
                    path: path.to_owned(),
                    recorded: text(recorded),
                    computed: text(computed),
                });
            }
        }
    }
}

pub fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

pub fn sorted(list: &Value) -> Value {
    strings(list, Clone::clone)
}

pub fn strings(list: &Value, text: impl Fn(&Value) -> Value) -> Value {
    let mut all: Vec<_> = items(list).map(|item| text(item).as_str().unwrap_or_default().to_owned()).collect();
    all.sort();
    json!(all)
}

pub fn event(event: &Value) -> Value {
    let field = |name: &str| event[name].as_str().unwrap_or_default();
    json!(format!("{} {} {}", field("type"), field("reason"), field("message")))
}

/// What is compared of conditions, in their order.
pub fn conditions(list: &Value, wanted: &[&str]) -> Value {
    items(list)
        .filter(|c| c["type"].as_str().is_some_and(|kind| wanted.contains(&kind)))
        .map(|c| {
            json!({
                "type": c["type"], "status": c["status"], "reason": c["reason"], "message": c["message"],
                "observedGeneration": c["observedGeneration"].as_i64().unwrap_or(0),
            })
        })
        .collect()
}

pub fn by_type(list: &Value) -> Value {
    let mut all: Vec<_> = items(list).cloned().collect();
    all.sort_by_key(|c| c["type"].as_str().unwrap_or_default().to_owned());
    json!(all)
}

pub fn times(list: &Value, wanted: &[&str]) -> Value {
    let pairs = items(list).filter_map(|c| Some((c["type"].as_str()?, &c["lastTransitionTime"])));
    Value::Object(
        pairs.filter(|(kind, _)| wanted.contains(kind)).map(|(kind, time)| (kind.to_owned(), time.clone())).collect(),
    )
}

pub fn recorded_times(expected: &Value, wanted: &[&str]) -> Value {
    let all = expected["lastTransitionTimes"].as_object().into_iter().flatten();
    Value::Object(
        all.filter(|(kind, _)| wanted.contains(&&***kind)).map(|(kind, time)| (kind.clone(), time.clone())).collect(),
    )
}
