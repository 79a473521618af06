//! The host is killed after every single write of remediations, before it has the answer; in the end all is as if it had
//! run without a break.

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::fleet::{Fleet, install_provider, transitioned};
use capi_policy_e2e::host::Host;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::scenario;
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::stored::{State, differences, settled, state};
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&[]).await?;
        let stage = Stage::new(&plane).await?;
        install_provider(&stage.kube).await?;
        let expected = undisturbed(&stage).await.context("without a break")?;
        let (lives, writes) = interrupted(&stage, &expected).await.context("killed after each write")?;
        println!("test restarts ... ok  {writes} writes in {lives} lives, in the end as in one");
        Ok(0)
    })
}

/// What happens to the machines, one step after the other: they run, their Nodes break, the Nodes are back.
const STEPS: [&str; 3] = ["", "False", "True"];

/// The state after each step.
async fn undisturbed(stage: &Stage) -> Result<Vec<State>> {
    let fleet = fleet(stage, "calm").await?;
    let mut host = host(stage, &stage.kubeconfig, "calm")?;
    let mut states = Vec::new();
    for step in STEPS {
        begin(&fleet, step).await?;
        reached(&fleet, step).await?;
        states.push(named(settled(&stage.kube, "calm").await?, "calm"));
    }
    host.stop().await?;
    Ok(states)
}

/// The same, with a host that lives for one write at a time. Counts lives and writes.
async fn interrupted(stage: &Stage, expected: &[State]) -> Result<(usize, usize)> {
    let fleet = fleet(stage, "shot").await?;
    let proxy = Proxy::start(&stage.kube, &stage.directory, "shot", Rules::default()).await?;
    let mut lives = 0;
    for (step, expected) in STEPS.into_iter().zip(expected) {
        begin(&fleet, step).await?;
        let seen = async || Ok::<_, anyhow::Error>(named(state(&stage.kube, "shot").await?, "shot"));
        let mut over = false;
        while !over {
            proxy.rules.allow_a_single_write();
            let mut host = host(stage, &proxy.kubeconfig, "shot")?;
            lives += 1;
            let next = eventually("another write, or the end of the step", within(60), async || {
                let over = seen().await? == *expected;
                Ok((over || proxy.rules.single_write_is_done()).then_some(over))
            });
            over = match next.await {
                Ok(over) => over,
                Err(error) => return Err(error.context(differences(expected, &seen().await?))),
            };
            host.kill()?;
        }
    }
    // One more life, in which there is nothing left to do about machines.
    proxy.rules.allow_writes();
    let mut last = host(stage, &proxy.kubeconfig, "shot")?;
    last.ready().await?;
    last.stop().await?;
    let end = named(settled(&stage.kube, "shot").await?, "shot");
    let expected = expected.last().context("no step")?;
    ensure!(end == *expected, "{}", differences(expected, &end));
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for done in proxy.rules.done() {
        let remediates = done.path.contains("/machines/") || done.path.contains("/testremediations");
        if done.method != "PATCH" && remediates {
            *times.entry(format!("{} {}", done.method, done.path)).or_default() += 1;
        }
    }
    ensure!(times.len() == 3 && times.values().all(|times| *times == 1), "{times:?}");
    every_deed_is_on_record(&last)?;
    let writes = proxy.rules.done().iter().filter(|done| !done.path.contains("/events")).count();
    Ok((lives + 1, writes))
}

/// A machine that nobody owns, one of a MachineSet, and one that somebody else remediates.
async fn fleet(stage: &Stage, name: &str) -> Result<Fleet> {
    let fleet = stage.fleet(name).await?;
    fleet.set_condition("Cluster", name, transitioned("InfrastructureReady", "True", "Ready")).await?;
    let set = fleet.machine_set(name, None).await?;
    let metadata = json!({ "name": "how", "namespace": name });
    let template = json!({ "kind": "TestRemediationTemplate", "metadata": metadata, "spec": { "template": {} } });
    fleet.kube.create(template).await?;
    for (machine, owner, by) in [("alone", None, "us"), ("owned", Some(&set), "us"), ("asked", Some(&set), "others")] {
        let machine = format!("{name}-{machine}");
        fleet.node(&machine).await?;
        fleet.machine_with(&machine, owner, json!({ "labels": { "by": by } }), Some(&machine)).await?;
    }
    let reference =
        json!({ "apiVersion": "remediation.test.capi-policy/v1", "kind": "TestRemediationTemplate", "name": "how" });
    for (by, remediation) in [("us", json!({})), ("others", json!({ "templateRef": reference }))] {
        let mut spec = json!({
            "clusterName": name,
            "selector": { "matchLabels": { "by": by } },
            "checks": { "unhealthyNodeConditions": [{ "type": "Ready", "status": "False", "timeoutSeconds": 1 }] },
        });
        if by == "others" {
            spec["remediation"] = remediation;
        }
        let metadata = json!({ "name": format!("{name}-{by}"), "namespace": name });
        fleet.kube.create(json!({ "kind": "MachineHealthCheck", "metadata": metadata, "spec": spec })).await?;
    }
    Ok(fleet)
}

async fn begin(fleet: &Fleet, ready: &str) -> Result<()> {
    for machine in ["alone", "owned", "asked"].into_iter().filter(|_| !ready.is_empty()) {
        fleet.node_is(&format!("{}-{machine}", fleet.name), ready).await?;
    }
    Ok(())
}

/// Waits until what a step leads to has happened.
async fn reached(fleet: &Fleet, step: &str) -> Result<()> {
    let name = |machine: &str| format!("{}-{machine}", fleet.name);
    let request = async |there: bool| {
        eventually("the request is there or not", within(60), async || {
            let found = fleet.kube.get("TestRemediation", &fleet.name, &name("asked")).await?;
            Ok((found.is_some() == there).then_some(()))
        })
        .await
    };
    if step == "False" {
        eventually("the machine that nobody owns is deleted", within(60), async || {
            Ok(fleet.kube.get("Machine", &fleet.name, &name("alone")).await?.is_none().then_some(()))
        })
        .await?;
        fleet.says("Machine", &name("owned"), "OwnerRemediated", "False").await?;
        return request(true).await;
    }
    request(false).await?;
    for machine in ["owned", "asked"] {
        fleet.says("Machine", &name(machine), "HealthCheckSucceeded", "True").await?;
    }
    Ok(())
}

fn host(stage: &Stage, kubeconfig: &Path, name: &str) -> Result<Host> {
    let arguments = ["--mode", "apply", "--kinds", "MachineHealthCheck", "--namespace", name];
    Host::start_terse(kubeconfig, &stage.directory, name, &arguments)
}

/// The state without the name of the fleet.
fn named(state: State, name: &str) -> State {
    let named = |text: String| text.replace(name, "NAME");
    let object = |(key, value): (String, Value)| (named(key), json!(named(value.to_string())));
    state.into_iter().map(object).collect()
}

/// Whatever was done has an intent; the results of most were lost with the process.
fn every_deed_is_on_record(host: &Host) -> Result<()> {
    let records = host.decisions()?;
    for what in ["deleteMachine", "createRemediationRequest", "deleteRemediationRequest"] {
        let intended = records.iter().any(|record| record["record"] == "intent" && record["what"] == what);
        ensure!(intended, "no record of {what}");
    }
    Ok(())
}
