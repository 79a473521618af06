//! A server that serves Cluster API's kinds in two versions, then only in the older one.

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::fleet::{Fleet, install_provider, transitioned};
use capi_policy_e2e::host::Host;
use capi_policy_e2e::kube_objects::Kube;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};

const GROUP: &str = "cluster.x-k8s.io";
const NEEDED: &str = "is served as v1beta1 only; v1beta2 is needed";

/// With both, decisions are made from `v1beta2`. With `v1beta1` only, a host that runs and one that starts say which version
/// is needed, are not ready, and write nothing.
pub async fn older_only() -> Result<String> {
    let plane = Plane::start(&[]).await?;
    let kube = plane.kube().await?;
    install_provider(&kube).await?;
    let fleet = Fleet::create(&kube, "versions", &plane.kubeconfig).await?;
    fleet.set_condition("Cluster", "versions", transitioned("InfrastructureReady", "True", "Ready")).await?;
    fleet.machine("versions-1", None).await?;
    fleet.health_check(1, json!({})).await?;
    serve(&kube, &["v1beta1", "v1beta2"]).await?;
    let proxy = Proxy::start(&kube, plane.directory(), "versions", Rules::default()).await?;
    let arguments = ["--mode", "apply", "--kinds", "MachineHealthCheck"];
    let mut host = Host::start(&proxy.kubeconfig, plane.directory(), "versions", &arguments)?;
    fleet.says("Machine", "versions-1", "HealthCheckSucceeded", "True").await.context("with both versions")?;

    serve(&kube, &["v1beta1"]).await?;
    let why = not_ready(&host).await?;
    let written = proxy.rules.done().len();
    fleet.node_is("versions-1", "False").await?;
    let mut other = Host::start(&proxy.kubeconfig, plane.directory(), "versions-late", &arguments)?;
    not_ready(&other).await.context("one that starts now")?;
    ensure!(other.get("/healthz").await?.0 == 200, "it is not alive");
    other.stop().await?;
    let done = proxy.rules.done();
    ensure!(done.len() == written, "it has written {:?}", &done[written..]);

    serve(&kube, &["v1beta1", "v1beta2"]).await?;
    host.ready().await?;
    eventually("the machine is deleted", within(60), async || {
        Ok(kube.get("Machine", "versions", "versions-1").await?.is_none().then_some(()))
    })
    .await?;
    host.stop().await?;
    Ok(why.trim().to_owned())
}

async fn not_ready(host: &Host) -> Result<String> {
    eventually("it says which version is needed", within(90), async || {
        let (status, why) = host.get("/readyz").await?;
        Ok((status == 503 && why.contains(NEEDED)).then_some(why))
    })
    .await
}

/// Serves the group's kinds in these versions, all with the schema of `v1beta2`.
async fn serve(kube: &Kube, served: &[&str]) -> Result<()> {
    for crd in kube.list("CustomResourceDefinition", "").await? {
        if crd["spec"]["group"] != GROUP {
            continue;
        }
        let versions = crd["spec"]["versions"].as_array().into_iter().flatten();
        let mut newer =
            versions.into_iter().find(|version| version["name"] == "v1beta2").context("no v1beta2")?.clone();
        let mut older = newer.clone();
        (older["name"], older["storage"]) = (json!("v1beta1"), json!(false));
        for version in [&mut older, &mut newer] {
            version["served"] = json!(served.iter().any(|name| version["name"] == *name));
        }
        let patch: Value = json!({ "spec": { "versions": [newer, older] } });
        let name = crd["metadata"]["name"].as_str().unwrap_or_default();
        kube.patch("CustomResourceDefinition", "", name, patch).await?;
    }
    Ok(())
}
