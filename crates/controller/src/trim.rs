//! Drops from objects what no decision reads: less to keep, and nothing in captures that is nobody's business.

use super::key::GroupKind;
use capi_policy::view::annotation;
use kube::core::{DynamicObject, ObjectMeta, TypeMeta};
use serde_json::{Value, json};

/// Fields of a provider's status that Cluster API's contract fixes.
const PROVIDER_STATUS: &[&str] = &[
    "availableReplicas",
    "conditions",
    "externalManagedControlPlane",
    "infrastructureMachineKind",
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

/// Fields of a provider's spec that decisions read.
const PROVIDER_SPEC: &[&str] = &["providerID", "providerIDList", "replicas", "version"];

/// The label that kubeadm gives the Nodes of control planes.
const CONTROL_PLANE_ROLE: &str = "node-role.kubernetes.io/control-plane";

/// Keeps of an object what some rule reads, and what kind it is, which items of a list don't say.
pub fn trim(kind: &GroupKind, api_version: &str, object: &mut DynamicObject) {
    object.types = Some(TypeMeta { api_version: api_version.to_owned(), kind: kind.kind.to_string() });
    let metadata = &mut object.metadata;
    metadata.managed_fields = None;
    metadata.finalizers = None;
    metadata.self_link = None;
    metadata.resource_version = None;
    // A rollout passes the annotations of a MachineDeployment on to its MachineSets.
    if !["MachineDeployment", "MachineSet"].contains(&&*kind.kind) {
        trim_annotations(metadata);
    }
    let data = &mut object.data;
    remove(data, "/status/deprecated");
    match (&*kind.group, &*kind.kind) {
        ("", "Node") => {
            metadata.labels.iter_mut().for_each(|labels| labels.retain(|name, _| name == CONTROL_PLANE_ROLE));
            trim_node(data);
        }
        ("", "Pod") => {
            metadata.labels = None;
            metadata.owner_references = None;
            trim_pod(data);
        }
        ("cluster.x-k8s.io", "Cluster") => {
            keep(data, "/spec/topology", &["class", "classRef", "version"]);
            remove(data, "/spec/clusterNetwork");
        }
        ("cluster.x-k8s.io", "ClusterClass") => keep(data, "/spec", &["availabilityGates"]),
        ("cluster.x-k8s.io", "Machine") => {
            remove(data, "/status/addresses");
            keep(data, "/status/nodeInfo", &["kubeletVersion"]);
        }
        // What a control plane wants of its machines is compared with what they were made from.
        ("controlplane.cluster.x-k8s.io", "KubeadmControlPlane") | ("bootstrap.cluster.x-k8s.io", "KubeadmConfig") => {
            keep(data, "", &["spec", "status"]);
        }
        ("cluster.x-k8s.io", _) => {}
        // A remediation request is made from its template.
        (_, kind) if kind.ends_with("Template") => keep(data, "/spec", &["template"]),
        _ => {
            keep(data, "", &["spec", "status"]);
            keep(data, "/spec", PROVIDER_SPEC);
            keep(data, "/status", PROVIDER_STATUS);
        }
    }
}

/// Drops what captures must not show though decisions read it: what machines are set up with holds files and keys.
pub fn conceal(kind: &GroupKind, object: &mut DynamicObject) {
    trim_annotations(&mut object.metadata);
    match &*kind.kind {
        "KubeadmControlPlane" => conceal_setup(&mut object.data),
        "KubeadmConfig" => {
            keep(&mut object.data, "", &["status"]);
            keep(&mut object.data, "/status", PROVIDER_STATUS);
        }
        // Of what machines are made from only the annotations are read; requests are made from their whole template.
        kind if kind.ends_with("Template") && !kind.ends_with("RemediationTemplate") => keep(&mut object.data, "", &[]),
        _ => {}
    }
}

fn trim_annotations(metadata: &mut ObjectMeta) {
    let read = |name: &str| annotation::READ.contains(&name) || name.starts_with(annotation::PRE_TERMINATE_HOOK);
    metadata.annotations.iter_mut().for_each(|annotations| annotations.retain(|name, _| read(name)));
}

/// Of what a control plane's machines are set up with, only an etcd elsewhere is shown.
fn conceal_setup(data: &mut Value) {
    let external = data.pointer("/spec/kubeadmConfigSpec/clusterConfiguration/etcd/external").cloned();
    remove(data, "/spec/kubeadmConfigSpec");
    if let (Some(external), Some(spec)) = (external, data.get_mut("spec").and_then(Value::as_object_mut)) {
        let etcd = json!({ "clusterConfiguration": { "etcd": { "external": external } } });
        spec.insert("kubeadmConfigSpec".to_owned(), etcd);
    }
}

/// Of a Node's status only conditions are read; heartbeats change every few minutes and mean nothing to a decision.
fn trim_node(data: &mut Value) {
    let mut conditions = data.pointer_mut("/status/conditions").map(Value::take).unwrap_or_default();
    for condition in conditions.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        condition.remove("lastHeartbeatTime");
    }
    let spec = data.get_mut("spec").map(Value::take);
    *data = json!({ "status": { "conditions": conditions } });
    if let Some(spec) = spec.filter(Value::is_object) {
        data["spec"] = spec;
        keep(data, "/spec", &["providerID", "taints"]);
    }
}

