//! An object in, the part of it that decisions about what belongs to it read out.

use kube::core::DynamicObject;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// Conditions of a Cluster that decisions about its objects read.
const CONDITIONS: &[&str] = &["ControlPlaneInitialized", "InfrastructureReady"];

/// Digest of the frame: metadata, spec, and of the status how far the start has come and where machines may go. Counters and the other conditions
/// change with every object below, and all of those would be decided again for nothing.
pub fn digest(object: &DynamicObject) -> [u8; 32] {
    let parts = [json!(object.metadata), object.data["spec"].clone(), status(&object.data["status"])];
    Sha256::digest(Value::from_iter(parts).to_string()).into()
}

fn status(status: &Value) -> Value {
    let conditions = status["conditions"].as_array().into_iter().flatten();
    let read = |condition: &&Value| condition["type"].as_str().is_some_and(|kind| CONDITIONS.contains(&kind));
    let conditions: Vec<Value> = conditions.filter(read).cloned().collect();
    let mut frame = Map::from_iter([("conditions".to_owned(), json!(conditions))]);
    for field in ["initialization", "failureDomains"] {
        if let Some(value) = status.get(field) {
            frame.insert(field.to_owned(), value.clone());
        }
    }
    Value::Object(frame)
}

#[cfg(test)]
mod tests {
    use super::{digest, status};
    use crate::group::relations::SUBJECTS;
    use capi_policy::evaluate_json;
    use kube::core::DynamicObject;
    use serde_json::{Value, json};
    use std::path::Path;

    #[test]
    fn a_frame_changes_with_what_is_read_of_it() {
        let cluster = |spec: Value, status: Value| {
            let object = json!({ "metadata": { "name": "c1" }, "spec": spec, "status": status });
            digest(&serde_json::from_value::<DynamicObject>(object).expect("an object"))
        };
        let condition = |kind: &str| json!({ "conditions": [{ "type": kind, "status": "True" }] });
        let plain = cluster(json!({}), json!({}));
        assert_eq!(plain, cluster(json!({}), json!({ "phase": "Provisioned", "workers": { "replicas": 3 } })));
        assert_eq!(plain, cluster(json!({}), condition("Available")));
        assert_ne!(plain, cluster(json!({ "paused": true }), json!({})));
        assert_ne!(plain, cluster(json!({}), condition("InfrastructureReady")));
        assert_ne!(plain, cluster(json!({}), json!({ "initialization": { "infrastructureProvisioned": true } })));
    }

    /// Without the rest of what they belong to, objects get the same decisions.
    #[test]
    fn decisions_read_nothing_but_the_frame_of_what_an_object_belongs_to() {
        let mut reduced = 0;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
        for case in capi_policy_corpus::read_all(&folder).expect("recorded answers") {
            let mut snapshot = case.snapshot();
            let whole = evaluate_json(&snapshot.to_string());
            let kind = snapshot["kind"].as_str();
            let Some(subject) = SUBJECTS.iter().find(|subject| Some(subject.kind.name) == kind) else { continue };
            for related in subject.related.iter().filter(|related| related.link.is_upward()) {
                if let Some(found) = snapshot.pointer_mut(&format!("/{}/status", related.field)) {
                    *found = status(found);
                    reduced += 1;
                }
            }
            assert_eq!(evaluate_json(&snapshot.to_string()), whole, "{}", case.id);
        }
        assert!(reduced > 500, "only {reduced} objects were reduced");
    }
}
