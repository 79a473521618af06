//! JSON text and a position in it in, the path of the value there out, as in `machines[2].metadata.name`.
//!
//! The parser's errors carry a line and a column. Finding the path from these costs a second look at a text that was
//! refused anyway; tracking it while parsing would double the code of every type that is read.

use std::fmt::Write;

/// Where in the document a value stands: one step per level.
#[derive(Debug)]
enum Level<'t> {
    /// In an object, at this key; `None` before the first key and between members.
    Object(Option<&'t str>),
    /// In a list, at this item.
    List(usize),
}

/// The path of the value that is read at this line and column, or was just read; empty for the document itself.
/// The text is valid JSON up to there.
pub fn path_at(text: &str, line: usize, column: usize) -> String {
    let lines_before = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    let read = text.get(..lines_before.saturating_add(column)).unwrap_or(text);
    let mut levels = Vec::new();
    let mut rest = read;
    let mut list_just_opened = false;
    while let Some(at) = rest.find(['"', '{', '[', '}', ']', ',']) {
        let (Some(sign), Some(behind)) =
            (rest.get(at..).and_then(|r| r.chars().next()), rest.get(at.saturating_add(1)..))
        else {
            break;
        };
        rest = behind;
        list_just_opened = sign == '[' && rest.trim_start().is_empty();
        match (sign, levels.last_mut()) {
            ('"', level) => {
                let (string, behind) = split_string(rest);
                rest = behind;
                if let Some(Level::Object(key @ None)) = level {
                    *key = Some(string);
                }
            }
            ('{', _) => levels.push(Level::Object(None)),
            ('[', _) => levels.push(Level::List(0)),
            (',', Some(Level::Object(key))) => *key = None,
            (',', Some(Level::List(item))) => *item = item.saturating_add(1),
            (',', None) => {}
            _ => drop(levels.pop()),
        }
    }
    if list_just_opened {
        levels.pop();
    }
    written(&levels)
}

/// A string without its quotes, and what follows it.
fn split_string(text: &str) -> (&str, &str) {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return (text.get(..at).unwrap_or_default(), text.get(at.saturating_add(1)..).unwrap_or_default()),
            _ => {}
        }
    }
    (text, "")
}

fn written(levels: &[Level<'_>]) -> String {
    let mut path = String::new();
    for level in levels {
        match level {
            Level::Object(Some(key)) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
            }
            Level::Object(None) => {}
            Level::List(item) => drop(write!(path, "[{item}]")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use crate::Snapshot;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn snapshot() -> Value {
        json!({
            "now": "2025-01-01T00:00:00Z",
            "machineHealthCheck": {
                "metadata": {"name": "a \"quoted\" name, {braced}", "generation": 2, "labels": {"k[0]": "v"}},
                "spec": {
                    "clusterName": "c", "selector": {"matchLabels": {"a": "b"}, "matchExpressions": []},
                    "checks": {"unhealthyNodeConditions": [{"type": "Ready", "status": "False", "timeoutSeconds": 5}]},
                },
                "status": {"conditions": [{"type": "Paused", "lastTransitionTime": "2025-01-01T00:00:00Z"}]},
            },
            "machines": [
                {"metadata": {"name": "m1", "ownerReferences": [{"kind": "MachineSet", "controller": true}]}},
                {"metadata": {"name": "m2"}, "status": {"conditions": [], "nodeRef": {"name": "n"}}},
            ],
            "observed": {"nodeReadErrors": ["n1"], "healthCheckingState": {"consecutiveFailures": 3}},
        })
    }

    fn pointers(value: &Value, at: &str, out: &mut Vec<String>) {
        out.push(at.to_owned());
        match value {
            Value::Object(members) => members.iter().for_each(|(k, v)| pointers(v, &format!("{at}/{k}"), out)),
            Value::Array(items) => items.iter().enumerate().for_each(|(i, v)| pointers(v, &format!("{at}/{i}"), out)),
            _ => {}
        }
    }

    /// What tracking every step says.
    fn tracked(text: &str) -> Option<String> {
        let deserializer = &mut serde_json::Deserializer::from_str(text);
        let error = serde_path_to_error::deserialize::<_, Snapshot<'_>>(deserializer).err()?;
        Some(error.path().to_string()).map(|path| if path == "." { "snapshot".to_owned() } else { path })
    }

    proptest! {
        #[test]
        fn the_path_is_the_one_that_tracking_every_step_finds(
            which in any::<prop::sample::Index>(),
            wrong in prop::sample::select(vec![json!(5), json!("x"), json!(true), json!({}), json!([]), json!({"z": 1}), json!([1]), json!(1.5)]),
            pretty in any::<bool>(),
        ) {
            let mut value = snapshot();
            let mut all = Vec::new();
            pointers(&value, "", &mut all);
            if let Some(spot) = value.pointer_mut(which.get(all.get(1..).unwrap_or_default()).as_str()) {
                *spot = wrong;
            }
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            let text = text.unwrap_or_default();
            if let Some(path) = tracked(&text) {
                let error = Snapshot::parse(&text).expect_err("refused by the one, refused by the other");
                prop_assert_eq!(error.path(), Some(&*path), "{}", error);
            }
        }
    }
}
