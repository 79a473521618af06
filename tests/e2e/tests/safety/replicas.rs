//! Two replicas that see different states of the same cluster.

use super::{fleet, host};
use anyhow::{Result, ensure};
use capi_policy_e2e::host::Host;
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::json;
use std::sync::atomic::Ordering;

const LEASE: [&str; 7] =
    ["--leader-elect", "--lease-name", "views", "--lease-namespace", "views", "--lease-seconds", "4"];

/// The leader is killed, and the one that takes over reads from a server that is behind: there a machine may be deleted that
/// has been excepted since, and another that was replaced by one of the same name. Nothing of that is done, what the first
/// leader did is not done again, and with the state of now the work goes on.
pub async fn views(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "views").await?;
    let kube = &fleet.kube;
    for number in 1..=4 {
        fleet.machine(&format!("views-{number}"), None).await?;
    }
    fleet.health_check(1, json!({})).await?;
    let behind = Proxy::start(&stage.kube, &stage.directory, "views-stale", Rules::default()).await?;
    let current = Proxy::start(&stage.kube, &stage.directory, "views-current", Rules::default()).await?;
    // What the server that is behind will say: everything as it is now.
    behind.rules.remember.store(true, Ordering::SeqCst);
    let mut first = host(&stage, &behind.kubeconfig, "views", &[])?;
    for number in 1..=4 {
        fleet.says("Machine", &format!("views-{number}"), "HealthCheckSucceeded", "True").await?;
    }
    first.stop().await?;
    behind.rules.remember.store(false, Ordering::SeqCst);
    let before = behind.rules.done().len();

    let apply = ["--mode", "apply", "--kinds", "MachineHealthCheck", "--namespace", "views"];
    let arguments = [&apply[..], &LEASE].concat();
    let mut leader = Host::start(&current.kubeconfig, &stage.directory, "views-leader", &arguments)?;
    leads(&leader).await?;
    behind.rules.behind.store(true, Ordering::SeqCst);
    let mut other = Host::start(&behind.kubeconfig, &stage.directory, "views-other", &arguments)?;
    other.ready().await?;
    // The leader deletes one machine; the other replica still sees it.
    fleet.node_is("views-1", "False").await?;
    gone(&fleet, "views-1").await?;
    leader.kill()?;
    let skip = json!({ "metadata": { "annotations": { "cluster.x-k8s.io/skip-remediation": "" } } });
    kube.patch("Machine", "views", "views-2", skip).await?;
    kube.delete("Machine", "views", "views-3").await?;
    kube.delete("TestMachine", "views", "views-3").await?;
    fleet.machine_with("views-3", None, json!({}), Some("views-3")).await?;
    // All that reaches it: the Nodes of its machines break, in a workload cluster that is not behind.
    for machine in ["views-1", "views-2", "views-3"] {
        fleet.node_is(machine, "False").await?;
    }
    leads(&other).await?;
    eventually("the server refuses", within(90), async || {
        let refused = "capi_policy_writes_total{what=\"apply\",result=\"outdated\"}";
        Ok((other.metric(refused).await? > 0).then_some(()))
    })
    .await?;
    let written = |done: &capi_policy_e2e::proxy::Done| {
        done.method == "DELETE" || ["views-1", "views-2", "views-3"].iter().any(|name| done.path.contains(name))
    };
    let done = behind.rules.done().split_off(before);
    ensure!(!done.iter().any(written), "written on the old state: {done:?}");
    for machine in ["views-2", "views-3"] {
        ensure!(kube.get("Machine", "views", machine).await?.is_some(), "{machine} is gone");
    }

    fleet.node_is("views-3", "True").await?;
    behind.rules.behind.store(false, Ordering::SeqCst);
    fleet.node_is("views-4", "False").await?;
    gone(&fleet, "views-4").await?;
    fleet.says("Machine", "views-3", "HealthCheckSucceeded", "True").await?;
    other.stop().await?;
    for machine in ["views-2", "views-3"] {
        ensure!(kube.get("Machine", "views", machine).await?.is_some(), "{machine} is gone");
    }
    let deleted = [&leader, &other].map(deletions);
    Ok(format!("deleted {deleted:?}"))
}

async fn leads(host: &Host) -> Result<()> {
    eventually("it leads", within(60), async || Ok((host.metric("capi_policy_leading").await? == 1).then_some(())))
        .await
}

async fn gone(fleet: &capi_policy_e2e::fleet::Fleet, machine: &str) -> Result<()> {
    eventually(&format!("{machine} is deleted"), within(90), async || {
        Ok(fleet.kube.get("Machine", "views", machine).await?.is_none().then_some(()))
    })
    .await
}

fn deletions(host: &Host) -> usize {
    let records = host.decisions().unwrap_or_default();
    records.iter().filter(|r| r["record"] == "result" && r["what"] == "deleteMachine" && r["result"] == "done").count()
}
