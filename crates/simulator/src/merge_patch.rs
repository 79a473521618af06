//! Changes to objects and scenarios as people write them: JSON merge patches, and a path with a value.

use serde_json::{Map, Value, json};

/// A change that can't be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{change:?}: expected a path and a value, as in spec.replicas=5")]
pub struct InvalidChange {
    change: String,
}

/// `spec.template.spec.version=v1.34.0` as a merge patch. What is JSON is taken as JSON, everything else as text; a dot
/// that belongs to a name is written `\.`.
pub fn assignment(change: &str) -> Result<Value, InvalidChange> {
    let invalid = || InvalidChange { change: change.to_owned() };
    let (path, value) = change.split_once('=').ok_or_else(invalid)?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
    let names = path.replace("\\.", "\0");
    let names: Vec<_> = names.split('.').map(|name| name.replace('\0', ".")).collect();
    if names.iter().any(String::is_empty) {
        return Err(invalid());
    }
    Ok(names.into_iter().rev().fold(value, |value, name| Value::Object(Map::from_iter([(name, value)]))))
}

/// Applies a JSON merge patch (RFC 7386).
pub fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(members) = patch else {
        target.clone_from(patch);
        return;
    };
    let target = crate::object::member(target, &[]);
    for (name, value) in members {
        if value.is_null() {
            target.remove(name);
        } else {
            merge(target.entry(name.clone()).or_insert(Value::Null), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{assignment, merge};
    use serde_json::json;

    #[test]
    fn an_assignment_is_a_merge_patch() {
        assert_eq!(assignment("spec.replicas=5"), Ok(json!({ "spec": { "replicas": 5 } })));
        assert_eq!(assignment("spec.version=v1.34.0"), Ok(json!({ "spec": { "version": "v1.34.0" } })));
        let annotated = json!({ "metadata": { "annotations": { "cluster.x-k8s.io/paused": "" } } });
        assert_eq!(assignment(r"metadata.annotations.cluster\.x-k8s\.io/paused="), Ok(annotated));
        for bad in ["spec.replicas", "=5", "spec..replicas=5"] {
            assert!(assignment(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_patch_sets_replaces_and_removes() {
        let mut object = json!({ "spec": { "replicas": 3, "paused": true, "list": [1, 2] } });
        merge(&mut object, &json!({ "spec": { "replicas": 5, "paused": null, "list": [3], "new": { "a": null } } }));
        assert_eq!(object, json!({ "spec": { "replicas": 5, "list": [3], "new": {} } }));
    }
}
