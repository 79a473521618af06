//! Others who change what the host has decided about.

use super::{fleet, host};
use anyhow::{Result, ensure};
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

/// An annotation that comes after the decision to delete a machine stops the deletion.
pub async fn changed(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "changed").await?;
    fleet.machine("changed-1", None).await?;
    fleet.health_check(1, json!({})).await?;
    let proxy = Proxy::start(&stage.kube, &stage.directory, "changed", Rules::default()).await?;
    proxy.rules.delay_deletions.store(true, Ordering::SeqCst);
    let mut host = host(&stage, &proxy.kubeconfig, "changed", &[])?;
    fleet.says("Machine", "changed-1", "HealthCheckSucceeded", "True").await?;
    fleet.node_is("changed-1", "False").await?;
    eventually("the deletion is on its way", within(60), async || Ok((proxy.rules.held() > 0).then_some(()))).await?;
    let skip = json!({ "metadata": { "annotations": { "cluster.x-k8s.io/skip-remediation": "" } } });
    fleet.kube.patch("Machine", "changed", "changed-1", skip).await?;
    proxy.rules.delay_deletions.store(false, Ordering::SeqCst);
    let outcome = |record: &&Value| record["record"] == "result" && record["what"] == "deleteMachine";
    let result = eventually("the deletion has an outcome", within(60), async || {
        Ok(host.decisions()?.iter().find(outcome).map(|record| record["result"].clone()))
    })
    .await?;
    ensure!(result == "outdated", "{result}");
    let intents = host.decisions()?.into_iter().filter(|r| r["record"] == "intent" && r["what"] == "deleteMachine");
    ensure!(intents.count() == 1, "it was tried again");
    host.stop().await?;
    ensure!(fleet.kube.get("Machine", "changed", "changed-1").await?.is_some(), "the machine is gone");
    Ok(String::new())
}
