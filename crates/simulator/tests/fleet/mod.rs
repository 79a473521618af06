//! Made-up fleets: a MachineDeployment or a control plane with machines that are up, or not.

#![allow(dead_code, reason = "each test program uses some of it")]

use capi_policy::fleet::{Assumption, Fleet, ObjectRef, Subject};
use capi_policy::time::Time;
use capi_policy::{Kind, Profile};
use capi_policy_simulator::{Simulation, State, Steady, fill};
use serde_json::{Value, json};

pub const NAMESPACE: &str = "default";
pub const CLUSTER: &str = "c1";
pub const CREATED: &str = "2026-01-01T00:00:00Z";

pub fn now() -> Time {
    Time::parse("2026-03-01T12:00:00Z").expect("a moment")
}

pub const STEADY: Steady = Steady { boot_seconds: 300, drain_seconds: 60, update_seconds: 120 };

/// A Cluster that is up.
pub fn cluster() -> Value {
    json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster",
        "metadata": { "name": CLUSTER, "namespace": NAMESPACE, "generation": 1 },
        "spec": { "controlPlaneEndpoint": { "host": "10.0.0.1", "port": 6443 } },
        "status": {
            "initialization": { "infrastructureProvisioned": true, "controlPlaneInitialized": true },
            "conditions": [condition("ControlPlaneInitialized", true), condition("InfrastructureReady", true)],
        },
    })
}

pub fn condition(kind: &str, holds: bool) -> Value {
    let status = if holds { "True" } else { "False" };
    json!({ "type": kind, "status": status, "reason": "Test", "message": "", "lastTransitionTime": CREATED })
}

pub fn template(version: &str) -> Value {
    json!({
        "metadata": { "labels": { "cluster.x-k8s.io/cluster-name": CLUSTER } },
        "spec": {
            "clusterName": CLUSTER, "version": version,
            "bootstrap": { "configRef": { "apiGroup": "bootstrap.cluster.x-k8s.io", "kind": "KubeadmConfigTemplate", "name": "t" } },
            "infrastructureRef": { "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "DockerMachineTemplate", "name": "t" },
        },
    })
}

pub fn machine_deployment(replicas: usize, version: &str, max_surge: &Value, max_unavailable: &Value) -> Value {
    json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment",
        "metadata": {
            "name": "md", "namespace": NAMESPACE, "uid": "uid-md", "generation": 2,
            "labels": { "cluster.x-k8s.io/cluster-name": CLUSTER },
            "annotations": { "machinedeployment.clusters.x-k8s.io/revision": "1" },
        },
        "spec": {
            "clusterName": CLUSTER, "replicas": replicas, "selector": { "matchLabels": { "d": "md" } },
            "rollout": { "strategy": { "type": "RollingUpdate", "rollingUpdate": { "maxSurge": max_surge, "maxUnavailable": max_unavailable } } },
            "template": template(version),
        },
    })
}

pub fn machine_set(name: &str, replicas: usize, version: &str) -> Value {
    json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineSet",
        "metadata": {
            "name": name, "namespace": NAMESPACE, "uid": format!("uid-{name}"), "generation": 1, "creationTimestamp": CREATED,
            "labels": { "cluster.x-k8s.io/cluster-name": CLUSTER, "cluster.x-k8s.io/deployment-name": "md", "machine-template-hash": name },
            "annotations": { "machinedeployment.clusters.x-k8s.io/revision": "1" },
            "ownerReferences": [owner("cluster.x-k8s.io", "MachineDeployment", "md")],
        },
        "spec": {
            "clusterName": CLUSTER, "replicas": replicas, "selector": { "matchLabels": { "d": "md", "machine-template-hash": name } },
            "template": template(version),
        },
    })
}

pub fn owner(group: &str, kind: &str, name: &str) -> Value {
    json!({ "apiVersion": format!("{group}/v1beta2"), "kind": kind, "name": name, "uid": format!("uid-{name}"), "controller": true })
}