/// Of a Pod only its phase, its conditions, and why containers do not run are read: nothing of what it runs or with what.
fn trim_pod(data: &mut Value) {
    keep(data, "", &["status"]);
    keep(data, "/status", &["conditions", "containerStatuses", "phase"]);
    for condition in items(data, "/status/conditions") {
        keep(condition, "", &["type", "status"]);
    }
    for status in items(data, "/status/containerStatuses") {
        keep(status, "", &["lastState", "state"]);
        for state in ["/lastState", "/state"] {
            keep(status, state, &["terminated", "waiting"]);
            for ended in ["terminated", "waiting"] {
                keep(status, &format!("{state}/{ended}"), &["exitCode", "reason"]);
            }
        }
    }
}

fn items<'v>(data: &'v mut Value, at: &str) -> impl Iterator<Item = &'v mut Value> {
    data.pointer_mut(at).and_then(Value::as_array_mut).into_iter().flatten()
}

fn keep(data: &mut Value, at: &str, fields: &[&str]) {
    if let Some(found) = data.pointer_mut(at).and_then(Value::as_object_mut) {
        found.retain(|name, _| fields.contains(&&**name));
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
    use super::{conceal, trim};
    use crate::key::GroupKind;
    use capi_policy::evaluate_json;
    use kube::core::DynamicObject;
    use serde_json::{Value, json};
    use std::path::Path;

    fn trimmed(group: &str, kind: &str, object: &Value) -> Value {
        let mut object: DynamicObject = serde_json::from_value(object.clone()).expect("an object");
        let version = if group.is_empty() { "v1".to_owned() } else { format!("{group}/v1beta2") };
        trim(&GroupKind::new(group, kind), &version, &mut object);
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
            "metadata": { "name": "n1", "annotations": {}, "labels": {} },
            "spec": {},
            "status": { "conditions": [{ "type": "Ready", "status": "True" }] },
        });
        assert_eq!(trimmed("", "Node", &node), kept);
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
            "apiVersion": "cluster.x-k8s.io/v1beta2",
            "kind": "Machine",
            "metadata": { "name": "m1", "annotations": { "cluster.x-k8s.io/paused": "" } },
            "status": { "phase": "Running" },
        });
        assert_eq!(trimmed("cluster.x-k8s.io", "Machine", &machine), kept);
    }

    #[test]
    fn a_capture_shows_nothing_that_is_nobodys_business() {
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
            (
                "bootstrap.cluster.x-k8s.io",
                "KubeadmConfigTemplate",
                object(json!({ "template": { "spec": files } }), json!({})),
            ),
            (
                "infrastructure.cluster.x-k8s.io",
                "AWSMachineTemplate",
                object(json!({ "template": { "spec": { "userData": secret } } }), json!({ "capacity": secret })),
            ),
            (
                "",
                "Pod",
                object(
                    json!({ "containers": [{ "env": [{ "value": secret }] }] }),
                    json!({
                        "podIP": secret,
                        "conditions": [{ "type": "Ready", "status": "True", "message": secret }],
                        "containerStatuses": [{ "image": secret, "state": { "waiting": { "message": secret } } }],
                    }),
                ),
            ),
            ("example.com", "SomethingNew", json!({ "metadata": metadata, "data": secret })),
        ] {
            let trimmed = trimmed(group, kind, &object);
            let mut shown: DynamicObject = serde_json::from_value(trimmed).expect("an object");
            conceal(&GroupKind::new(group, kind), &mut shown);
            let shown = serde_json::to_string(&shown).expect("JSON");
            assert!(!shown.contains(secret), "{kind}: {shown}");
            assert!(shown.contains("cluster.x-k8s.io/paused"), "{kind}: {shown}");
        }
    }

    /// The group and kind of the objects in each field of a snapshot; a provider's object says its own kind.
    const FIELDS: &[(&str, Option<(&str, &str)>)] = &[
        ("bootstrapConfig", None),
        ("bootstrapTemplate", None),
        ("cluster", Some(("cluster.x-k8s.io", "Cluster"))),
        ("clusterClass", Some(("cluster.x-k8s.io", "ClusterClass"))),
        ("controlPlane", None),
        ("infraCluster", None),
        ("infraMachine", None),
        ("infraMachinePool", None),
        ("infraMachines", None),
        ("kubeadmConfigs", Some(("bootstrap.cluster.x-k8s.io", "KubeadmConfig"))),
        ("kubeadmControlPlane", Some(("controlplane.cluster.x-k8s.io", "KubeadmControlPlane"))),
        ("machine", Some(("cluster.x-k8s.io", "Machine"))),
        ("machineDeployment", Some(("cluster.x-k8s.io", "MachineDeployment"))),
        ("machineDeployments", Some(("cluster.x-k8s.io", "MachineDeployment"))),
        ("machineHealthCheck", Some(("cluster.x-k8s.io", "MachineHealthCheck"))),
        ("machinePool", Some(("cluster.x-k8s.io", "MachinePool"))),
        ("machinePools", Some(("cluster.x-k8s.io", "MachinePool"))),
        ("machineSet", Some(("cluster.x-k8s.io", "MachineSet"))),
        ("machineSets", Some(("cluster.x-k8s.io", "MachineSet"))),
        ("machines", Some(("cluster.x-k8s.io", "Machine"))),
        ("node", Some(("", "Node"))),
        ("nodes", Some(("", "Node"))),
        ("pods", Some(("", "Pod"))),
        ("otherMachineSets", Some(("cluster.x-k8s.io", "MachineSet"))),
        ("owningMachineDeployment", Some(("cluster.x-k8s.io", "MachineDeployment"))),
        ("owningMachineSet", Some(("cluster.x-k8s.io", "MachineSet"))),
        ("remediationRequests", None),
        ("remediationTemplate", None),
    ];

    /// What is kept is decided as all of it would be.
    #[test]
    fn nothing_that_a_decision_reads_is_dropped() {
        let mut reduced = 0;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
        for case in capi_policy_corpus::read_all(&folder).expect("recorded answers") {
            let mut snapshot = case.snapshot();
            let whole = evaluate_json(&snapshot.to_string());
            for (field, kind) in FIELDS {
                let reduce = |object: &mut Value| {
                    let own = object["kind"].as_str().unwrap_or("Provided").to_owned();
                    let (group, kind) = kind.unwrap_or(("infrastructure.cluster.x-k8s.io", &own));
                    if object.get("metadata").is_some() {
                        *object = trimmed(group, kind, object);
                    }
                };
                match snapshot.get_mut(*field) {
                    Some(Value::Array(objects)) => objects.iter_mut().for_each(reduce),
                    Some(object) if object.is_object() => [object].into_iter().for_each(reduce),
                    _ => continue,
                }
                reduced += 1;
            }
            assert_eq!(evaluate_json(&snapshot.to_string()), whole, "{}", case.id);
        }
        assert!(reduced > 1000, "only {reduced} fields were reduced");
    }
}
