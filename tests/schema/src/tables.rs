//! The tables with which the policy reads snapshots, from their source: each line is a member, and the comment above says what
//! it is.

use serde_json::{Map, Value, json};

const SOURCES: &[&str] =
    &[include_str!("../../../src/input/snapshot.rs"), include_str!("../../../src/input/observed.rs")];

/// The schema of a snapshot. Members that no rule reads are ignored, so none is forbidden.
pub fn snapshot() -> Value {
    let mut definitions = Map::new();
    for source in SOURCES {
        definitions.extend(structs(source));
    }
    let mut snapshot = definitions.remove("Snapshot").unwrap_or_default();
    let known: Vec<_> = definitions.keys().cloned().collect();
    for schema in definitions.values_mut().chain([&mut snapshot]) {
        resolve(schema, &known);
    }
    snapshot["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    snapshot["$id"] = json!("https://github.com/capi-policy/capi-policy/schema/snapshot.schema.json");
    snapshot["title"] = json!("Snapshot");
    snapshot["$defs"] = Value::Object(definitions);
    snapshot
}

/// Every struct of a source that is defined by a table, by its name.
fn structs(source: &str) -> Map<String, Value> {
    let mut structs = Map::new();
    let (mut about, mut open): (Vec<&str>, Option<(String, Value)>) = (Vec::new(), None);
    for line in source.lines().map(str::trim) {
        if let Some(comment) = line.strip_prefix("/// ") {
            about.push(comment);
        } else if let Some(rest) = line.strip_prefix("pub struct ").filter(|rest| rest.ends_with('{')) {
            let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
            let required: Vec<_> = rest.split('"').nth(1).into_iter().collect();
            let mut schema = json!({ "type": "object", "description": about.join(" "), "properties": {} });
            if !required.is_empty() {
                schema["required"] = json!(required);
            }
            open = Some((name, schema));
            about.clear();
        } else if let (Some((_, schema)), Some((members, field))) = (&mut open, line.split_once(" => ")) {
            let of_type = field.split_once(": ").map_or("", |(_, of_type)| of_type.trim_end_matches(','));
            let (of_type, default) = of_type.split_once(" = ").map_or((of_type, None), |(of, value)| (of, Some(value)));
            for member in members.split('|').map(|member| member.trim().trim_matches('"')) {
                let mut property = value(of_type);
                property["description"] = json!(about.join(" "));
                if let Some(default) = default {
                    property["default"] = default.parse().expect("a value of JSON");
                }
                schema["properties"][member] = property;
            }
            about.clear();
        } else if line == "}" {
            // A struct without members is none of a table's.
            let finished =
                open.take().filter(|(_, schema)| schema["properties"].as_object().is_some_and(|all| !all.is_empty()));
            structs.extend(finished);
            about.clear();
        } else if !line.starts_with("#[") {
            about.clear();
        }
    }
    structs
}

/// The schema of a field's type. `null` stands for an absent member everywhere.
fn value(of_type: &str) -> Value {
    let inner = |name: &str| of_type.strip_prefix(name).and_then(|rest| rest.strip_prefix('<')?.strip_suffix('>'));
    if let Some(inner) = inner("Option") {
        return value(inner);
    }
    if let Some(inner) = inner("Vec") {
        return json!({ "type": ["array", "null"], "items": value(inner) });
    }
    match of_type.trim_end_matches("<'a>") {
        "bool" => json!({ "type": ["boolean", "null"] }),
        "i64" | "u64" => json!({ "type": ["integer", "null"] }),
        "Str" | "Kind" | "Profile" => json!({ "type": ["string", "null"] }),
        "Time" => json!({ "type": ["string", "null"], "format": "date-time" }),
        "Names" => json!({ "type": ["array", "null"], "items": { "type": "string" } }),
        name => json!({ "type": ["object", "null"], "$ref": name }),
    }
}

/// Points references to what is defined here; what is not is an object of Kubernetes, whose schema its API server has.
fn resolve(schema: &mut Value, known: &[String]) {
    match schema {
        Value::Object(fields) => {
            let of_type = fields.get("$ref").and_then(Value::as_str).map(str::to_owned);
            match of_type.filter(|name| !name.starts_with('#')) {
                Some(name) if known.contains(&name) => {
                    fields.remove("type");
                    fields.remove("$ref");
                    fields
                        .insert("anyOf".to_owned(), json!([{ "$ref": format!("#/$defs/{name}") }, { "type": "null" }]));
                }
                Some(_) => drop(fields.remove("$ref")),
                None => {}
            }
            fields.values_mut().for_each(|below| resolve(below, known));
        }
        Value::Array(items) => items.iter_mut().for_each(|below| resolve(below, known)),
        _ => {}
    }
}
