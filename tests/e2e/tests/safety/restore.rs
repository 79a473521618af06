//! A server that comes back with older data, and a kind that it stops serving.

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::fleet::{Fleet, install_provider};
use capi_policy_e2e::host::Host;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::proxy::{Done, Proxy, Rules};
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::Ordering;

const CRD: &str = "machinehealthchecks.cluster.x-k8s.io";

/// The resource versions are lower than those seen before; what the server lists is so all the same. Then the kind of the
/// health checks is not served for a while: the host is not ready, and goes on afterwards.
pub async fn restored() -> Result<String> {
    let mut plane = Plane::start(&[]).await?;
    let kube = plane.kube().await?;
    install_provider(&kube).await?;
    let fleet = Fleet::create(&kube, "restored", &plane.kubeconfig).await?;
    fleet.machine("restored-1", None).await?;
    fleet.health_check(600, json!({})).await?;
    let saved = plane.directory().join("saved");
    plane.restart_with(|data| copy(data, &saved)).await?;
    let mut host = Host::start(&plane.kubeconfig, plane.directory(), "restored", &["--mode", "apply"])?;
    fleet.says("Machine", "restored-1", "HealthCheckSucceeded", "True").await?;
    paused(&fleet, true).await?;
    fleet.says("MachineHealthCheck", "restored", "Paused", "True").await?;
    plane
        .restart_with(|data| {
            std::fs::remove_dir_all(data)?;
            copy(&saved, data)
        })
        .await?;
    fleet.says("Machine", "restored-1", "HealthCheckSucceeded", "True").await.context("after the restore")?;
    eventually("the Node breaks", within(60), async || Ok(Some(fleet.node_is("restored-1", "False").await?))).await?;
    fleet.says("Machine", "restored-1", "HealthCheckSucceeded", "Unknown WaitingForRecovery").await?;

    served(&fleet, false).await?;
    let why = eventually("it is not ready", within(90), async || {
        let (status, why) = host.get("/readyz").await?;
        Ok((status == 503 && why.contains("not served")).then_some(why))
    })
    .await?;
    served(&fleet, true).await?;
    host.ready().await?;
    eventually("the Node recovers", within(60), async || Ok(Some(fleet.node_is("restored-1", "True").await?))).await?;
    fleet.says("Machine", "restored-1", "HealthCheckSucceeded", "True").await?;
    host.stop().await?;
    Ok(why.trim().to_owned())
}

/// A host that starts reads from a server that is behind: it would delete a machine that has been excepted since. The real
/// server refuses whatever was decided on the old state; once the host sees the new one, the machine is left alone.
pub async fn behind(stage: Stage) -> Result<String> {
    let fleet = super::fleet(&stage, "behind").await?;
    fleet.machine("behind-1", None).await?;
    fleet.machine("behind-2", None).await?;
    fleet.health_check(1, json!({})).await?;
    let proxy = Proxy::start(&stage.kube, &stage.directory, "behind", Rules::default()).await?;
    proxy.rules.remember.store(true, Ordering::SeqCst);
    let mut first = super::host(&stage, &proxy.kubeconfig, "behind", &[])?;
    for machine in ["behind-1", "behind-2"] {
        fleet.says("Machine", machine, "HealthCheckSucceeded", "True").await?;
    }
    first.stop().await?;
    proxy.rules.remember.store(false, Ordering::SeqCst);
    let before = proxy.rules.done().len();
    let skip = json!({ "metadata": { "annotations": { "cluster.x-k8s.io/skip-remediation": "" } } });
    fleet.kube.patch("Machine", "behind", "behind-1", skip).await?;
    fleet.node_is("behind-1", "False").await?;
    proxy.rules.behind.store(true, Ordering::SeqCst);
    let mut second = super::host(&stage, &proxy.kubeconfig, "behind", &[])?;
    eventually("the server refuses", within(60), async || {
        let metric = "capi_policy_writes_total{what=\"apply\",result=\"outdated\"}";
        Ok((second.metric(metric).await? > 0).then_some(()))
    })
    .await?;
    let done = proxy.rules.done().split_off(before);
    let deletes = |done: &&Done| done.method == "DELETE" || done.path.contains("/machines/behind-1");
    ensure!(!done.iter().any(|done| deletes(&done)), "written on the old state: {done:?}");
    proxy.rules.behind.store(false, Ordering::SeqCst);
    // The other machine's end shows that it has seen the new state.
    fleet.node_is("behind-2", "False").await?;
    eventually("the other machine is deleted", within(90), async || {
        Ok(fleet.kube.get("Machine", "behind", "behind-2").await?.is_none().then_some(()))
    })
    .await?;
    second.stop().await?;
    ensure!(fleet.kube.get("Machine", "behind", "behind-1").await?.is_some(), "the machine is gone");
    Ok(String::new())
}

async fn paused(fleet: &Fleet, paused: bool) -> Result<()> {
    let patch = json!({ "spec": { "paused": paused } });
    fleet.kube.patch("Cluster", &fleet.name, &fleet.name, patch).await.map(drop)
}

async fn served(fleet: &Fleet, served: bool) -> Result<()> {
    let crd = fleet.kube.get("CustomResourceDefinition", "", CRD).await?.context("no CRD")?;
    let mut versions = crd["spec"]["versions"].clone();
    for version in versions.as_array_mut().into_iter().flatten() {
        ensure!(version["name"] == "v1beta2", "{version}");
        version["served"] = json!(served);
    }
    let patch: Value = json!({ "spec": { "versions": versions } });
    fleet.kube.patch("CustomResourceDefinition", "", CRD, patch).await.map(drop)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            std::fs::copy(entry.path(), &to)?;
        }
    }
    Ok(())
}
