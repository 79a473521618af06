//! The decision log and the story it tells; a capture and what opens it.

use super::host;
use anyhow::{Context, Result, ensure};
use capi_policy_e2e::fleet::Fleet;
use capi_policy_e2e::host::{Host, command};
use capi_policy_e2e::kube_objects::condition;
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Large enough for any one record here, small enough to be full soon.
const MAX_BYTES: u64 = 40_000;
/// As many as the host keeps.
const OLD_FILES: usize = 5;

/// Why was this machine deleted? Asked when machine and host are gone.
pub async fn history(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("story").await?;
    fleet.machine("story-1", None).await?;
    fleet.health_check(600, json!({})).await?;
    let mut host = host(&stage, &stage.kubeconfig, "story", &[])?;
    fleet.says("Machine", "story-1", "HealthCheckSucceeded", "True").await?;
    fleet.node_is("story-1", "False").await?;
    fleet.says("Machine", "story-1", "HealthCheckSucceeded", "Unknown WaitingForRecovery").await?;
    let soon = json!([{ "type": "Ready", "status": "False", "timeoutSeconds": 1 }]);
    let checks = json!({ "spec": { "checks": { "unhealthyNodeConditions": soon } } });
    fleet.kube.patch("MachineHealthCheck", "story", "story", checks).await?;
    eventually("the machine is deleted", within(60), async || {
        Ok(fleet.kube.get("Machine", "story", "story-1").await?.is_none().then_some(()))
    })
    .await?;
    host.stop().await?;

    let story = story(&host.decisions, "story/story-1")?;
    let mut rest = &*story;
    for said in [
        "Machine story/story-1\n",
        "judged healthy by row MHC-",
        "judged waiting",
        "unhealthy from",
        "judged unhealthy",
        "remediation allowed: 1 of 1 machines not healthy",
        "HealthCheckSucceeded: False UnhealthyNode",
        "deleteMachine Machine story/story-1: done",
    ] {
        let at = rest.find(said).with_context(|| format!("no {said:?} in the rest of\n{story}"))?;
        rest = &rest[at + said.len()..];
    }
    let (code, _, error) = command(&["history", "-f", text(&host.decisions), "story-2"])?;
    ensure!(code == Some(2) && error.contains("no decision about machine story-2"), "{code:?} {error}");
    Ok(format!("{} lines", story.lines().count()))
}

fn story(log: &Path, machine: &str) -> Result<String> {
    let (code, story, error) = command(&["history", "-f", text(log), machine])?;
    ensure!(code == Some(0), "{code:?} {error}");
    Ok(story)
}

/// Old files stay, and `history` reads them; the oldest goes.
pub async fn rotated(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("rotates").await?;
    let set = fleet.machine_set("rotates", None).await?;
    fleet.machine("rotates-1", Some(&set)).await?;
    fleet.health_check(600, json!({})).await?;
    let max_bytes = MAX_BYTES.to_string();
    let mut host = host(&stage, &stage.kubeconfig, "rotates", &["--decision-log-max-bytes", &max_bytes])?;
    fleet.says("Machine", "rotates-1", "HealthCheckSucceeded", "True").await?;
    let first = host.decisions()?.first().context("no decision")?["id"].clone();
    let log = host.decisions.clone();
    let old = |number: usize| PathBuf::from(format!("{}.{number}", log.display()));

    let mut changes = 0;
    while !old(1).exists() {
        changes += change(&fleet).await?;
    }
    let told = story(&host.decisions, "rotates-1")?;
    ensure!(told.contains("judged healthy"), "the story starts late:\n{told}");
    while ids(&old(OLD_FILES)).is_empty() || files(&host).iter().any(|file| ids(file).contains(&first)) {
        changes += change(&fleet).await?;
    }
    host.stop().await?;
    let files = files(&host);
    ensure!(files.len() == OLD_FILES + 1 && !old(OLD_FILES + 1).exists(), "{files:?}");
    for file in &files {
        let content = std::fs::read_to_string(file)?;
        ensure!(content.len() as u64 <= MAX_BYTES, "{} has {} bytes", file.display(), content.len());
        ensure!(content.ends_with('\n'), "{} ends in the middle of a line", file.display());
        ensure!(ids(file).len() == content.lines().count(), "{} has lines that are no records", file.display());
    }
    story(&host.decisions, "rotates-1")?;
    Ok(format!("{changes} changes"))
}

async fn change(fleet: &Fleet) -> Result<usize> {
    let machine = format!("{}-1", fleet.name);
    fleet.node_is(&machine, "False").await?;
    fleet.says("Machine", &machine, "HealthCheckSucceeded", "Unknown WaitingForRecovery").await?;
    fleet.node_is(&machine, "True").await?;
    fleet.says("Machine", &machine, "HealthCheckSucceeded", "True").await?;
    Ok(2)
}

/// The log's files that are there.
fn files(host: &Host) -> Vec<PathBuf> {
    let old = (1..=OLD_FILES).map(|number| PathBuf::from(format!("{}.{number}", host.decisions.display())));
    old.chain([host.decisions.clone()]).filter(|file| file.exists()).collect()
}

