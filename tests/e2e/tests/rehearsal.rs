//! Bad days on Cluster API's real controllers and in the simulator: the same machines are replaced, and remediation is blocked and released alike.

use anyhow::{Context, Result, ensure};
use capi_policy::time::Time;
use capi_policy_e2e::kube_objects::{Kube, condition};
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::scenario;
use capi_policy_e2e::upstream::{Upstream, profile};
use capi_policy_e2e::wait::{eventually, within};
use capi_policy_simulator::Scenario;
use capi_policy_simulator::day::Terms;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::ExitCode;

const NAMESPACE: &str = "default";
const MACHINES: usize = 4;
/// What a decision about the fleet reads.
const KINDS: &[&str] = &["Cluster", "MachineDeployment", "MachineSet", "Machine", "MachineHealthCheck"];

/// A bad day: how many machines fall silent for good, how many come back, and how many the health check lets be unhealthy.
struct Script {
    name: &'static str,
    die: usize,
    return_later: usize,
    limit: Value,
}

/// What can be seen of a day from outside. Which of several machines goes first depends on chance, so they are a set.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    blocked: bool,
    released: bool,
    replaced: BTreeSet<String>,
}

impl Seen {
    /// Blocked, released, and each machine that was there in the beginning.
    fn agreement(&self, other: &Self, machines: &[String]) -> (usize, usize) {
        let of_machines =
            machines.iter().filter(|name| self.replaced.contains(*name) == other.replaced.contains(*name));
        let blockage = usize::from(self.blocked == other.blocked) + usize::from(self.released == other.released);
        (of_machines.count() + blockage, machines.len() + 2)
    }
}

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&[]).await?;
        let mut upstream = Upstream::start(&plane).await?;
        let kube = plane.kube().await?;
        let scripts = [
            Script { name: "one", die: 1, return_later: 0, limit: json!(1) },
            Script { name: "toomany", die: 2, return_later: 0, limit: json!(1) },
            Script { name: "released", die: 1, return_later: 1, limit: json!(1) },
            Script { name: "all", die: MACHINES, return_later: 0, limit: json!("100%") },
        ];
        let (mut agree, mut all, mut failed) = (0, 0, 0);
        for script in &scripts {
            upstream.create_fleet(&format!("{} {MACHINES}", script.name)).await?;
            let (real, simulated, machines) = play(&kube, script).await.with_context(|| script.name)?;
            let (same, events) = real.agreement(&simulated, &machines);
            println!("{}: {same} of {events} events agree", script.name);
            if real != simulated {
                println!("  real {real:?}\n  simulated {simulated:?}");
                failed += 1;
            }
            (agree, all) = (agree + same, all + events);
        }
        println!("{agree} of {all} events agree");
        upstream.stop().await?;
        Ok(failed)
    })
}

async fn play(kube: &Kube, script: &Script) -> Result<(Seen, Seen, Vec<String>)> {
    let cluster = script.name;
    kube.create(health_check(script)).await?;
    eventually("the health check has looked", within(60), async || {
        let check = kube.get("MachineHealthCheck", NAMESPACE, cluster).await?.unwrap_or_default();
        Ok((check["status"]["currentHealthy"] == MACHINES).then_some(()))
    })
    .await?;
    let objects = capture(kube, cluster).await?;
    let mut machines: Vec<_> = objects.iter().filter(|object| object["kind"] == "Machine").map(name).collect();
    machines.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    let simulated = simulate(script, &objects, &machines)?;
    let real = happen(kube, script, &machines, &simulated).await?;
    Ok((real, simulated, machines))
}

fn simulate(script: &Script, objects: &[Value], machines: &[String]) -> Result<Seen> {
    let mut incidents = vec![json!({ "machinesFail": { "at": "1m", "of": deployment(script), "count": script.die } })];
    if script.return_later > 0 {
        let count = script.return_later;
        incidents
            .push(json!({ "machinesFail": { "at": "1m", "for": "2m", "of": deployment(script), "count": count } }));
    }
    let mut scenario = Scenario::read(&json!({
        "horizon": "10m", "profile": profile(), "incidents": incidents,
        "infrastructure": { "boot": "5s", "drain": "1s", "nodeGrace": "0s" },
    }))?;
    let created = objects.iter().filter_map(|object| Time::parse(object["metadata"]["creationTimestamp"].as_str()?));
    scenario.start = created.max().context("no object")?.plus(60);
    let day = Terms { scenario: &scenario, given: Some(objects), events: true }.day(1)?;
    let deleted = day.events.iter().filter(|event| event.what.ends_with(" deleted"));
    let replaced = deleted.map(|event| event.machine.clone()).filter(|machine| machines.contains(machine)).collect();
    let released = day.blocked.iter().any(|blocked| blocked.until.is_some());
    Ok(Seen { blocked: !day.blocked.is_empty(), released, replaced })
}

