//! States that come and go between two looks: only what is there in the end counts.

use super::{fleet, host};
use anyhow::{Context, Result, ensure};
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::json;

/// While the server is silent a Node breaks and recovers, one is replaced by another of its name, a machine that was about to
/// be deleted is excepted, the health check is replaced by one with another timeout, and a machine comes and goes.
pub async fn states(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "unseen").await?;
    let kube = &fleet.kube;
    for number in 1..=4 {
        fleet.machine(&format!("unseen-{number}"), None).await?;
    }
    fleet.health_check(1, json!({})).await?;
    let proxy = Proxy::start(&stage.kube, &stage.directory, "unseen", Rules::default()).await?;
    let mut host = host(&stage, &proxy.kubeconfig, "unseen", &[])?;
    for number in 1..=4 {
        fleet.says("Machine", &format!("unseen-{number}"), "HealthCheckSucceeded", "True").await?;
    }
    proxy.rules.fall_silent();
    eventually("it is not ready", within(60), async || Ok((host.get("/readyz").await?.0 == 503).then_some(()))).await?;
    // Unhealthy for longer than the timeout, as its own times say, and healthy again.
    fleet.node_is("unseen-1", "False").await?;
    fleet.node_is("unseen-1", "True").await?;
    kube.delete("Node", "", "unseen-2").await?;
    fleet.node("unseen-2").await?;
    fleet.node_is("unseen-3", "False").await?;
    let skip = json!({ "metadata": { "annotations": { "cluster.x-k8s.io/skip-remediation": "" } } });
    kube.patch("Machine", "unseen", "unseen-3", skip).await?;
    fleet.machine("unseen-5", None).await?;
    kube.delete("Machine", "unseen", "unseen-5").await?;
    kube.delete("MachineHealthCheck", "unseen", "unseen").await?;
    fleet.health_check(600, json!({})).await?;
    fleet.node_is("unseen-4", "False").await?;
    proxy.rules.speak();

    // By the new health check it waits; by the old one it would have been deleted.
    fleet.says("Machine", "unseen-4", "HealthCheckSucceeded", "Unknown WaitingForRecovery").await?;
    eventually("the health check has counted", within(60), async || {
        let check = kube.get("MachineHealthCheck", "unseen", "unseen").await?.unwrap_or_default();
        let (expected, healthy) = (&check["status"]["expectedMachines"], &check["status"]["currentHealthy"]);
        Ok((*expected == 3 && *healthy == 2).then_some(()))
    })
    .await
    .context("of three machines two are healthy")?;
    host.ready().await?;
    for machine in ["unseen-1", "unseen-2"] {
        fleet.says("Machine", machine, "HealthCheckSucceeded", "True").await?;
    }
    host.stop().await?;
    ensure!(host.decisions()?.iter().all(|record| record["record"] != "intent"), "something was remediated");
    for number in 1..=4 {
        let name = format!("unseen-{number}");
        ensure!(kube.get("Machine", "unseen", &name).await?.is_some(), "{name} is gone");
    }
    Ok(String::new())
}
