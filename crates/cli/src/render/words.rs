//! Numbers, times and names in words.

use capi_policy::time::Time;
use capi_policy_controller::printable::printable;
use serde_json::Value;

/// `90` as `1m30s`, `-5` as `-5s`.
pub fn duration(seconds: i64) -> String {
    if seconds < 0 {
        return format!("-{}", duration(seconds.saturating_neg()));
    }
    let parts = [("d", seconds / 86_400), ("h", seconds / 3_600 % 24), ("m", seconds / 60 % 60), ("s", seconds % 60)];
    let shown: Vec<_> = parts.iter().filter(|(_, n)| *n > 0).take(2).map(|(unit, n)| format!("{n}{unit}")).collect();
    if shown.is_empty() { "0s".to_owned() } else { shown.concat() }
}

/// A moment as seen from another: `in 5m`, `5m ago`, `now`.
pub fn relative(moment: Time, now: Time) -> String {
    match moment.since(now) {
        0 => "now".to_owned(),
        seconds if seconds > 0 => format!("in {}", duration(seconds)),
        seconds => format!("{} ago", duration(seconds.saturating_neg())),
    }
}

/// `machineCreated` and `NotEvaluated` as `machine created` and `not evaluated`.
pub fn spaced(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

/// `1 machine`, `2 machines`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// `namespace/name`, or the name alone.
pub fn path(namespace: &str, name: &str) -> String {
    if namespace.is_empty() { name.to_owned() } else { format!("{namespace}/{name}") }
}

/// A value whose strings can be shown.
pub fn printable_strings(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(printable(text).into_owned()),
        Value::Array(items) => items.iter().map(printable_strings).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (printable(name).into_owned(), printable_strings(value))).collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::{duration, spaced};

    #[test]
    fn durations_show_their_two_largest_parts() {
        let shown: Vec<_> = [0, 59, 90, 3_600, 7_325, 90_061, -60].into_iter().map(duration).collect();
        assert_eq!(shown, ["0s", "59s", "1m30s", "1h", "2h2m", "1d1h", "-1m"]);
    }

    #[test]
    fn names_become_words() {
        assert_eq!(spaced("machineInfrastructureReady"), "machine infrastructure ready");
        assert_eq!(spaced("NotEvaluated"), "not evaluated");
    }
}