/// Lets it happen. How long to look is what the simulation says must happen; what must not happen is seen at the end.
async fn happen(kube: &Kube, script: &Script, machines: &[String], expected: &Seen) -> Result<Seen> {
    let broken = machines.get(..script.die + script.return_later).context("too few machines")?;
    for machine in broken {
        node_is(kube, machine, "Unknown").await?;
    }
    let blocked = if expected.blocked {
        // While remediation is not allowed Cluster API does not look again at a deadline, only when something changes.
        let mut turn = 0;
        eventually("remediation is blocked", within(60), async || {
            turn += 1;
            let touched = json!({ "metadata": { "annotations": { "test.capi-policy/turn": turn.to_string() } } });
            let check = kube.patch("MachineHealthCheck", NAMESPACE, script.name, touched).await?;
            let mut unhealthy = true;
            for machine in broken {
                let machine = kube.get("Machine", NAMESPACE, machine).await?.unwrap_or_default();
                unhealthy &= is_false(&machine, "HealthCheckSucceeded");
            }
            Ok((unhealthy && is_false(&check, "RemediationAllowed")).then_some(()))
        })
        .await?;
        true
    } else {
        false
    };
    for machine in broken.iter().skip(script.die) {
        node_is(kube, machine, "True").await?;
    }
    eventually("as many machines are replaced as in the simulation", within(90), async || {
        Ok((gone(kube, machines).await?.len() >= expected.replaced.len()).then_some(()))
    })
    .await?;
    let is_released = async || {
        let check = kube.get("MachineHealthCheck", NAMESPACE, script.name).await?.context("no health check")?;
        anyhow::Ok(blocked && !is_false(&check, "RemediationAllowed"))
    };
    if expected.released {
        // The health check's own status is written after its machines'.
        eventually("remediation is released", within(60), async || Ok(is_released().await?.then_some(()))).await?;
    }
    Ok(Seen { blocked, released: is_released().await?, replaced: gone(kube, machines).await? })
}

async fn gone(kube: &Kube, machines: &[String]) -> Result<BTreeSet<String>> {
    let mut gone = BTreeSet::new();
    for machine in machines {
        let stored = kube.get("Machine", NAMESPACE, machine).await?;
        if stored.is_none_or(|machine| machine["metadata"]["deletionTimestamp"].is_string()) {
            gone.insert(machine.clone());
        }
    }
    Ok(gone)
}

/// The objects of a cluster, as they are.
async fn capture(kube: &Kube, cluster: &str) -> Result<Vec<Value>> {
    let mut objects = Vec::new();
    for kind in KINDS {
        for mut object in kube.list(kind, NAMESPACE).await? {
            if object["spec"]["clusterName"] != cluster && name(&object) != cluster {
                continue;
            }
            object["kind"] = json!(kind);
            object["apiVersion"] = json!("cluster.x-k8s.io/v1beta2");
            objects.push(object);
        }
    }
    let named: Vec<_> = objects.iter().map(|object| object["status"]["nodeRef"]["name"].clone()).collect();
    for mut node in kube.list("Node", "").await? {
        if named.contains(&node["metadata"]["name"]) {
            node["kind"] = json!("Node");
            node["apiVersion"] = json!("v1");
            objects.push(node);
        }
    }
    ensure!(objects.len() > MACHINES * 2, "{} objects", objects.len());
    Ok(objects)
}

fn name(object: &Value) -> String {
    object["metadata"]["name"].as_str().unwrap_or_default().to_owned()
}

fn deployment(script: &Script) -> String {
    format!("{}-workers", script.name)
}

fn is_false(object: &Value, kind: &str) -> bool {
    condition(object, kind).is_some_and(|condition| condition["status"] == "False")
}

fn health_check(script: &Script) -> Value {
    json!({
        "kind": "MachineHealthCheck",
        "metadata": { "name": script.name, "namespace": NAMESPACE },
        "spec": {
            "clusterName": script.name,
            "selector": { "matchLabels": { "test.capi-policy/pool": "workers" } },
            "checks": {
                "nodeStartupTimeoutSeconds": 600,
                "unhealthyNodeConditions": [{ "type": "Ready", "status": "Unknown", "timeoutSeconds": 2 }],
            },
            "remediation": { "triggerIf": { "unhealthyLessThanOrEqualTo": script.limit } },
        },
    })
}

/// A strategic merge: a Node has more conditions than this one.
async fn node_is(kube: &Kube, name: &str, ready: &str) -> Result<()> {
    let conditions = json!([capi_policy_e2e::fleet::transitioned("Ready", ready, "Test")]);
    let patch = kube::api::Patch::Strategic(json!({ "status": { "conditions": conditions } }));
    kube.api("Node", "")?.patch_status(name, &kube::api::PatchParams::default(), &patch).await?;
    Ok(())
}
