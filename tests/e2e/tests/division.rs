//! What `deploy/README.md` says about the host beside Cluster API's own controllers: these with a watch filter that
//! everything but the health checks carries, and the host in apply mode for the health checks.

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::host::Host;
use capi_policy_e2e::kube_objects::{Kube, condition};
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::scenario;
use capi_policy_e2e::upstream::{Upstream, profile};
use capi_policy_e2e::wait::{eventually, now, within};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Duration;

const NAMESPACE: &str = "default";
const STOCK: &str = "stock";
const OURS: &str = "capi-policy-machinehealthcheck";
/// How long nothing is written when all is over.
const QUIET: Duration = Duration::from_secs(2);

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&[]).await?;
        let mut upstream = Upstream::start_with(&plane, &["--watch-filter", STOCK]).await?;
        let result = remediation(&plane, &mut upstream).await;
        upstream.stop().await?;
        println!("test division ... ok  {}", result?);
        Ok(0)
    })
}

/// A Node breaks: its machine is replaced, once, no other is, and in the end nobody writes against anybody. Cluster API's
/// controller decides about the health check as well: changes of Machines lead it there, whatever the filter.
async fn remediation(plane: &Plane, upstream: &mut Upstream) -> Result<String> {
    let kube = plane.kube().await?;
    upstream.create_fleet(&format!("one 3 watch-filter={STOCK}")).await?;
    let profile = profile();
    let arguments = ["--mode", "apply", "--kinds", "MachineHealthCheck", "--profile", &profile];
    let mut host = Host::start(&plane.kubeconfig, plane.directory(), "division", &arguments)?;
    host.ready().await?;
    kube.create(json!({
        "kind": "MachineHealthCheck",
        "metadata": { "name": "one", "namespace": NAMESPACE },
        "spec": {
            "clusterName": "one",
            "selector": { "matchLabels": { "test.capi-policy/pool": "workers" } },
            "checks": {
                "nodeStartupTimeoutSeconds": 600,
                "unhealthyNodeConditions": [{ "type": "Ready", "status": "False", "timeoutSeconds": 1 }],
            },
        },
    }))
    .await?;
    counted(&kube, 3).await?;
    let before = machines(&kube).await?;
    let broken = before.first().context("no machine")?.clone();
    let uid = kube.get("Machine", NAMESPACE, &broken).await?.context("no machine")?["metadata"]["uid"].clone();
    let conditions = json!([capi_policy_e2e::fleet::transitioned("Ready", "False", "Test")]);
    let patch = kube::api::Patch::Strategic(json!({ "status": { "conditions": conditions } }));
    kube.api("Node", "")?.patch_status(&broken, &kube::api::PatchParams::default(), &patch).await?;
    eventually("the machine is replaced", within(120), async || {
        let machine = kube.get("Machine", NAMESPACE, &broken).await?;
        Ok(machine.is_none_or(|machine| machine["metadata"]["uid"] != uid).then_some(()))
    })
    .await?;
    eventually("three machines run", within(120), async || {
        let all = kube.list("Machine", NAMESPACE).await?;
        Ok((all.len() == 3 && all.iter().all(|machine| machine["status"]["phase"] == "Running")).then_some(()))
    })
    .await?;
    counted(&kube, 3).await?;

    for machine in kube.list("Machine", NAMESPACE).await? {
        ensure!(condition(&machine, "HealthCheckSucceeded").is_some(), "nobody checks the machine: {machine:#}");
        ensure!(condition(&machine, "Ready").is_some(), "nobody looks after the machine: {machine:#}");
        let replaced = machine["metadata"]["uid"] == uid;
        ensure!(!replaced, "it is still there: {machine:#}");
    }
    let known: BTreeSet<String> = before.difference(&[broken.clone()].into()).cloned().collect();
    let there = machines(&kube).await?;
    ensure!(there.is_superset(&known), "more than {broken} was replaced: {before:?}, then {there:?}");
    at_rest(&host).await?;
    let check = kube.get("MachineHealthCheck", NAMESPACE, "one").await?.context("no health check")?;
    let conflicts = host.metric("capi_policy_writer_conflicts_total{").await?;
    host.stop().await?;
    let writers = status_writers(&check);
    ensure!(writers.contains(OURS), "only {writers:?} write about the health check");
    Ok(format!("{broken} was replaced; about the health check write {writers:?}, {conflicts} conflicts"))
}

/// Two controllers that agree come to rest.
async fn at_rest(host: &Host) -> Result<()> {
    let (mut last, mut since) = (u64::MAX, now());
    eventually("nobody writes any more", within(60), async || {
        let writes = host.metric("capi_policy_writes_total{").await?;
        if writes != last {
            (last, since) = (writes, now());
        }
        Ok((since.elapsed() > QUIET).then_some(()))
    })
    .await
}

async fn counted(kube: &Kube, healthy: i64) -> Result<()> {
    eventually(&format!("the health check counts {healthy}"), within(60), async || {
        let check = kube.get("MachineHealthCheck", NAMESPACE, "one").await?.unwrap_or_default();
        let status = &check["status"];
        Ok((status["currentHealthy"] == healthy && status["expectedMachines"] == healthy).then_some(()))
    })
    .await
}

async fn machines(kube: &Kube) -> Result<BTreeSet<String>> {
    let names = kube.list("Machine", NAMESPACE).await?;
    Ok(names.iter().filter_map(|machine| machine["metadata"]["name"].as_str().map(str::to_owned)).collect())
}

/// Who has written the status of an object, as the server remembers.
fn status_writers(object: &Value) -> BTreeSet<String> {
    let fields = object["metadata"]["managedFields"].as_array().into_iter().flatten();
    let of = fields.filter(|entry| entry["fieldsV1"]["f:status"].is_object());
    of.filter_map(|entry| entry["manager"].as_str().map(str::to_owned)).collect()
}
