//! What the host says about itself from its start, and how it ends.

use super::host;
use anyhow::{Context, Result, ensure};
use capi_policy_e2e::fleet::transitioned;
use capi_policy_e2e::host::Host;
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

/// Each with the labels that tell one from another.
const METRICS: &[&str] = &[
    "capi_policy_build_info{version=",
    "capi_policy_evaluations_total{kind=\"MachineHealthCheck\",result=\"decided\"}",
    "capi_policy_evaluation_seconds_bucket{le=",
    "capi_policy_differences{kind=\"MachineHealthCheck\",condition=\"Paused\"}",
    "capi_policy_watch_lists_total{kind=\"Machine\"}",
    "capi_policy_leading 1",
    "capi_policy_policy{digest=",
    "capi_policy_policy_reload_failures_total 0",
];

pub async fn endpoints(stage: Stage) -> Result<String> {
    // A server that never answers: alive, not ready, and it stops when told to.
    let silent = std::net::TcpListener::bind("127.0.0.1:0")?;
    let nowhere = stage.directory.join("silent.kubeconfig");
    let config = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "silent",
        "clusters": [{ "name": "silent", "cluster": { "server": format!("http://{}", silent.local_addr()?) } }],
        "users": [{ "name": "silent", "user": {} }],
        "contexts": [{ "name": "silent", "context": { "cluster": "silent", "user": "silent" } }],
    });
    std::fs::write(&nowhere, config.to_string())?;
    let mut waiting = Host::start(&nowhere, &stage.directory, "silent", &["--log-format", "json"])?;
    eventually("it is alive", within(60), async || Ok((waiting.get("/healthz").await?.0 == 200).then_some(()))).await?;
    ensure!(waiting.get("/readyz").await?.0 == 503, "it is ready without having read anything");
    waiting.stop().await?;
    for line in std::fs::read_to_string(&waiting.log)?.lines() {
        let entry: Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
        ensure!(entry["level"].is_string() && entry["timestamp"].is_string(), "{entry}");
    }

    let fleet = stage.fleet("says").await?;
    fleet.health_check(600, json!({})).await?;
    let mut host = Host::start(&stage.kubeconfig, &stage.directory, "says", &["--namespace", "says"])?;
    host.ready().await?;
    eventually("it has decided", within(60), async || {
        Ok((host.metric("capi_policy_differences{kind=\"MachineHealthCheck\"").await? > 0).then_some(()))
    })
    .await?;
    let (status, metrics) = host.get("/metrics").await?;
    ensure!(status == 200 && metrics.ends_with("# EOF\n"), "{metrics}");
    for metric in METRICS {
        ensure!(metrics.lines().any(|line| line.starts_with(metric)), "no {metric} in\n{metrics}");
    }
    ensure!(host.get("/elsewhere").await?.0 == 404, "anything is served");
    host.stop().await?;
    Ok(String::new())
}

/// What has begun is finished, written down, and only then the host ends.
pub async fn stopped(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("stopped").await?;
    fleet.set_condition("Cluster", "stopped", transitioned("InfrastructureReady", "True", "Ready")).await?;
    fleet.machine("stopped-1", None).await?;
    fleet.health_check(1, json!({})).await?;
    let proxy = Proxy::start(&stage.kube, &stage.directory, "stopped", Rules::default()).await?;
    proxy.rules.delay_deletions.store(true, Ordering::SeqCst);
    // Nobody else changes the machine meanwhile: then it would have to be decided again.
    let mut host = host(&stage, &proxy.kubeconfig, "stopped", &["--kinds", "MachineHealthCheck"])?;
    fleet.says("Machine", "stopped-1", "HealthCheckSucceeded", "True").await?;
    fleet.node_is("stopped-1", "False").await?;
    eventually("the deletion is on its way", within(60), async || Ok((proxy.rules.held() > 0).then_some(()))).await?;
    host.signal("TERM")?;
    eventually("it has heard", within(60), async || {
        Ok(std::fs::read_to_string(&host.log)?.contains("stopping").then_some(()))
    })
    .await?;
    ensure!(fleet.kube.get("Machine", "stopped", "stopped-1").await?.is_some(), "the machine is gone already");
    proxy.rules.delay_deletions.store(false, Ordering::SeqCst);
    host.ended().await?;
    ensure!(fleet.kube.get("Machine", "stopped", "stopped-1").await?.is_none(), "the machine was not deleted");
    let deleted = |decision: &Value| {
        let mut written = decision["written"].as_array().into_iter().flatten();
        written.any(|written| written["what"] == "deleteMachine" && written["result"] == "done")
    };
    ensure!(host.decisions()?.iter().filter(|decision| deleted(decision)).count() == 1, "the deletion is not logged");
    Ok(String::new())
}
