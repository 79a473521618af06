//! A cluster to play with: objects as Cluster API's users and providers would have made them, without any controller.

use crate::kube_objects::{Kube, said};
use crate::wait::{eventually, now, within};
use anyhow::{Context, Result};
use jiff::Timestamp;
use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// What a provider of infrastructure is called here.
const INFRASTRUCTURE: &str = "infrastructure.cluster.x-k8s.io";
/// How much slower than promised a busy machine may be.
const ROOM: u64 = 60;

/// A namespace with one Cluster of the same name.
#[derive(Clone)]
pub struct Fleet {
    /// A client with every right.
    pub kube: Kube,
    /// Namespace and name of the Cluster.
    pub name: String,
    labels: Value,
}

/// Installs the kinds of a provider that does nothing.
pub async fn install_provider(kube: &Kube) -> Result<()> {
    for (group, version, kind) in [
        (INFRASTRUCTURE, "v1beta2", "TestCluster"),
        (INFRASTRUCTURE, "v1beta2", "TestMachine"),
        ("remediation.test.capi-policy", "v1", "TestRemediation"),
        ("remediation.test.capi-policy", "v1", "TestRemediationTemplate"),
    ] {
        let plural = format!("{}s", kind.to_lowercase());
        let any = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
        kube.create(json!({
            "kind": "CustomResourceDefinition",
            "metadata": { "name": format!("{plural}.{group}"), "labels": { "cluster.x-k8s.io/v1beta2": version } },
            "spec": {
                "group": group,
                "scope": "Namespaced",
                "names": { "plural": plural, "singular": kind.to_lowercase(), "kind": kind },
                "versions": [{
                    "name": version, "served": true, "storage": true, "subresources": { "status": {} },
                    "schema": { "openAPIV3Schema": { "type": "object", "properties": { "spec": any, "status": any } } },
                }],
            },
        }))
        .await?;
        eventually(&format!("{kind} is served"), within(60), async || Ok(kube.list(kind, "default").await.ok()))
            .await?;
    }
    Ok(())
}

impl Fleet {
    /// A cluster that is up, with a kubeconfig that leads to the same server.
    pub async fn create(kube: &Kube, name: &str, kubeconfig: &Path) -> Result<Self> {
        Self::create_labelled(kube, name, kubeconfig, json!({})).await
    }

    /// The same with labels on the Cluster and all that comes later.
    pub async fn create_labelled(kube: &Kube, name: &str, kubeconfig: &Path, labels: Value) -> Result<Self> {
        let fleet = Self { kube: kube.clone(), name: name.to_owned(), labels };
        kube.create(json!({ "kind": "Namespace", "metadata": { "name": name } })).await?;
        let kubeconfig = std::fs::read_to_string(kubeconfig).context("kubeconfig")?;
        kube.create(json!({
            "kind": "Secret",
            "type": "cluster.x-k8s.io/secret",
            "metadata": {
                "name": format!("{name}-kubeconfig"), "namespace": name,
                "labels": { "cluster.x-k8s.io/cluster-name": name },
            },
            "stringData": { "value": kubeconfig },
        }))
        .await?;
        fleet.infrastructure("TestCluster", name).await?;
        kube.create(json!({
            "kind": "Cluster",
            "metadata": fleet.metadata(name),
            "spec": { "infrastructureRef": { "apiGroup": INFRASTRUCTURE, "kind": "TestCluster", "name": name } },
            "status": {
                "initialization": { "infrastructureProvisioned": true, "controlPlaneInitialized": true },
                "conditions": [transitioned("ControlPlaneInitialized", "True", "Initialized")],
            },
        }))
        .await?;
        Ok(fleet)
    }

    /// One that was created before.
    pub fn existing(kube: &Kube, name: &str) -> Self {
        Self { kube: kube.clone(), name: name.to_owned(), labels: json!({}) }
    }

    async fn infrastructure(&self, kind: &str, name: &str) -> Result<Value> {
        let status = json!({ "initialization": { "provisioned": true } });
        let metadata = json!({ "name": name, "namespace": self.name });
        self.kube.create(json!({ "kind": kind, "metadata": metadata, "spec": {}, "status": status })).await
    }

    /// Metadata of an object of the cluster.
    pub fn metadata(&self, name: &str) -> Value {
        let mut labels = self.labels.clone();
        labels["cluster.x-k8s.io/cluster-name"] = json!(self.name);
        labels["pool"] = json!("workers");
        json!({ "name": name, "namespace": self.name, "labels": labels })
    }

    fn template(&self) -> Value {
        json!({
            "metadata": { "labels": { "pool": "workers" } },
            "spec": {
                "clusterName": self.name,
                "bootstrap": { "dataSecretName": "bootstrap" },
                "infrastructureRef": { "apiGroup": INFRASTRUCTURE, "kind": "TestMachine", "name": "template" },
            },
        })
    }

    /// A MachineDeployment, with a finalizer so that its deletion can be watched.
    pub async fn machine_deployment(&self, name: &str) -> Result<Value> {
        self.owner_of_machines("MachineDeployment", name, None).await
    }

    /// A MachineSet.
    pub async fn machine_set(&self, name: &str, owner: Option<&Value>) -> Result<Value> {
        self.owner_of_machines("MachineSet", name, owner).await
    }

    async fn owner_of_machines(&self, kind: &str, name: &str, owner: Option<&Value>) -> Result<Value> {
        let mut metadata = self.metadata(name);
        metadata["finalizers"] = json!(["test.capi-policy/stay"]);
        metadata["ownerReferences"] = json!(owner.map(controlled_by).into_iter().collect::<Vec<_>>());
        let selector = json!({ "matchLabels": { "pool": "workers" } });
        let spec =
            json!({ "clusterName": self.name, "replicas": 3, "selector": selector, "template": self.template() });
        self.kube.create(json!({ "kind": kind, "metadata": metadata, "spec": spec })).await
    }

