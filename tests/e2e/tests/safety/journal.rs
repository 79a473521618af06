//! What can't be undone is on record before it is done, whatever happens in between.

use super::{fleet, host};
use anyhow::{Context, Result, ensure};
use capi_policy_e2e::host::{Host, command};
use capi_policy_e2e::kube_objects::said;
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

/// SIGKILL between the intent and the deletion: the record says what was about to be done, the next process does it, once,
/// and the story tells both.
pub async fn killed(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "killed").await?;
    fleet.machine("killed-1", None).await?;
    fleet.health_check(1, json!({})).await?;
    let proxy = Proxy::start(&stage.kube, &stage.directory, "killed", Rules::default()).await?;
    let mut first = host(&stage, &proxy.kubeconfig, "killed", &[])?;
    fleet.says("Machine", "killed-1", "HealthCheckSucceeded", "True").await?;
    let uid = fleet.kube.get("Machine", "killed", "killed-1").await?.context("no machine")?["metadata"]["uid"].clone();
    proxy.rules.hold_actions.store(true, Ordering::SeqCst);
    fleet.node_is("killed-1", "False").await?;
    eventually("the deletion is on its way", within(60), async || Ok((proxy.rules.held() > 0).then_some(()))).await?;
    first.kill()?;
    let intents = records(&first, "intent")?;
    ensure!(intents.len() == 1 && intents[0]["objectUid"] == uid, "{intents:#?}");
    ensure!(records(&first, "result")?.is_empty(), "a result without a deed");
    tells(&first, &["judged unhealthy", "about to deleteMachine", "no result is recorded"])?;

    proxy.rules.hold_actions.store(false, Ordering::SeqCst);
    let mut second = host(&stage, &proxy.kubeconfig, "killed", &[])?;
    eventually("the machine is deleted", within(60), async || {
        Ok(fleet.kube.get("Machine", "killed", "killed-1").await?.is_none().then_some(()))
    })
    .await?;
    second.stop().await?;
    let (intents, results) = (records(&second, "intent")?, records(&second, "result")?);
    ensure!(intents.len() == 2, "{intents:#?}");
    ensure!(results.len() == 1 && results[0]["intent"] == intents[1]["id"], "{results:#?}");
    ensure!(results[0]["result"] == "done", "{results:#?}");
    ensure!(deletions(&proxy) == 1, "{} deletions", deletions(&proxy));
    tells(
        &second,
        &["about to deleteMachine", "about to deleteMachine", "deleteMachine Machine killed/killed-1: done"],
    )?;
    tells(&second, &["no result is recorded"])?;
    Ok(String::new())
}

/// A disk that is full: nothing that needs a record is done, which is counted; when there is room again, it is.
pub async fn full(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "full").await?;
    let set = fleet.machine_set("full", None).await?;
    fleet.machine("full-1", None).await?;
    fleet.machine("full-2", Some(&set)).await?;
    fleet.health_check(1, json!({})).await?;
    let proxy = Proxy::start(&stage.kube, &stage.directory, "full", Rules::default()).await?;
    let arguments = ["--mode", "apply", "--kinds", "MachineHealthCheck", "--namespace", "full"];
    // Otherwise the signal that comes with the error would end the process.
    let mut host = Host::start_after("trap '' XFSZ", &proxy.kubeconfig, &stage.directory, "full", &arguments)?;
    for machine in ["full-1", "full-2"] {
        fleet.says("Machine", machine, "HealthCheckSucceeded", "True").await?;
    }
    // Room for the beginning of a record.
    host.limit_files(Some(std::fs::metadata(&host.decisions)?.len() + 10))?;
    for node in ["full-1", "full-2"] {
        fleet.node_is(node, "False").await?;
    }
    for what in ["deleteMachine", "apply"] {
        let metric = format!("capi_policy_writes_total{{what=\"{what}\",result=\"not recorded\"}}");
        eventually(&format!("{what} is not recorded"), within(60), async || {
            Ok((host.metric(&metric).await? > 0).then_some(()))
        })
        .await?;
    }
    ensure!(host.metric("capi_policy_log_failures_total").await? > 0, "the failures are not counted");
    ensure!(deletions(&proxy) == 0, "deleted without a record");
    let owned = fleet.kube.get("Machine", "full", "full-2").await?.unwrap_or_default();
    ensure!(said(&owned, "OwnerRemediated") == "-", "handed over without a record: {owned:#}");
    ensure!(host.get("/healthz").await?.0 == 200, "it is not alive");
    let before = host.decisions().context("half a record is left")?.len();

    host.limit_files(None)?;
    eventually("the machine is deleted", within(60), async || {
        Ok(fleet.kube.get("Machine", "full", "full-1").await?.is_none().then_some(()))
    })
    .await?;
    fleet.says("Machine", "full-2", "OwnerRemediated", "False").await?;
    host.stop().await?;
    let after = host.decisions()?.split_off(before);
    for (what, object) in [("deleteMachine", "full-1"), ("apply", "full-2")] {
        let about = |record: &&Value| {
            record["what"] == what && record["object"].as_str().is_some_and(|name| name.ends_with(object))
        };
        let kinds: Vec<_> = after.iter().filter(about).map(|record| record["record"].clone()).collect();
        ensure!(kinds == ["intent", "result"], "{what} {object}: {kinds:?}");
    }
    Ok(String::new())
}

fn records(host: &Host, kind: &str) -> Result<Vec<Value>> {
    let deletes = |record: &Value| record["record"] == kind && record["what"] == "deleteMachine";
    Ok(host.decisions()?.into_iter().filter(deletes).collect())
}

fn deletions(proxy: &Proxy) -> usize {
    proxy.rules.done().iter().filter(|done| done.method == "DELETE").count()
}

/// The history of the machine tells these, in this order.
fn tells(host: &Host, parts: &[&str]) -> Result<()> {
    let log = host.decisions.display().to_string();
    let (code, story, error) = command(&["history", "-f", &log, "killed/killed-1"])?;
    ensure!(code == Some(0), "{code:?} {error}");
    let mut rest = &*story;
    for part in parts {
        rest = rest.split_once(part).with_context(|| format!("no {part:?} in the rest of\n{story}"))?.1;
    }
    Ok(())
}
