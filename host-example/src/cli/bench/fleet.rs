//! A number in, the snapshot of a health check with so many machines out.

use serde_json::{Value, json};

const NOW: &str = "2026-01-15T12:00:00Z";
const CREATED: &str = "2026-01-01T00:00:00Z";
const FAILED: &str = "2026-01-15T11:00:00Z";
/// Conditions that a running Machine carries.
const CONDITIONS: [&str; 12] = [
    "Available",
    "Ready",
    "UpToDate",
    "BootstrapConfigReady",
    "InfrastructureReady",
    "NodeHealthy",
    "NodeReady",
    "HealthCheckSucceeded",
    "Deleting",
    "Updating",
    "Paused",
    "OwnerRemediated",
];

/// One machine in twenty has a Node that is not ready.
pub fn snapshot(machines: usize) -> String {
    json!({
        "kind": "MachineHealthCheck",
        "now": NOW,
        "cluster": { "metadata": metadata("bench"), "status": { "conditions": [condition("InfrastructureReady", true, CREATED), condition("ControlPlaneInitialized", true, CREATED)] } },
        "machineHealthCheck": {
            "metadata": metadata("workers"),
            "spec": {
                "clusterName": "bench",
                "selector": { "matchLabels": { "pool": "workers" } },
                "checks": { "unhealthyNodeConditions": [
                    { "type": "Ready", "status": "False", "timeoutSeconds": 300 },
                    { "type": "Ready", "status": "Unknown", "timeoutSeconds": 300 },
                ] },
                "remediation": { "triggerIf": { "unhealthyLessThanOrEqualTo": "40%" } },
            },
        },
        "machines": (0..machines).map(machine).collect::<Vec<_>>(),
        "nodes": (0..machines).map(node).collect::<Vec<_>>(),
    })
    .to_string()
}

fn metadata(name: &str) -> Value {
    json!({ "name": name, "namespace": "bench", "uid": format!("uid-{name}"), "generation": 1, "creationTimestamp": CREATED })
}

fn condition(kind: &str, status: bool, since: &str) -> Value {
    let status = if status { "True" } else { "False" };
    json!({ "type": kind, "status": status, "reason": kind, "message": "", "lastTransitionTime": since, "observedGeneration": 1 })
}

fn machine(i: usize) -> Value {
    let mut metadata = metadata(&format!("workers-{i:05}"));
    metadata["labels"] = json!({ "pool": "workers", "cluster.x-k8s.io/cluster-name": "bench" });
    metadata["ownerReferences"] = json!([{ "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineSet", "name": "workers", "uid": "uid-set", "controller": true }]);
    let conditions: Vec<_> = CONDITIONS.iter().map(|kind| condition(kind, true, CREATED)).collect();
    json!({
        "metadata": metadata,
        "spec": { "clusterName": "bench" },
        "status": { "nodeRef": { "name": format!("node-{i:05}") }, "conditions": conditions },
    })
}

fn node(i: usize) -> Value {
    let ready = !i.is_multiple_of(20);
    let conditions = [
        condition("MemoryPressure", false, CREATED),
        condition("DiskPressure", false, CREATED),
        condition("PIDPressure", false, CREATED),
        condition("Ready", ready, if ready { CREATED } else { FAILED }),
    ];
    json!({ "metadata": { "name": format!("node-{i:05}"), "creationTimestamp": CREATED }, "status": { "conditions": conditions } })
}