fn ids(file: &Path) -> Vec<Value> {
    let content = std::fs::read_to_string(file).unwrap_or_default();
    let records = content.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    records.map(|record| record["id"].clone()).filter(Value::is_string).collect()
}

/// What is decided from the file is what the cluster says, and the file gives nothing away.
pub async fn capture(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("captured").await?;
    let template = json!({ "name": "how", "namespace": "captured" });
    let content = json!({ "template": { "spec": { "how": "gently" } } });
    fleet.kube.create(json!({ "kind": "TestRemediationTemplate", "metadata": template, "spec": content })).await?;
    let set = fleet.machine_set("captured", None).await?;
    for number in 1..=3 {
        fleet.machine(&format!("captured-{number}"), Some(&set)).await?;
    }
    let reference =
        json!({ "apiVersion": "remediation.test.capi-policy/v1", "kind": "TestRemediationTemplate", "name": "how" });
    fleet.health_check(1, json!({ "templateRef": reference })).await?;
    let mut host = host(&stage, &stage.kubeconfig, "captured", &[])?;
    fleet.says("Machine", "captured-1", "HealthCheckSucceeded", "True").await?;
    fleet.node_is("captured-1", "False").await?;
    eventually("there is a request", within(60), async || {
        fleet.kube.get("TestRemediation", "captured", "captured-1").await
    })
    .await?;
    // The host stops when all is said, so what is stored is what it decided last.
    let mut last = Value::Null;
    eventually("nothing more to say", within(60), async || {
        let differences = host.differences().await?["differences"].clone();
        let now = json!(fleet.kube.list("Machine", "captured").await?);
        let same = differences == json!([]) && now == std::mem::replace(&mut last, now.clone());
        Ok(same.then_some(()))
    })
    .await?;
    host.stop().await?;

    let file = stage.directory.join("captured.yaml");
    let kubeconfig = text(&stage.kubeconfig);
    let arguments = ["capture", "--cluster", "captured", "-n", "captured", "--kubeconfig", kubeconfig];
    let (code, _, error) = command(&[&arguments[..], &["-o", text(&file)]].concat())?;
    ensure!(code == Some(0), "{code:?} {error}");
    let content = std::fs::read_to_string(&file)?;
    for secret in ["kind: Secret", "managedFields", "client-key", "certificate-authority", "token:", "127.0.0.1"] {
        ensure!(!content.contains(secret), "{secret} in\n{content}");
    }
    for kind in ["Cluster", "MachineSet", "Machine", "MachineHealthCheck", "TestRemediationTemplate", "TestRemediation"]
    {
        ensure!(content.contains(&format!("kind: {kind}\n")), "no {kind} in\n{content}");
    }
    ensure!(content.matches("kind: Node\n").count() == 3, "not the three Nodes of this cluster in\n{content}");

    let (code, decided, error) = command(&["evaluate", "-f", text(&file), "-o", "json"])?;
    ensure!(code == Some(0), "{code:?} {error}");
    let compared = as_stored(&fleet, &serde_json::from_str(&decided)?).await?;
    let (code, explained, error) = command(&["explain", "-f", text(&file), "mhc/captured"])?;
    ensure!(code == Some(0) && explained.contains("captured-1"), "{code:?} {error}\n{explained}");
    let policy = std::env::var("CAPI_POLICY").context("CAPI_POLICY names the policy")?;
    let (code, same, error) = command(&["diff", "--policy", &policy, "--policy", &policy, "-f", text(&file)])?;
    ensure!(code == Some(0), "{code:?} {error}\n{same}");
    let (code, _, error) = command(&["capture", "--cluster", "nobody", "--kubeconfig", kubeconfig, "-o", "-"])?;
    ensure!(code == Some(2) && error.contains("no Cluster default/nobody"), "{code:?} {error}");
    Ok(format!("{compared} conditions decided from the file as on the cluster"))
}

/// Every condition that a health check decides about its machines is what they say.
async fn as_stored(fleet: &Fleet, decided: &Value) -> Result<usize> {
    let evaluations = decided.as_array().context("no list")?;
    let check = evaluations.iter().find(|e| e["kind"] == "MachineHealthCheck").context("no health check")?;
    let mut compared = 0;
    for judged in check["machines"].as_array().context("no machines")? {
        let name = judged["name"].as_str().unwrap_or_default();
        let machine = fleet.kube.get("Machine", &fleet.name, name).await?.unwrap_or_default();
        for decided in judged["conditions"].as_array().into_iter().flatten() {
            let kind = decided["type"].as_str().unwrap_or_default();
            let stored = condition(&machine, kind).with_context(|| format!("{name} has no {kind}"))?;
            for field in ["status", "reason", "message"] {
                ensure!(decided[field].as_str().unwrap_or_default() == stored[field], "{name}: {decided} and {stored}");
            }
            compared += 1;
        }
    }
    ensure!(compared >= 3, "only {compared} conditions in {check:#}");
    Ok(compared)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap_or_default()
}