    /// A Machine that is provisioned, with a Node that is ready.
    pub async fn machine(&self, name: &str, owner: Option<&Value>) -> Result<()> {
        self.node(name).await?;
        self.machine_with(name, owner, json!({}), Some(name)).await
    }

    /// A Machine with more in its metadata, and with or without a Node.
    pub async fn machine_with(&self, name: &str, owner: Option<&Value>, more: Value, node: Option<&str>) -> Result<()> {
        self.infrastructure("TestMachine", name).await?;
        let mut metadata = self.metadata(name);
        metadata["ownerReferences"] = json!(owner.map(controlled_by).into_iter().collect::<Vec<_>>());
        merge(&mut metadata, more);
        let mut status =
            json!({ "initialization": { "infrastructureProvisioned": true, "bootstrapDataSecretCreated": true } });
        if let Some(node) = node {
            status["nodeRef"] = json!({ "name": node });
        }
        let spec = json!({
            "clusterName": self.name,
            "providerID": format!("test:////{name}"),
            "bootstrap": { "dataSecretName": "bootstrap" },
            "infrastructureRef": { "apiGroup": INFRASTRUCTURE, "kind": "TestMachine", "name": name },
        });
        self.kube.create(json!({ "kind": "Machine", "metadata": metadata, "spec": spec, "status": status })).await?;
        Ok(())
    }

    /// A Node that is ready.
    pub async fn node(&self, name: &str) -> Result<()> {
        let status = json!({ "conditions": [transitioned("Ready", "True", "KubeletReady")] });
        let metadata = json!({ "name": name, "labels": { "cluster": self.name } });
        self.kube.create(json!({ "kind": "Node", "metadata": metadata, "status": status })).await?;
        Ok(())
    }

    /// Makes a Node ready or not.
    pub async fn node_is(&self, name: &str, ready: &str) -> Result<()> {
        let conditions = json!([transitioned("Ready", ready, "Test")]);
        self.kube.patch_status("Node", "", name, json!({ "conditions": conditions })).await?;
        Ok(())
    }

    /// A health check of all machines: unhealthy after `timeout` seconds of a Node that is not ready.
    pub async fn health_check(&self, timeout: i64, remediation: Value) -> Result<()> {
        let checks = json!({
            "nodeStartupTimeoutSeconds": timeout,
            "unhealthyNodeConditions": [
                { "type": "Ready", "status": "False", "timeoutSeconds": timeout },
                { "type": "Ready", "status": "Unknown", "timeoutSeconds": timeout },
            ],
        });
        self.health_check_with(&self.name, checks, remediation).await
    }

    /// A health check of all machines.
    pub async fn health_check_with(&self, name: &str, checks: Value, remediation: Value) -> Result<()> {
        let mut spec =
            json!({ "clusterName": self.name, "selector": { "matchLabels": { "pool": "workers" } }, "checks": checks });
        if remediation != json!({}) {
            spec["remediation"] = remediation;
        }
        // Without the Cluster's label: to set it is the policy's part.
        let mut metadata = self.metadata(name);
        metadata["labels"] = self.labels.clone();
        self.kube.create(json!({ "kind": "MachineHealthCheck", "metadata": metadata, "spec": spec })).await?;
        Ok(())
    }

    /// Sets one condition among those that an object has.
    pub async fn set_condition(&self, kind: &str, name: &str, condition: Value) -> Result<()> {
        let wait = eventually("the condition is set", within(ROOM), async || {
            let object = self.kube.get(kind, &self.name, name).await?.unwrap_or_default();
            let mut conditions = object["status"]["conditions"].as_array().cloned().unwrap_or_default();
            conditions.retain(|other| other["type"] != condition["type"]);
            conditions.push(condition.clone());
            // Only if nobody has written meanwhile: a merge replaces the whole list.
            let metadata = json!({ "resourceVersion": object["metadata"]["resourceVersion"] });
            let patch = json!({ "metadata": metadata, "status": { "conditions": conditions } });
            let api = self.kube.api(kind, &self.name)?;
            api.patch_status(name, &PatchParams::default(), &Patch::Merge(&patch)).await?;
            Ok(Some(()))
        });
        wait.await
    }

    /// Waits until a condition says so, and measures how long that took.
    pub async fn says(&self, kind: &str, name: &str, condition: &str, wanted: &str) -> Result<Duration> {
        let start = now();
        let mut last = String::new();
        let what = format!("{kind} {name} says {condition} {wanted}");
        let wait = eventually(&what, within(ROOM), async || {
            let object = self.kube.get(kind, &self.name, name).await?.unwrap_or_default();
            last = said(&object, condition);
            Ok(last.starts_with(wanted).then_some(()))
        });
        wait.await.with_context(|| format!("it said {last:?}"))?;
        Ok(start.elapsed())
    }
}

fn controlled_by(owner: &Value) -> Value {
    json!({
        "apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"], "controller": true, "blockOwnerDeletion": true,
    })
}

/// A condition that has just changed.
pub fn transitioned(kind: &str, status: &str, reason: &str) -> Value {
    json!({
        "type": kind, "status": status, "reason": reason, "message": "",
        "lastTransitionTime": present().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
    })
}

#[allow(clippy::disallowed_methods, reason = "objects are made at a time")]
fn present() -> Timestamp {
    Timestamp::now()
}

fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (field, value) in from {
                merge(into.entry(field).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from,
    }
}