/// A machine with a Node that is ready or not.
pub fn machine(name: &str, owner: &Value, version: &str, healthy: bool) -> Value {
    json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine",
        "metadata": {
            "name": name, "namespace": NAMESPACE, "uid": format!("uid-{name}"), "generation": 1, "creationTimestamp": CREATED,
            "labels": { "cluster.x-k8s.io/cluster-name": CLUSTER }, "ownerReferences": [owner],
        },
        "spec": {
            "clusterName": CLUSTER, "version": version, "providerID": format!("p:///{name}"),
            "bootstrap": { "configRef": { "apiGroup": "bootstrap.cluster.x-k8s.io", "kind": "KubeadmConfig", "name": name } },
            "infrastructureRef": { "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "DockerMachine", "name": name },
        },
        "status": {
            "nodeRef": { "name": name }, "nodeInfo": { "kubeletVersion": version },
            "initialization": { "infrastructureProvisioned": true, "bootstrapDataSecretCreated": true },
            "conditions": [condition("InfrastructureReady", true), condition("BootstrapConfigReady", true), condition("NodeReady", healthy)],
        },
    })
}

/// A health check over everything that gives Nodes five minutes.
pub fn health_check() -> Value {
    json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineHealthCheck",
        "metadata": { "name": "mhc", "namespace": NAMESPACE, "generation": 1, "labels": { "cluster.x-k8s.io/cluster-name": CLUSTER } },
        "spec": {
            "clusterName": CLUSTER, "selector": { "matchLabels": { "cluster.x-k8s.io/cluster-name": CLUSTER } },
            "checks": { "unhealthyNodeConditions": [{ "type": "Ready", "status": "False", "timeoutSeconds": 300 }] },
        },
    })
}

pub fn control_plane(replicas: usize, version: &str, max_surge: usize) -> Value {
    json!({
        "apiVersion": "controlplane.cluster.x-k8s.io/v1beta2", "kind": "KubeadmControlPlane",
        "metadata": {
            "name": "kcp", "namespace": NAMESPACE, "uid": "uid-kcp", "generation": 1, "creationTimestamp": CREATED,
            "labels": { "cluster.x-k8s.io/cluster-name": CLUSTER },
            "ownerReferences": [{ "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "name": CLUSTER, "uid": "uid-c1" }],
        },
        "spec": {
            "replicas": replicas, "version": version,
            "rollout": { "strategy": { "type": "RollingUpdate", "rollingUpdate": { "maxSurge": max_surge } } },
            "machineTemplate": { "spec": { "infrastructureRef": { "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "DockerMachineTemplate", "name": "t" } } },
        },
        "status": {
            "initialization": { "controlPlaneInitialized": true },
            "conditions": [condition("Initialized", true), condition("CertificatesAvailable", true), condition("EtcdClusterHealthy", true), condition("ControlPlaneComponentsHealthy", true)],
        },
    })
}

pub fn control_plane_machine(name: &str, version: &str, healthy: bool) -> Value {
    let owner = owner("controlplane.cluster.x-k8s.io", "KubeadmControlPlane", "kcp");
    let mut machine = machine(name, &owner, version, healthy);
    machine["metadata"]["labels"]["cluster.x-k8s.io/control-plane"] = json!("");
    let conditions = machine["status"]["conditions"].as_array_mut().expect("a list");
    let components = [
        "APIServerPodHealthy",
        "ControllerManagerPodHealthy",
        "SchedulerPodHealthy",
        "EtcdPodHealthy",
        "EtcdMemberHealthy",
    ];
    conditions.extend(components.map(|kind| condition(kind, healthy)));
    machine
}

/// A simulation of these objects.
pub fn simulation(objects: impl IntoIterator<Item = Value>, model: Steady) -> Simulation<Steady> {
    let mut fleet = Fleet::default();
    fleet.assume(Assumption::PresentKindsAreComplete);
    let mut state = State::new(fleet);
    for object in objects {
        state.put(object, None).expect("an object");
    }
    fill(&mut state).expect("objects");
    Simulation::new(state, model, now(), Profile::NEWEST).expect("a simulation")
}

pub fn object(kind: Kind, name: &str) -> ObjectRef {
    ObjectRef::new((kind.group(), kind.name()), NAMESPACE, name)
}

pub fn subject(kind: Kind, name: &str) -> Subject {
    Subject::new(kind, NAMESPACE, name)
}
