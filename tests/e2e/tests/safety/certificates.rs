//! A server's certificate expires while the host runs, and is renewed.

use super::{fleet, host};
use anyhow::{Context, Result, ensure};
use capi_policy_e2e::authority::Authority;
use capi_policy_e2e::proxy::Proxy;
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::json;

const SAID: &str = "its certificate has expired";

/// The management cluster's: the host is not ready and says why; with the new certificate it goes on.
pub async fn management(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "expired").await?;
    fleet.machine("expired-1", None).await?;
    fleet.health_check(600, json!({})).await?;
    let authority = Authority::create(&stage.directory, "expired-authority")?;
    let proxy = Proxy::start_tls(&stage.kube, &stage.directory, "expired", &authority).await?;
    let mut host = host(&stage, &proxy.kubeconfig, "expired", &[])?;
    fleet.says("Machine", "expired-1", "HealthCheckSucceeded", "True").await?;
    authority.expired(true)?;
    proxy.cut();
    let why = eventually("it says why it is not ready", within(60), async || {
        let (status, why) = host.get("/readyz").await?;
        Ok((status == 503 && why.contains(SAID)).then_some(why))
    })
    .await?;
    ensure!(host.get("/healthz").await?.0 == 200, "it is not alive");
    let counted = "capi_policy_certificate_failures_total{server=\"management\",reason=\"expired\"}";
    ensure!(host.metric(counted).await? > 0, "it is not counted");
    fleet.node_is("expired-1", "False").await?;
    authority.expired(false)?;
    fleet.says("Machine", "expired-1", "HealthCheckSucceeded", "Unknown WaitingForRecovery").await?;
    host.ready().await?;
    host.stop().await?;
    let log = std::fs::read_to_string(&host.log)?;
    let lines = log.lines().filter(|line| line.contains(SAID) && line.contains("WARN")).count();
    ensure!((1..=4).contains(&lines), "said {lines} times:\n{log}");
    Ok(why.trim().to_owned())
}

/// A workload cluster's: its machines are not judged by Nodes that nobody can read, the others go on; with the new
/// certificate everything does.
pub async fn workload(stage: Stage) -> Result<String> {
    let authority = Authority::create(&stage.directory, "tenant-authority")?;
    let proxy = Proxy::start_tls(&stage.kube, &stage.directory, "tenant", &authority).await?;
    let fleet = fleet(&stage, "tenant").await?;
    let secret = std::fs::read_to_string(&proxy.kubeconfig).context("a kubeconfig")?;
    let value = json!({ "stringData": { "value": secret } });
    fleet.kube.patch("Secret", "tenant", "tenant-kubeconfig", value).await?;
    fleet.machine("tenant-1", None).await?;
    fleet.health_check(1, json!({})).await?;
    let mut host = host(&stage, &stage.kubeconfig, "tenant", &[])?;
    let connected = async |wanted: u64| {
        eventually(&format!("connected: {wanted}"), within(60), async || {
            let metric = host.metric("capi_policy_workload_connected{cluster=\"tenant/tenant\"}").await?;
            Ok((metric == wanted).then_some(()))
        })
        .await
    };
    fleet.says("Machine", "tenant-1", "HealthCheckSucceeded", "True").await?;
    authority.expired(true)?;
    proxy.cut();
    connected(0).await?;
    let counted = "capi_policy_certificate_failures_total{server=\"workload\",reason=\"expired\"}";
    eventually("it is counted", within(60), async || Ok((host.metric(counted).await? > 1).then_some(()))).await?;
    ensure!(host.get("/readyz").await?.0 == 200, "one workload cluster makes it not ready");
    // Unhealthy for longer than its timeout, and nobody sees it: the machine stays.
    fleet.node_is("tenant-1", "False").await?;
    ensure!(host.decisions()?.iter().all(|record| record["record"] != "intent"), "something was remediated");
    fleet.node_is("tenant-1", "True").await?;
    authority.expired(false)?;
    connected(1).await?;
    fleet.says("Machine", "tenant-1", "HealthCheckSucceeded", "True").await?;
    host.stop().await?;
    let log = std::fs::read_to_string(&host.log)?;
    let lines = log.lines().filter(|line| line.contains(SAID) && line.contains("tenant/tenant")).count();
    ensure!(lines == 1, "said {lines} times:\n{log}");
    Ok(String::new())
}
