//! Events that nobody takes.

use super::host;
use anyhow::{Result, ensure};
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::stage::Stage;
use serde_json::json;
use std::sync::atomic::Ordering;

/// The server never answers to an event; what is decided next does not wait for that.
pub async fn unanswered(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("events").await?;
    let owner = fleet.machine_set("events", None).await?;
    fleet.machine("events-1", Some(&owner)).await?;
    fleet.health_check(1, json!({})).await?;
    let proxy = Proxy::start(&stage.kube, &stage.directory, "events", Rules::default()).await?;
    proxy.rules.hold_actions.store(true, Ordering::SeqCst);
    let mut host = host(&stage, &proxy.kubeconfig, "events", &[])?;
    fleet.says("Machine", "events-1", "HealthCheckSucceeded", "True").await?;
    fleet.node_is("events-1", "False").await?;
    fleet.says("Machine", "events-1", "OwnerRemediated", "False WaitingForRemediation").await?;
    fleet.node_is("events-1", "True").await?;
    fleet.says("Machine", "events-1", "HealthCheckSucceeded", "True").await?;
    host.stop().await?;
    let log = std::fs::read_to_string(&host.log)?;
    ensure!(log.contains("no answer within 5 s"), "nothing is said about the event:\n{log}");
    Ok(String::new())
}
