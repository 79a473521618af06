//! What of an object goes into a capture: the fields that decisions read, and no others. Captures are sent to other people.

use kube::core::DynamicObject;
use serde_json::{Map, Value};

/// Fields of a provider's object that Cluster API's contract fixes.
const PROVIDER_STATUS: &[&str] = &[
    "availableReplicas",
    "conditions",
    "externalManagedControlPlane",
    "initialization",
    "initialized",
    "readyReplicas",
    "ready",
    "replicas",
    "unavailableReplicas",
    "upToDateReplicas",
    "updatedReplicas",
    "v1beta2",
    "version",
    "versions",
];

/// Drops what a capture does not show, beyond what [`super::trim::trim`] drops.
pub fn redact(group: &str, kind: &str, object: &mut DynamicObject) {
    let data = &mut object.data;
    match (group, kind) {
        ("cluster.x-k8s.io", "Cluster") => {
            keep(data, "/spec/topology", &["class", "classRef", "version"]);
            drop_field(data, "/spec", "clusterNetwork");
        }
        ("cluster.x-k8s.io", "ClusterClass") => keep(data, "/spec", &["availabilityGates"]),
        ("cluster.x-k8s.io", "Machine") => {
            drop_field(data, "/status", "addresses");
            keep(data, "/status/nodeInfo", &["kubeletVersion"]);
        }
        ("", "Node") | ("cluster.x-k8s.io", _) | ("controlplane.cluster.x-k8s.io", "KubeadmControlPlane") => {}
        // A remediation request is made from its template.
        _ if kind.ends_with("Template") => keep(data, "/spec", &["template"]),
        _ => {
            keep(data, "", &["spec", "status"]);
            keep(data, "/spec", &["replicas"]);
            keep(data, "/status", PROVIDER_STATUS);
        }
    }
}

fn keep(data: &mut Value, at: &str, fields: &[&str]) {
    if let Some(found) = data.pointer_mut(at).and_then(Value::as_object_mut) {
        found.retain(|name, _| fields.contains(&&**name));
    }
}

fn drop_field(data: &mut Value, at: &str, field: &str) {
    if let Some(found) = data.pointer_mut(at).and_then(Value::as_object_mut) {
        Map::remove(found, field);
    }
}

#[cfg(test)]
mod tests {
    use super::redact;
    use crate::group::relations::SUBJECTS;
    use crate::trim::trim;
    use capi_policy::evaluate_json;
    use kube::core::DynamicObject;
    use serde_json::{Value, json};
    use std::path::Path;

    fn captured(group: &str, kind: &str, object: &Value) -> Value {
        let mut object: DynamicObject = serde_json::from_value(object.clone()).expect("an object");
        trim(group, kind, &mut object);
        redact(group, kind, &mut object);
        serde_json::to_value(object).expect("JSON")
    }

    #[test]
    fn what_no_rule_reads_is_not_shown() {
        let secret = "do not show";
        let annotations = json!({
            "cluster.x-k8s.io/conversion-data": secret, "infrastructure.cluster.x-k8s.io/account": secret,
            "cluster.x-k8s.io/paused": "true",
        });
        let metadata = json!({ "name": "x", "namespace": "ns", "annotations": annotations });
        let object = |spec: Value, status: Value| json!({ "metadata": metadata, "spec": spec, "status": status });
        let topology = json!({ "classRef": { "name": "c" }, "variables": [{ "name": "v", "value": secret }] });
        let files =
            json!({ "files": [{ "content": secret }], "clusterConfiguration": { "apiServer": { "x": secret } } });
        for (group, kind, object) in [
            ("cluster.x-k8s.io", "Cluster", object(json!({ "topology": topology }), json!({}))),
            ("cluster.x-k8s.io", "ClusterClass", object(json!({ "variables": [secret] }), json!({}))),
            (
                "cluster.x-k8s.io",
                "Machine",
                object(json!({}), json!({ "addresses": [secret], "nodeInfo": { "a": secret } })),
            ),
            (
                "controlplane.cluster.x-k8s.io",
                "KubeadmControlPlane",
                object(json!({ "kubeadmConfigSpec": files }), json!({})),
            ),
            (
                "infrastructure.cluster.x-k8s.io",
                "AWSMachine",
                object(json!({ "ami": secret }), json!({ "instance": secret })),
            ),
            (
                "infrastructure.cluster.x-k8s.io",
                "AWSCluster",
                object(json!({ "bastion": secret }), json!({ "network": secret })),
            ),
            ("bootstrap.cluster.x-k8s.io", "KubeadmConfig", object(files.clone(), json!({ "dataSecretName": secret }))),
            ("example.com", "SomethingNew", json!({ "metadata": metadata, "data": secret })),
        ] {
            let shown = captured(group, kind, &object).to_string();
            assert!(!shown.contains(secret), "{kind}: {shown}");
            assert!(shown.contains("cluster.x-k8s.io/paused"), "{kind}: {shown}");
        }
    }

    /// What is captured is decided as it was.
    #[test]
    fn a_capture_is_decided_like_the_cluster() {
        let mut redacted = 0;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
        for case in capi_policy_corpus::read_all(&folder).expect("recorded answers") {
            let mut snapshot = case.snapshot();
            let whole = evaluate_json(&snapshot.to_string());
            let Some(subject) = SUBJECTS.iter().find(|subject| subject.kind.name == case.kind) else { continue };
            let provider = "infrastructure.cluster.x-k8s.io";
            let related = subject.related.iter().map(|related| (related.field, related.link.kind()));
            for (field, kind) in related.chain([(subject.field, Some(&subject.kind))]) {
                let reduce = |object: &mut Value| {
                    let own = object["kind"].as_str().unwrap_or("Provided").to_owned();
                    let (group, kind) = kind.map_or((provider, &*own), |kind| (kind.group, kind.name));
                    if object.get("metadata").is_some() {
                        *object = captured(group, kind, object);
                    }
                };
                match snapshot.get_mut(field) {
                    Some(Value::Array(objects)) => objects.iter_mut().for_each(reduce),
                    Some(object) if object.is_object() => [object].into_iter().for_each(reduce),
                    _ => continue,
                }
                redacted += 1;
            }
            assert_eq!(evaluate_json(&snapshot.to_string()), whole, "{}", case.id);
        }
        assert!(redacted > 1000, "only {redacted} fields were redacted");
    }
}
