//! Kubeconfig Secrets that mean harm, servers behind them that do, and connections to the host that do nothing.

use super::{fleet, host};
use anyhow::{Context, Result, ensure};
use capi_policy_e2e::harm::Harm;
use capi_policy_e2e::host::command;
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

/// More than the host keeps open.
const CONNECTIONS: usize = 300;
/// The host stays below this.
const MOST_KILOBYTES: u64 = 400_000;
/// No line of the log is as long as this.
const LONGEST_LINE: usize = 10_000;

/// Nothing is run or read for a tenant; the log and the metrics say what was refused; the other cluster goes on; a Secret
/// that is put right is noticed.
pub async fn kubeconfigs(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "tenants").await?;
    fleet.machine("tenants-1", None).await?;
    fleet.health_check(600, json!({})).await?;
    let good = std::fs::read_to_string(&stage.kubeconfig)?;
    let marker = stage.directory.join("tenant-was-here");
    let exec = json!({ "exec": {
        "apiVersion": "client.authentication.k8s.io/v1", "interactiveMode": "Never", "command": "touch", "args": [&marker],
    } });
    let secret = |value: &str| json!({ "stringData": { "value": value } });
    let mut object = secret(&with_user(&good, exec)?);
    object["kind"] = json!("Secret");
    object["metadata"] = json!({ "name": "evil-kubeconfig", "namespace": "tenants" });
    fleet.kube.create(object).await?;
    fleet
        .kube
        .create(json!({ "kind": "Cluster", "metadata": { "name": "evil", "namespace": "tenants" }, "spec": { "paused": true } }))
        .await?;
    let mut host = host(&stage, &stage.kubeconfig, "tenants", &[])?;
    let refused = async |reason: &str| {
        let metric = format!("capi_policy_kubeconfigs_refused_total{{reason=\"{reason}\"}}");
        eventually(&format!("{reason} is refused"), within(90), async || {
            Ok((host.metric(&metric).await? > 0).then_some(()))
        })
        .await
    };
    refused("exec").await?;
    let kubeconfig = stage.kubeconfig.to_str().unwrap_or_default();
    let arguments = ["capture", "--cluster", "evil", "-n", "tenants", "--kubeconfig", kubeconfig, "-o", "-"];
    let (_, _, error) = command(&arguments)?;
    ensure!(error.contains("\"exec\" is not accepted"), "{error}");
    ensure!(!marker.exists(), "a tenant's command was run");
    fleet.says("Machine", "tenants-1", "HealthCheckSucceeded", "True").await?;

    let file = with_user(&good, json!({ "tokenFile": "/etc/hostname" }))?;
    fleet.kube.patch("Secret", "tenants", "evil-kubeconfig", secret(&file)).await?;
    refused("tokenFile").await?;
    // One that can't be sent: the client panics.
    let file = with_user(&good, json!({ "token": "a\r\nHost: elsewhere" }))?;
    fleet.kube.patch("Secret", "tenants", "evil-kubeconfig", secret(&file)).await?;
    refused("malformed").await?;
    fleet.kube.patch("Secret", "tenants", "evil-kubeconfig", secret(&good)).await?;
    let connected = "capi_policy_workload_connected{cluster=\"tenants/evil\"}";
    eventually("the good Secret is noticed", within(90), async || {
        Ok((host.metric(connected).await? == 1).then_some(()))
    })
    .await?;
    host.stop().await?;
    let log = std::fs::read_to_string(&host.log)?;
    ensure!(log.contains("kubeconfig refused") && log.contains("exec"), "nothing is said about it:\n{log}");
    Ok(String::new())
}

fn with_user(kubeconfig: &str, user: Value) -> Result<String> {
    let mut config: Value = serde_saphyr::from_str(kubeconfig)?;
    *config.pointer_mut("/users/0/user").context("no user")? = user;
    Ok(config.to_string())
}

