//! The real controllers run, the host observes, a fleet lives: after each step both say the same.

#[path = "side_by_side/tally.rs"]
mod tally;

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::host::{self, Host};
use capi_policy_e2e::kube_objects::{Kube, condition};
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::scenario;
use capi_policy_e2e::upstream::{Upstream, install_inventory, profile};
use capi_policy_e2e::wait::{eventually, now, within};
use serde_json::{Value, json};
use std::process::ExitCode;
use std::time::Duration;
use tally::Tally;

const KINDS: &[&str] = &[
    "Cluster",
    "KubeadmControlPlane",
    "MachineDeployment",
    "MachineSet",
    "MachinePool",
    "Machine",
    "MachineHealthCheck",
    "Node",
];
const NAMESPACE: &str = "default";
/// How long nothing moves when all has been said.
const QUIET: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    scenario::main(async {
        let mut plane = Plane::start(&[]).await?;
        let mut upstream = Upstream::start(&plane).await?;
        let result = life(&mut plane, &mut upstream).await;
        upstream.stop().await?;
        result.map(|()| 0)
    })
}

async fn life(plane: &mut Plane, upstream: &mut Upstream) -> Result<()> {
    let kube = plane.kube().await?;
    refuses_to_apply(plane)?;
    install_inventory(&kube, NAMESPACE).await?;
    let host = Host::start(&plane.kubeconfig, plane.directory(), "observer", &["--profile", "auto"])?;
    let mut tally = Tally::default();

    upstream.create_fleet("one 3 pool=2").await?;
    upstream.create_fleet("two 1 control-plane=3").await?;
    host.ready().await?;
    agree(&host, &kube, &mut tally, "two fleets run").await?;

    let scheduler = component_fails(&kube, "two").await?;
    agree(&host, &kube, &mut tally, "a scheduler crashes").await?;
    scheduler_is(&kube, &scheduler, true).await?;
    components_are(&kube, "two", "True").await?;
    agree(&host, &kube, &mut tally, "the scheduler is back").await?;

    kube.create(health_check("one")).await?;
    eventually("the health check has looked", within(60), async || {
        let check = kube.get("MachineHealthCheck", NAMESPACE, "one").await?.unwrap_or_default();
        Ok((check["status"]["currentHealthy"] == 3).then_some(()))
    })
    .await?;
    agree(&host, &kube, &mut tally, "a health check watches").await?;

    scale(&kube, 4).await?;
    running(&kube, "one", 4).await?;
    agree(&host, &kube, &mut tally, "scaled up").await?;

    scale(&kube, 3).await?;
    running(&kube, "one", 3).await?;
    agree(&host, &kube, &mut tally, "scaled down").await?;

    let template =
        json!({ "template": { "metadata": { "labels": { "rollout": "1" } }, "spec": { "version": "v1.36.4" } } });
    kube.patch("MachineDeployment", NAMESPACE, "one-workers", json!({ "spec": template })).await?;
    rolled_out(&kube, 3).await?;
    agree(&host, &kube, &mut tally, "rolled out").await?;

    let broken = machines(&kube, "one").await?.into_iter().next().context("no machine")?;
    break_node(&kube, &broken).await?;
    eventually("the machine is replaced", within(120), async || {
        Ok(kube.get("Machine", NAMESPACE, &broken).await?.is_none().then_some(()))
    })
    .await?;
    running(&kube, "one", 3).await?;
    agree(&host, &kube, &mut tally, "a machine was remediated").await?;

    for machine in machines(&kube, "one").await? {
        break_node(&kube, &machine).await?;
    }
    // While remediation is not allowed Cluster API does not look again at a deadline, only when something changes.
    let mut turn = 0;
    eventually("too many are unhealthy", within(120), async || {
        turn += 1;
        let touched = json!({ "metadata": { "annotations": { "test.capi-policy/turn": turn.to_string() } } });
        let check = kube.patch("MachineHealthCheck", NAMESPACE, "one", touched).await?;
        let no = |object: &Value, kind: &str| condition(object, kind).is_some_and(|c| c["status"] == "False");
        let unhealthy = of_cluster(&kube, "one").await?.iter().all(|machine| no(machine, "HealthCheckSucceeded"));
        Ok((unhealthy && no(&check, "RemediationAllowed")).then_some(()))
    })
    .await?;
    agree(&host, &kube, &mut tally, "too many machines are unhealthy").await?;

    kube.patch("Cluster", NAMESPACE, "one", json!({ "spec": { "paused": true } })).await?;
    eventually("the cluster is paused", within(60), async || {
        let check = kube.get("MachineHealthCheck", NAMESPACE, "one").await?.unwrap_or_default();
        Ok(condition(&check, "Paused").is_some_and(|c| c["status"] == "True").then_some(()))
    })
    .await?;
    agree(&host, &kube, &mut tally, "paused").await?;

    kube.patch("Cluster", NAMESPACE, "one", json!({ "spec": { "paused": false } })).await?;
    for machine in machines(&kube, "one").await? {
        node_is(&kube, &machine, "True").await?;
    }
    eventually("all are healthy again", within(120), async || {
        let check = kube.get("MachineHealthCheck", NAMESPACE, "one").await?.unwrap_or_default();
        Ok((check["status"]["currentHealthy"] == 3).then_some(()))
    })
    .await?;
    agree(&host, &kube, &mut tally, "recovered").await?;

    kube.delete("MachineDeployment", NAMESPACE, "one-workers").await?;
    eventually("the machines are gone", within(120), async || {
        Ok(machines(&kube, "one").await?.is_empty().then_some(()))
    })
    .await?;
    agree(&host, &kube, &mut tally, "the MachineDeployment is deleted").await?;

    kube.delete("Cluster", NAMESPACE, "one").await?;
    eventually("the cluster is gone", within(120), async || {
        Ok(kube.get("Cluster", NAMESPACE, "one").await?.is_none().then_some(()))
    })
    .await?;
    agree(&host, &kube, &mut tally, "the cluster is deleted").await?;
    for decision in host.decisions()? {
        ensure!(decision["profile"] == profile(), "decided by other rules than {}: {decision:#}", profile());
    }
    owner_steps(&host).await?;
    tally.check()?;
    println!("{}: {tally}, 0 differences", profile());
    Ok(())
}

