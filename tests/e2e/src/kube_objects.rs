//! Objects as JSON, to and from the API server.

use anyhow::{Context, Result};
use kube::api::{DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::{ApiResource, GroupVersionKind};
use kube::{Api, Client, Config};
use serde_json::{Value, json};
use std::path::Path;

/// Kinds by name: group, version, whether they live in a namespace.
const KINDS: &[(&str, &str, &str, bool)] = &[
    ("Namespace", "", "v1", false),
    ("Node", "", "v1", false),
    ("Secret", "", "v1", true),
    ("Pod", "", "v1", true),
    ("ServiceAccount", "", "v1", true),
    ("ConfigMap", "", "v1", true),
    ("Event", "events.k8s.io", "v1", true),
    ("Lease", "coordination.k8s.io", "v1", true),
    ("Deployment", "apps", "v1", true),
    ("StatefulSet", "apps", "v1", true),
    ("Service", "", "v1", true),
    ("CustomResourceDefinition", "apiextensions.k8s.io", "v1", false),
    ("ClusterRole", "rbac.authorization.k8s.io", "v1", false),
    ("ClusterRoleBinding", "rbac.authorization.k8s.io", "v1", false),
    ("Role", "rbac.authorization.k8s.io", "v1", true),
    ("RoleBinding", "rbac.authorization.k8s.io", "v1", true),
    ("Cluster", "cluster.x-k8s.io", "v1beta2", true),
    ("Machine", "cluster.x-k8s.io", "v1beta2", true),
    ("MachineSet", "cluster.x-k8s.io", "v1beta2", true),
    ("MachinePool", "cluster.x-k8s.io", "v1beta2", true),
    ("MachineDeployment", "cluster.x-k8s.io", "v1beta2", true),
    ("MachineHealthCheck", "cluster.x-k8s.io", "v1beta2", true),
    ("Provider", "clusterctl.cluster.x-k8s.io", "v1alpha3", true),
    ("KubeadmControlPlane", "controlplane.cluster.x-k8s.io", "v1beta2", true),
    ("TestCluster", "infrastructure.cluster.x-k8s.io", "v1beta2", true),
    ("TestMachine", "infrastructure.cluster.x-k8s.io", "v1beta2", true),
    ("TestRemediation", "remediation.test.capi-policy", "v1", true),
    ("TestRemediationTemplate", "remediation.test.capi-policy", "v1", true),
    ("GenericExternalRemediation", "remediation.external.io", "v1beta2", true),
    ("GenericExternalRemediationTemplate", "remediation.external.io", "v1beta2", true),
];

/// A client.
#[derive(Clone)]
pub struct Kube {
    /// The client underneath.
    pub client: Client,
}

impl Kube {
    /// Connects with a kubeconfig.
    pub async fn connect(kubeconfig: &Path) -> Result<Self> {
        let kubeconfig = Kubeconfig::read_from(kubeconfig)?;
        let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
        Ok(Self { client: Client::try_from(config)? })
    }

    /// The API of a kind, in a namespace or in all.
    pub fn api(&self, kind: &str, namespace: &str) -> Result<Api<DynamicObject>> {
        let (_, group, version, namespaced) =
            KINDS.iter().find(|(name, ..)| *name == kind).with_context(|| format!("no kind {kind}"))?;
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, kind));
        Ok(if *namespaced && !namespace.is_empty() {
            Api::namespaced_with(self.client.clone(), namespace, &resource)
        } else {
            Api::all_with(self.client.clone(), &resource)
        })
    }

    /// Creates an object that says what it is; `apiVersion` is filled in. Its status is written too.
    pub async fn create(&self, mut object: Value) -> Result<Value> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (kind, namespace) = (text(&object["kind"]), text(&object["metadata"]["namespace"]));
        let (_, group, version, _) =
            KINDS.iter().find(|(name, ..)| *name == kind).with_context(|| format!("no kind {kind}"))?;
        object["apiVersion"] =
            json!(if group.is_empty() { (*version).to_owned() } else { format!("{group}/{version}") });
        let status = object["status"].take();
        if let Some(fields) = object.as_object_mut() {
            fields.remove("status");
        }
        let name = text(&object["metadata"]["name"]);
        let parsed: DynamicObject = serde_json::from_value(object)?;
        let api = self.api(&kind, &namespace)?;
        let created =
            api.create(&PostParams::default(), &parsed).await.with_context(|| format!("create {kind} {name}"))?;
        if status.is_object() {
            self.patch_status(&kind, &namespace, &name, status).await?;
        }
        Ok(serde_json::to_value(created)?)
    }

    /// Merges into an object.
    pub async fn patch(&self, kind: &str, namespace: &str, name: &str, patch: Value) -> Result<Value> {
        let api = self.api(kind, namespace)?;
        let patched = api.patch(name, &PatchParams::default(), &Patch::Merge(&patch)).await;
        Ok(serde_json::to_value(patched.with_context(|| format!("patch {kind} {name}"))?)?)
    }

    /// Merges into an object's status.
    pub async fn patch_status(&self, kind: &str, namespace: &str, name: &str, status: Value) -> Result<Value> {
        let api = self.api(kind, namespace)?;
        let patch = json!({ "status": status });
        let patched = api.patch_status(name, &PatchParams::default(), &Patch::Merge(&patch)).await;
        Ok(serde_json::to_value(patched.with_context(|| format!("patch the status of {kind} {name}"))?)?)
    }

    /// An object, if it exists.
    pub async fn get(&self, kind: &str, namespace: &str, name: &str) -> Result<Option<Value>> {
        let object = self.api(kind, namespace)?.get_opt(name).await.with_context(|| format!("get {kind} {name}"))?;
        Ok(object.map(serde_json::to_value).transpose()?)
    }

    /// Every object of a kind.
    pub async fn list(&self, kind: &str, namespace: &str) -> Result<Vec<Value>> {
        let list =
            self.api(kind, namespace)?.list(&ListParams::default()).await.with_context(|| format!("list {kind}"))?;
        list.items.into_iter().map(|object| Ok(serde_json::to_value(object)?)).collect()
    }

    /// Deletes an object; one that is gone is fine.
    pub async fn delete(&self, kind: &str, namespace: &str, name: &str) -> Result<()> {
        match self.api(kind, namespace)?.delete(name, &DeleteParams::default()).await {
            Err(kube::Error::Api(status)) if status.is_not_found() => Ok(()),
            other => other.map(drop).with_context(|| format!("delete {kind} {name}")),
        }
    }
}

/// The condition of a type.
pub fn condition<'a>(object: &'a Value, kind: &str) -> Option<&'a Value> {
    object["status"]["conditions"].as_array()?.iter().find(|condition| condition["type"] == kind)
}

/// Status, reason and message of a condition, `-` when there is none.
pub fn said(object: &Value, kind: &str) -> String {
    let text = |condition: &Value, field: &str| condition[field].as_str().unwrap_or_default().to_owned();
    condition(object, kind).map_or_else(
        || "-".to_owned(),
        |c| format!("{} {} {}", text(c, "status"), text(c, "reason"), text(c, "message")).trim_end().to_owned(),
    )
}
