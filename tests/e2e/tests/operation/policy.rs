//! A policy is replaced while the host runs.

use super::host;
use anyhow::{Context, Result, ensure};
use capi_policy_e2e::host::{Host, policy as policy_file};
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;

/// What the policy says, and what the other one says instead: as long, so that it is still a component.
const BEFORE: &[u8] = b"Deletion completed";
const AFTER: &[u8] = b"Deletion concluded";
const MACHINES: usize = 6;

/// One that won't load leaves the old one running; a good one decides at once; no decision is dropped meanwhile.
pub async fn replaced(stage: Stage) -> Result<String> {
    let policy = std::fs::read(policy_file()?)?;
    let other = other(&policy)?;
    let file = stage.directory.join("replaced.wasm");
    put(&file, &policy)?;
    let fleet = stage.fleet("replaced").await?;
    let deployment = fleet.machine_deployment("replaced").await?;
    ensure!(deployment["metadata"]["finalizers"].is_array(), "{deployment:#}");
    fleet.kube.delete("MachineDeployment", "replaced", "replaced").await?;
    for number in 1..=MACHINES {
        fleet.machine(&format!("replaced-{number}"), None).await?;
    }
    let mut host = host(&stage, &stage.kubeconfig, "replaced", &["--policy", file.to_str().unwrap_or_default()])?;
    fleet.says("MachineDeployment", "replaced", "Deleting", "True Deleting Deletion completed").await?;
    let first = digest(&host).await?;

    // Not a policy: told by a signal.
    put(&file, b"not a policy")?;
    host.signal("HUP")?;
    eventually("the reload has failed", within(60), async || {
        Ok((host.metric("capi_policy_policy_reload_failures_total").await? > 0).then_some(()))
    })
    .await?;
    fleet.health_check(600, json!({})).await?;
    fleet.says("Machine", "replaced-1", "HealthCheckSucceeded", "True").await?;
    ensure!(digest(&host).await? == first, "something that is no policy decides");

    // Another policy: the file has changed, no word said; no object has changed either.
    put(&file, &other)?;
    fleet.says("MachineDeployment", "replaced", "Deleting", "True Deleting Deletion concluded").await?;
    let second = digest(&host).await?;
    ensure!(second != first, "another policy has the same digest");

    // To and fro, while nodes break and recover.
    for (round, policy) in [&policy, &other, &policy].into_iter().enumerate() {
        let before = digest(&host).await?;
        put(&file, policy)?;
        host.signal("HUP")?;
        let ready = if round % 2 == 0 { "False" } else { "True" };
        for number in 1..=MACHINES {
            fleet.node_is(&format!("replaced-{number}"), ready).await?;
        }
        eventually("the other policy decides", within(60), async || Ok((digest(&host).await? != before).then_some(())))
            .await?;
        let said = if round % 2 == 0 { "Unknown WaitingForRecovery" } else { "True" };
        for number in 1..=MACHINES {
            fleet.says("Machine", &format!("replaced-{number}"), "HealthCheckSucceeded", said).await?;
        }
    }
    fleet.says("MachineDeployment", "replaced", "Deleting", "True Deleting Deletion completed").await?;
    let failed = host.get("/metrics").await?.1.lines().any(|line| line.contains("result=\"error\""));
    ensure!(!failed, "a decision has failed");
    host.stop().await?;
    let decisions = host.decisions()?;
    let by: BTreeSet<&str> = decisions.iter().filter_map(|decision| decision["policy"].as_str()).collect();
    ensure!(by == BTreeSet::from([&*first, &*second]), "decided by {by:?}, not by {first} and {second}");
    Ok(format!("4 times, {} decisions", decisions.len()))
}

fn other(policy: &[u8]) -> Result<Vec<u8>> {
    let at = policy.windows(BEFORE.len()).position(|bytes| bytes == BEFORE).context("the policy has other words")?;
    let mut other = policy.to_vec();
    other[at..at + AFTER.len()].copy_from_slice(AFTER);
    Ok(other)
}

/// Replaces the file as people should: all of it at once.
fn put(file: &Path, content: &[u8]) -> Result<()> {
    let new = file.with_extension("new");
    std::fs::write(&new, content)?;
    Ok(std::fs::rename(&new, file)?)
}

/// The digest of the policy that decides.
async fn digest(host: &Host) -> Result<String> {
    let (_, metrics) = host.get("/metrics").await?;
    let line = metrics.lines().find(|line| line.starts_with("capi_policy_policy{")).context("no policy")?;
    Ok(line.split('"').nth(1).context("no digest")?.to_owned())
}
