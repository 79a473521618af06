//! Snapshots of any size for benchmarks: machines of twelve conditions as a running fleet has them, one in fifty unwell.

use serde_json::{Value, json};

/// When made-up fleets are evaluated.
pub const NOW: &str = "2026-01-01T12:00:00Z";
const EARLIER: &str = "2026-01-01T06:00:00Z";

const CONDITIONS: &[&str] = &[
    "Available",
    "Ready",
    "UpToDate",
    "BootstrapConfigReady",
    "InfrastructureReady",
    "NodeHealthy",
    "NodeReady",
    "HealthCheckSucceeded",
    "Updating",
    "Paused",
    "Deleting",
    "example.com/Patched",
];

/// A MachineDeployment with so many machines.
pub fn machine_deployment(machines: usize) -> Value {
    json!({
        "kind": "MachineDeployment",
        "now": NOW,
        "profile": "cluster-api-v1.13",
        "machineDeployment": {
            "apiVersion": "cluster.x-k8s.io/v1beta2",
            "kind": "MachineDeployment",
            "metadata": metadata("md-0", "MachineDeployment", "c1"),
            "spec": {
                "clusterName": "c1",
                "replicas": machines,
                "selector": { "matchLabels": { "cluster.x-k8s.io/deployment-name": "md-0" } },
                "rollout": { "strategy": { "type": "RollingUpdate", "rollingUpdate": { "maxSurge": 1, "maxUnavailable": 0 } } },
            },
            "status": { "conditions": conditions(1) },
        },
        "machineSets": [{
            "apiVersion": "cluster.x-k8s.io/v1beta2",
            "kind": "MachineSet",
            "metadata": metadata("md-0-abcde", "MachineSet", "md-0"),
            "status": { "replicas": machines, "readyReplicas": machines, "availableReplicas": machines, "upToDateReplicas": machines },
        }],
        "machines": (0..machines).map(machine).collect::<Vec<_>>(),
    })
}

/// A MachineHealthCheck of so many machines, each with its Node.
pub fn machine_health_check(machines: usize) -> Value {
    json!({
        "kind": "MachineHealthCheck",
        "now": NOW,
        "profile": "cluster-api-v1.13",
        "machineHealthCheck": {
            "apiVersion": "cluster.x-k8s.io/v1beta2",
            "kind": "MachineHealthCheck",
            "metadata": metadata("mhc-0", "MachineHealthCheck", "c1"),
            "spec": {
                "clusterName": "c1",
                "selector": { "matchLabels": { "cluster.x-k8s.io/deployment-name": "md-0" } },
                "checks": {
                    "nodeStartupTimeoutSeconds": 600,
                    "unhealthyNodeConditions": [
                        { "type": "Ready", "status": "Unknown", "timeoutSeconds": 300 },
                        { "type": "Ready", "status": "False", "timeoutSeconds": 300 },
                    ],
                },
                "remediation": { "triggerIf": { "unhealthyLessThanOrEqualTo": "40%" } },
            },
            "status": { "conditions": [
                { "type": "Paused", "status": "False", "reason": "NotPaused", "message": "", "observedGeneration": 1, "lastTransitionTime": EARLIER },
            ] },
        },
        "cluster": {
            "apiVersion": "cluster.x-k8s.io/v1beta2",
            "kind": "Cluster",
            "metadata": metadata("c1", "Cluster", ""),
            "status": { "conditions": [
                { "type": "InfrastructureReady", "status": "True", "reason": "Ready", "message": "", "lastTransitionTime": EARLIER },
                { "type": "ControlPlaneInitialized", "status": "True", "reason": "Initialized", "message": "", "lastTransitionTime": EARLIER },
            ] },
        },
        "machines": (0..machines).map(machine).collect::<Vec<_>>(),
        "nodes": (0..machines).map(node).collect::<Vec<_>>(),
    })
}

