//! Where two decisions differ.

use serde_json::Value;
use std::collections::BTreeSet;

/// One value that differs.
pub struct Difference {
    pub path: String,
    pub old: String,
    pub new: String,
}

/// Notes every value that differs.
pub fn compare(path: &str, old: &Value, new: &Value, differences: &mut Vec<Difference>) {
    match (old, new) {
        _ if old == new => {}
        (Value::Object(a), Value::Object(b)) => {
            let fields: BTreeSet<_> = a.keys().chain(b.keys()).collect();
            for field in fields {
                let path = if path.is_empty() { field.clone() } else { format!("{path}.{field}") };
                compare(&path, &old[field], &new[field], differences);
            }
        }
        (Value::Array(a), Value::Array(b)) => match (names(a), names(b)) {
            (Some(in_a), Some(in_b)) => {
                let all: BTreeSet<_> = in_a.iter().chain(&in_b).collect();
                for name in all {
                    let find = |names: &[String], list: &[Value]| {
                        names.iter().position(|n| n == name).and_then(|i| list.get(i).cloned()).unwrap_or_default()
                    };
                    compare(&format!("{path}[{name}]"), &find(&in_a, a), &find(&in_b, b), differences);
                }
            }
            _ => differences.push(Difference { path: path.to_owned(), old: text(old), new: text(new) }),
        },
        _ => differences.push(Difference { path: path.to_owned(), old: text(old), new: text(new) }),
    }
}

/// What the items of a list are called, where all have names of their own.
fn names(list: &[Value]) -> Option<Vec<String>> {
    let name = |item: &Value| {
        let parts = ["type", "name", "machine"].iter().filter_map(|field| item[field].as_str());
        Some(parts.collect::<Vec<_>>().join(" ")).filter(|name| !name.is_empty())
    };
    let all: Vec<String> = list.iter().map(name).collect::<Option<_>>()?;
    (all.iter().collect::<BTreeSet<_>>().len() == all.len()).then_some(all)
}

/// A value in a cell: conditions in a line, everything else as JSON.
pub fn text(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Object(fields) if fields.contains_key("reason") && fields.contains_key("status") => {
            let field = |name: &str| value[name].as_str().unwrap_or_default();
            format!("{} {} {}", field("status"), field("reason"), field("message")).trim_end().to_owned()
        }
        other => other.to_string(),
    }
}