/// What the owners of machines did was predicted, where there was time to; nothing else was.
async fn owner_steps(host: &Host) -> Result<()> {
    let (_, metrics) = host.get("/metrics").await?;
    let lines: Vec<&str> = metrics.lines().filter(|line| line.starts_with("capi_policy_owner_steps_total{")).collect();
    println!("{}", lines.join("\n"));
    let has_owner_actions = profile() != "cluster-api-v1.13";
    let came_true = lines.iter().any(|line| line.contains("result=\"came_true\""));
    ensure!(came_true == has_owner_actions, "nothing that was predicted came true");
    Ok(())
}

/// Where nobody says which release is installed, decisions are applied only by rules that were named.
fn refuses_to_apply(plane: &Plane) -> Result<()> {
    let kubeconfig = plane.kubeconfig.display().to_string();
    let (code, _, said) = host::command(&["watch", "--mode", "apply", "--kubeconfig", &kubeconfig])?;
    ensure!(
        code == Some(2) && said.contains("found no version") && said.contains("--profile cluster-api-v1.13"),
        "{said}"
    );
    Ok(())
}

/// Waits until nothing moves any more, for long enough that the host has seen the last move, and it sees no difference.
async fn agree(host: &Host, kube: &Kube, tally: &mut Tally, step: &str) -> Result<()> {
    let (mut last, mut since) = ((Vec::new(), Value::Null), now());
    let report = eventually(&format!("no difference after: {step}"), within(60), async || {
        let seen = (versions(kube).await?, host.differences().await?);
        if seen != last {
            (last, since) = (seen, now());
        }
        let agreed = last.1["differences"] == json!([]) && last.1["compared"] != 0;
        Ok((agreed && since.elapsed() > QUIET).then(|| last.1.clone()))
    })
    .await
    .with_context(|| format!("{:#}", last.1["differences"]))?;
    println!(
        "after {step:?}: {} objects, {} compared, {} not compared, 0 differences",
        report["objects"], report["compared"], report["notCompared"]
    );
    tally.add(&report);
    Ok(())
}

/// Lets the static Pod of a scheduler crash, and waits until its control plane says so. The answer is the Pod.
async fn component_fails(kube: &Kube, cluster: &str) -> Result<String> {
    let pods = kube.list("Pod", "kube-system").await?;
    let of_cluster = |pod: &&Value| pod["metadata"]["labels"]["cluster.x-k8s.io/cluster-name"] == cluster;
    let names = pods.iter().filter(of_cluster).filter_map(|pod| pod["metadata"]["name"].as_str());
    let scheduler = names.into_iter().find(|name| name.starts_with("kube-scheduler-")).context("no scheduler")?;
    scheduler_is(kube, scheduler, false).await?;
    components_are(kube, cluster, "False").await?;
    Ok(scheduler.to_owned())
}

