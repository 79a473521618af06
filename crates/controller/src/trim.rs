//! Objects as they arrive in, only what decisions read out.

use capi_policy::view::annotation;
use kube::core::{DynamicObject, TypeMeta};
use serde_json::{Value, json};

/// What is dropped: objects of groups that start so and kinds that end so lose these fields.
const DROPPED: &[(&str, &str, &[&str])] = &[
    ("", "", &["/status/deprecated"]),
    ("infrastructure.", "Machine", &["/spec"]),
    ("bootstrap.", "Config", &["/spec"]),
];

/// Drops what no decision reads.
pub fn trim(group: &str, kind: &str, object: &mut DynamicObject) {
    let metadata = &mut object.metadata;
    metadata.managed_fields = None;
    metadata.finalizers = None;
    metadata.self_link = None;
    metadata.resource_version = None;
    if let Some(annotations) = &mut metadata.annotations {
        annotations
            .retain(|name, _| annotation::READ.contains(&&**name) || name.starts_with(annotation::PRE_TERMINATE_HOOK));
    }
    if (group, kind) == ("", "Node") {
        metadata.labels = None;
        // Watched Nodes say what they are, listed ones do not.
        object.types = Some(TypeMeta { api_version: "v1".to_owned(), kind: "Node".to_owned() });
        trim_node(&mut object.data);
        return;
    }
    if (group, kind) == ("controlplane.cluster.x-k8s.io", "KubeadmControlPlane") {
        trim_control_plane(&mut object.data);
    }
    for (groups, kinds, fields) in DROPPED {
        if group.starts_with(groups) && kind.ends_with(kinds) {
            fields.iter().for_each(|field| remove(&mut object.data, field));
        }
    }
}

/// Of what a control plane's machines are set up with, only an etcd elsewhere is read.
fn trim_control_plane(data: &mut Value) {
    let external = data.pointer("/spec/kubeadmConfigSpec/clusterConfiguration/etcd/external").cloned();
    remove(data, "/spec/kubeadmConfigSpec");
    if let (Some(external), Some(spec)) = (external, data.get_mut("spec").and_then(Value::as_object_mut)) {
        let etcd = json!({ "clusterConfiguration": { "etcd": { "external": external } } });
        spec.insert("kubeadmConfigSpec".to_owned(), etcd);
    }
}

/// Of a Node only conditions and taints are read; heartbeats change every few minutes and mean nothing to a decision.
fn trim_node(data: &mut Value) {
    let mut conditions = data.pointer_mut("/status/conditions").map(Value::take).unwrap_or_default();
    for condition in conditions.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        condition.remove("lastHeartbeatTime");
    }
    let taints = data.pointer_mut("/spec/taints").map(Value::take);
    *data = json!({ "status": { "conditions": conditions } });
    if let Some(taints) = taints {
        data["spec"] = json!({ "taints": taints });
    }
}

fn remove(data: &mut Value, path: &str) {
    let Some((parent, field)) = path.rsplit_once('/') else { return };
    if let Some(fields) = data.pointer_mut(parent).and_then(Value::as_object_mut) {
        fields.remove(field);
    }
}

#[cfg(test)]
mod tests {
    use super::trim;
    use kube::core::DynamicObject;
    use serde_json::{Value, json};

    fn trimmed(group: &str, kind: &str, object: Value) -> Value {
        let mut object: DynamicObject = serde_json::from_value(object).expect("an object");
        trim(group, kind, &mut object);
        serde_json::to_value(object).expect("JSON")
    }

    #[test]
    fn a_node_keeps_name_and_conditions() {
        let node = json!({
            "metadata": { "name": "n1", "resourceVersion": "7", "labels": { "a": "b" }, "annotations": { "x": "y" } },
            "spec": { "podCIDR": "10.0.0.0/24" },
            "status": {
                "images": [{ "names": ["large"] }],
                "conditions": [{ "type": "Ready", "status": "True", "lastHeartbeatTime": "2026-01-01T00:00:00Z" }],
            },
        });
        let kept = json!({
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": { "name": "n1", "annotations": {} },
            "status": { "conditions": [{ "type": "Ready", "status": "True" }] },
        });
        assert_eq!(trimmed("", "Node", node), kept);
    }

    #[test]
    fn a_machine_loses_bookkeeping_and_old_conditions() {
        let machine = json!({
            "metadata": {
                "name": "m1",
                "managedFields": [{ "manager": "someone" }],
                "annotations": {
                    "kubectl.kubernetes.io/last-applied-configuration": "{}",
                    "cluster.x-k8s.io/paused": "",
                },
            },
            "status": { "phase": "Running", "deprecated": { "v1beta1": {} } },
        });
        let kept = json!({
            "metadata": { "name": "m1", "annotations": { "cluster.x-k8s.io/paused": "" } },
            "status": { "phase": "Running" },
        });
        assert_eq!(trimmed("cluster.x-k8s.io", "Machine", machine), kept);
    }
}
