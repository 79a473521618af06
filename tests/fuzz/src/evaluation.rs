//! What two evaluations have to have in common.

use capi_policy::Evaluation;
use capi_policy_corpus::without_times;
use serde_json::Value;

/// An evaluation without what depends on when it was made, and without the rows: another row may say the same.
pub fn decision(evaluation: &Evaluation) -> Value {
    let mut value = serde_json::to_value(evaluation).expect("an evaluation is JSON");
    without_times(&mut value);
    value
}

/// The first place where two values differ, and what is there in each.
pub fn difference(one: &Value, other: &Value) -> Option<String> {
    match (one, other) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            a.iter().find_map(|(name, value)| Some(format!(".{name}{}", difference(value, &b[name])?)))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            (0..a.len()).find_map(|i| Some(format!("[{i}]{}", difference(&a[i], &b[i])?)))
        }
        _ => (one != other).then(|| format!(": {one} or {other}")),
    }
}