async fn scheduler_is(kube: &Kube, pod: &str, ready: bool) -> Result<()> {
    let time = |condition: &Value| condition["lastTransitionTime"].clone();
    let condition = capi_policy_e2e::fleet::transitioned("Ready", if ready { "True" } else { "False" }, "Test");
    let conditions =
        json!([{ "type": "Ready", "status": condition["status"], "lastTransitionTime": time(&condition) }]);
    let crashed = json!({
        "name": "kube-scheduler", "image": "kube-scheduler", "imageID": "", "ready": false, "restartCount": 1,
        "state": { "waiting": { "reason": "CrashLoopBackOff" } },
        "lastState": { "terminated": { "exitCode": 1, "reason": "Error" } },
    });
    let statuses = if ready { json!([]) } else { json!([crashed]) };
    kube.patch_status("Pod", "kube-system", pod, json!({ "conditions": conditions, "containerStatuses": statuses }))
        .await?;
    Ok(())
}

/// Waits for what a control plane says about its components. Cluster API does not watch Pods: it looks when something changes.
async fn components_are(kube: &Kube, cluster: &str, status: &str) -> Result<()> {
    let mut turn = 0;
    eventually(&format!("components are healthy: {status}"), within(60), async || {
        turn += 1;
        let touched = json!({ "metadata": { "annotations": { "test.capi-policy/turn": turn.to_string() } } });
        let object = kube.patch("KubeadmControlPlane", NAMESPACE, cluster, touched).await?;
        let components = condition(&object, "ControlPlaneComponentsHealthy");
        Ok(components.is_some_and(|condition| condition["status"] == status).then_some(()))
    })
    .await
}

/// The version of everything that a decision reads.
async fn versions(kube: &Kube) -> Result<Vec<Value>> {
    let mut versions = Vec::new();
    for kind in KINDS {
        versions
            .extend(kube.list(kind, "").await?.into_iter().map(|object| object["metadata"]["resourceVersion"].clone()));
    }
    Ok(versions)
}

fn health_check(cluster: &str) -> Value {
    json!({
        "kind": "MachineHealthCheck",
        "metadata": { "name": cluster, "namespace": NAMESPACE },
        "spec": {
            "clusterName": cluster,
            "selector": { "matchLabels": { "test.capi-policy/pool": "workers" } },
            "checks": {
                "nodeStartupTimeoutSeconds": 600,
                "unhealthyNodeConditions": [{ "type": "Ready", "status": "False", "timeoutSeconds": 2 }],
            },
            "remediation": { "triggerIf": { "unhealthyLessThanOrEqualTo": 1 } },
        },
    })
}

async fn scale(kube: &Kube, replicas: i64) -> Result<()> {
    kube.patch("MachineDeployment", NAMESPACE, "one-workers", json!({ "spec": { "replicas": replicas } })).await?;
    Ok(())
}

async fn of_cluster(kube: &Kube, cluster: &str) -> Result<Vec<Value>> {
    let all = kube.list("Machine", NAMESPACE).await?;
    Ok(all.into_iter().filter(|machine| machine["spec"]["clusterName"] == cluster).collect())
}

async fn machines(kube: &Kube, cluster: &str) -> Result<Vec<String>> {
    let names = of_cluster(kube, cluster).await?;
    Ok(names.iter().filter_map(|machine| machine["metadata"]["name"].as_str().map(str::to_owned)).collect())
}

async fn running(kube: &Kube, cluster: &str, number: usize) -> Result<()> {
    eventually(&format!("{number} machines run"), within(120), async || {
        let all = of_cluster(kube, cluster).await?;
        Ok((all.len() == number && all.iter().all(|machine| machine["status"]["phase"] == "Running")).then_some(()))
    })
    .await
}

async fn rolled_out(kube: &Kube, number: usize) -> Result<()> {
    eventually("every machine is new", within(180), async || {
        let all = of_cluster(kube, "one").await?;
        let new = |machine: &Value| machine["spec"]["version"] == "v1.36.4" && machine["status"]["phase"] == "Running";
        Ok((all.len() == number && all.iter().all(new)).then_some(()))
    })
    .await
}

async fn break_node(kube: &Kube, name: &str) -> Result<()> {
    node_is(kube, name, "False").await
}

/// A strategic merge: a Node has more conditions than this one.
async fn node_is(kube: &Kube, name: &str, ready: &str) -> Result<()> {
    let conditions = json!([capi_policy_e2e::fleet::transitioned("Ready", ready, "Test")]);
    let patch = kube::api::Patch::Strategic(json!({ "status": { "conditions": conditions } }));
    kube.api("Node", "")?.patch_status(name, &kube::api::PatchParams::default(), &patch).await?;
    Ok(())
}
