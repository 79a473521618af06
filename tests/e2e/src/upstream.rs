//! The real controllers of Cluster API.

use crate::kube_objects::Kube;
use crate::plane::{Plane, cluster_api};
use crate::process::{Process, program};
use crate::wait::{eventually, within};
use anyhow::Result;
use serde_json::{Value, json};

/// The running controllers.
pub struct Upstream {
    process: Process,
}

impl Upstream {
    /// Starts them against a control plane.
    pub async fn start(plane: &Plane) -> Result<Self> {
        Self::start_with(plane, &[]).await
    }

    /// The same with more arguments.
    pub async fn start_with(plane: &Plane, more: &[&str]) -> Result<Self> {
        Self::launch(plane, &[&["--kubeadm-control-plane"], more].concat()).await
    }

    /// Starts the controllers of the core provider as they are measured: without webhooks and the provider that pretends.
    pub async fn start_alone(plane: &Plane) -> Result<Self> {
        Self::launch(plane, &["--controllers-alone"]).await
    }

    async fn launch(plane: &Plane, more: &[&str]) -> Result<Self> {
        let mut arguments = vec![
            "--kubeconfig".to_owned(),
            plane.kubeconfig.display().to_string(),
            "--cluster-api".to_owned(),
            cluster_api()?.display().to_string(),
        ];
        arguments.extend(more.iter().map(|argument| (*argument).to_owned()));
        let binary = program("UPSTREAM", &format!("target/testplane/upstream-{}", release()))?;
        let mut process = Process::start(&binary, &arguments, &plane.directory().join("upstream.log"))?;
        let ready = process.answer().await?;
        anyhow::ensure!(ready["ready"] == true, "the controllers say {ready}");
        Ok(Self { process })
    }

    /// Creates a cluster and waits until it runs.
    pub async fn create_fleet(&mut self, line: &str) -> Result<Value> {
        self.process.command(&format!("create-fleet {line}")).await
    }

    /// Their process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Ends them; their webhooks go with them.
    pub async fn stop(mut self) -> Result<()> {
        self.process.close().await.map(drop)
    }
}

/// The release whose controllers run, like `v1.14`.
pub fn release() -> String {
    std::env::var("CLUSTER_API_RELEASE").unwrap_or_else(|_| "v1.14".to_owned())
}

/// The profile that decides as that release does.
pub fn profile() -> String {
    format!("cluster-api-{}", release())
}

/// What clusterctl notes about the providers that it installs.
pub async fn install_inventory(kube: &Kube, namespace: &str) -> Result<()> {
    let schema = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    kube.create(json!({
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "providers.clusterctl.cluster.x-k8s.io" },
        "spec": {
            "group": "clusterctl.cluster.x-k8s.io",
            "names": { "kind": "Provider", "listKind": "ProviderList", "plural": "providers", "singular": "provider" },
            "scope": "Namespaced",
            "versions": [{ "name": "v1alpha3", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }],
        },
    }))
    .await?;
    let providers =
        [("cluster-api", "CoreProvider", "cluster-api"), ("control-plane-kubeadm", "ControlPlaneProvider", "kubeadm")];
    for (name, of_type, provider) in providers {
        let metadata = json!({ "name": name, "namespace": namespace });
        let version = format!("{}.0", release());
        let object = json!({ "kind": "Provider", "metadata": metadata, "type": of_type, "providerName": provider, "version": version });
        eventually("providers are served", within(30), async || Ok(kube.create(object.clone()).await.ok())).await?;
    }
    Ok(())
}