/// Servers that mean harm fill neither memory nor the log, keep nobody busy and lead nowhere; the other cluster goes on.
pub async fn servers(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "harm").await?;
    fleet.machine("harm-1", None).await?;
    fleet.health_check(600, json!({})).await?;
    let elsewhere = Proxy::start(&stage.kube, &stage.directory, "harm-elsewhere", Rules::default()).await?;
    let mut proxies = Vec::new();
    for (name, nodes_are, said) in [
        ("endless-list", Harm::EndlessList, "an answer of more than"),
        ("endless-pages", Harm::EndlessPages, "a list of more than"),
        ("endless-event", Harm::EndlessEvent, "an answer of more than"),
        ("long-error", Harm::LongError, "an answer of more than"),
        ("web-page", Harm::WebPage, "watch of Nodes interrupted"),
        ("busy", Harm::Busy, "watch of Nodes interrupted"),
        ("dense", Harm::Dense, ""),
        ("redirect", Harm::Redirect(format!("{}/api/v1/nodes", elsewhere.url)), "watch of Nodes interrupted"),
    ] {
        let mut rules = Rules::default();
        rules.nodes_are = nodes_are;
        let proxy = Proxy::start(&stage.kube, &stage.directory, name, rules).await?;
        let value = std::fs::read_to_string(&proxy.kubeconfig)?;
        let metadata = json!({ "name": format!("{name}-kubeconfig"), "namespace": "harm" });
        fleet.kube.create(json!({ "kind": "Secret", "metadata": metadata, "stringData": { "value": value } })).await?;
        let metadata = json!({ "name": name, "namespace": "harm" });
        fleet.kube.create(json!({ "kind": "Cluster", "metadata": metadata, "spec": { "paused": true } })).await?;
        proxies.push((name, said, proxy));
    }
    let mut host = host(&stage, &stage.kubeconfig, "harm", &[])?;
    let mut most = 0;
    eventually("each server is found out", within(120), async || {
        most = most.max(host.resident_kilobytes()?);
        let log = std::fs::read_to_string(&host.log)?;
        let is_said = |name: &str, said: &str| {
            log.lines().any(|line| line.contains(&format!("harm/{name}")) && line.contains(said))
        };
        let missing = proxies.iter().find(|(name, said, proxy)| {
            proxy.rules.asked_for_nodes.load(Ordering::SeqCst) == 0 || !said.is_empty() && !is_said(name, said)
        });
        ensure!(missing.is_none(), "{}", missing.map(|(name, ..)| *name).unwrap_or_default());
        Ok(Some(()))
    })
    .await?;
    fleet.says("Machine", "harm-1", "HealthCheckSucceeded", "True").await?;
    fleet.node_is("harm-1", "False").await?;
    fleet.says("Machine", "harm-1", "HealthCheckSucceeded", "Unknown WaitingForRecovery").await?;
    most = most.max(host.resident_kilobytes()?);
    ensure!(most < MOST_KILOBYTES, "{most} kB resident");
    ensure!(host.get("/readyz").await?.0 == 200, "they make it not ready");
    host.stop().await?;
    ensure!(elsewhere.rules.asked_for_nodes.load(Ordering::SeqCst) == 0, "it followed to where a tenant's server led");
    let log = std::fs::read_to_string(&host.log)?;
    let longest = log.lines().map(str::len).max().unwrap_or_default();
    ensure!(longest < LONGEST_LINE, "a line of {longest} bytes in the log");
    Ok(format!("{most} kB resident at most, the longest line has {longest} bytes"))
}

/// Whoever opens connections and says nothing keeps no probe out.
pub async fn connections(stage: Stage) -> Result<String> {
    fleet(&stage, "idle").await?;
    let mut host = host(&stage, &stage.kubeconfig, "idle", &[])?;
    host.ready().await?;
    let mut idle = Vec::new();
    for _ in 0..CONNECTIONS {
        idle.push(tokio::net::TcpStream::connect(host.address()).await?);
    }
    let (status, text) = host.get("/healthz").await?;
    ensure!(status == 200, "{status} {text}");
    let open = std::fs::read_dir(format!("/proc/{}/fd", host.id()))?.count();
    ensure!(open < CONNECTIONS, "{open} open files");
    drop(idle);
    host.stop().await?;
    Ok(format!("{open} open files"))
}