/// One machine whose in-place update is in progress.
pub fn machine_updating() -> Value {
    let mut machine = machine(1);
    machine["metadata"]["annotations"]["in-place-updates.internal.cluster.x-k8s.io/update-in-progress"] = json!("");
    json!({ "kind": "Machine", "now": NOW, "profile": "cluster-api-v1.13", "machine": machine })
}

/// One machine of the fleet.
pub fn machine(i: usize) -> Value {
    let name = format!("md-0-abcde-{i:05}");
    json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2",
        "kind": "Machine",
        "metadata": metadata(&name, "Machine", "md-0-abcde"),
        "spec": {
            "clusterName": "c1",
            "version": "v1.33.1",
            "providerID": format!("docker:////{name}"),
            "bootstrap": { "configRef": { "apiGroup": "bootstrap.cluster.x-k8s.io", "kind": "KubeadmConfig", "name": name }, "dataSecretName": name },
            "infrastructureRef": { "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "DockerMachine", "name": name },
        },
        "status": {
            "nodeRef": { "name": name },
            "phase": "Running",
            "addresses": [{ "type": "InternalIP", "address": "10.0.0.7" }, { "type": "Hostname", "address": name }],
            "conditions": conditions(i),
            "initialization": { "bootstrapDataSecretCreated": true, "infrastructureProvisioned": true },
        },
    })
}

/// The Node of one machine.
pub fn node(i: usize) -> Value {
    let name = format!("md-0-abcde-{i:05}");
    let ready = if unwell(i) { "Unknown" } else { "True" };
    let pressure = |kind: &str| json!({ "type": kind, "status": "False", "reason": "KubeletHasSufficient", "message": "kubelet has sufficient resources", "lastTransitionTime": EARLIER, "lastHeartbeatTime": NOW });
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": { "name": name, "uid": format!("node-{i}"), "labels": { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux" } },
        "status": {
            "conditions": [
                pressure("MemoryPressure"),
                pressure("DiskPressure"),
                pressure("PIDPressure"),
                { "type": "Ready", "status": ready, "reason": "KubeletReady", "message": "kubelet is posting ready status", "lastTransitionTime": EARLIER, "lastHeartbeatTime": NOW },
            ],
        },
    })
}

fn unwell(i: usize) -> bool {
    i % 50 == 49
}

fn metadata(name: &str, kind: &str, owner: &str) -> Value {
    let owner_kind = match kind {
        "Machine" => "MachineSet",
        "MachineSet" => "MachineDeployment",
        _ => "Cluster",
    };
    json!({
        "name": name,
        "namespace": "default",
        "uid": format!("uid-{kind}-{name}"),
        "generation": 1,
        "resourceVersion": "123456",
        "creationTimestamp": "2025-12-01T00:00:00Z",
        "labels": { "cluster.x-k8s.io/cluster-name": "c1", "cluster.x-k8s.io/deployment-name": "md-0", "machine-template-hash": "1234567-abcde" },
        "annotations": { "example.com/note": "nothing reads this" },
        "ownerReferences": [{
            "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": owner_kind, "name": owner,
            "uid": format!("uid-{owner_kind}-{owner}"), "controller": true, "blockOwnerDeletion": true,
        }],
    })
}

fn conditions(i: usize) -> Vec<Value> {
    CONDITIONS
        .iter()
        .map(|kind| {
            let negative = matches!(*kind, "Updating" | "Paused" | "Deleting");
            let bad = unwell(i) && matches!(*kind, "Available" | "Ready" | "NodeHealthy" | "HealthCheckSucceeded");
            json!({
                "type": kind,
                "status": if negative || bad { "False" } else { "True" },
                "reason": if bad { "NodeNotHealthy" } else { "AsExpected" },
                "message": if bad { "* NodeHealthy: the Node does not report" } else { "" },
                "observedGeneration": 1,
                "lastTransitionTime": EARLIER,
            })
        })
        .collect()
}
