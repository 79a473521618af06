//! Evaluations without what depends on when they were made.

use serde_json::Value;

/// Members that depend on the time of the evaluation, and the row: another one may say the same.
const OF_ITS_TIME: &[&str] =
    &["now", "lastTransitionTime", "lastUpdated", "requeueAfterSeconds", "nextChange", "expired", "row"];

/// Takes them out, wherever they are.
pub fn without_times(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|name, _| !OF_ITS_TIME.contains(&&**name));
            // What an owner notes about a remediation has the time in it.
            for (step, field) in [("setAnnotation", "value"), ("setLastRemediation", "time")] {
                if map.get("type").is_some_and(|other| other == step) {
                    map.remove(field);
                }
            }
            map.values_mut().for_each(without_times);
        }
        Value::Array(list) => list.iter_mut().for_each(without_times),
        _ => {}
    }
}
