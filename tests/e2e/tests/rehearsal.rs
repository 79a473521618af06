//! Bad days on Cluster API's real controllers and in the simulator: the same machines are replaced in the same order, and remediation is
//! blocked and released at the same point of the day.

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

/// Seconds after which a day's first act begins, and from one act to the next.
const FIRST_ACT: i64 = 60;
const ACT: i64 = 120;

/// A bad day in acts. Each begins with machines that fall silent; the next one begins when all has come to rest.
struct Script {
    name: &'static str,
    acts: Vec<Act>,
    limit: Value,
}

/// How many machines fall silent for good, and how many are back in the next act.
struct Act {
    die: usize,
    return_later: usize,
}

fn die(count: usize) -> Act {
    Act { die: count, return_later: 0 }
}

/// What comes to pass in an act. Which of several machines goes first depends on chance, so they are a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen(BTreeSet<String>);

/// An act as it is simulated: what the model did to machines, and what came of it.
#[derive(Default)]
struct Simulated {
    silent: Vec<String>,
    back: Vec<String>,
    seen: Seen,
}

impl Seen {
    fn blocked(&mut self) {
        self.0.insert("remediation is blocked".to_owned());
    }

    fn is_blocked(&self) -> bool {
        self.0.contains("remediation is blocked")
    }

    fn released(&mut self) {
        self.0.insert("remediation is released".to_owned());
    }

    fn replaced(&mut self, machine: &str) {
        self.0.insert(format!("{machine} is replaced"));
    }

    /// A replacement has another name in every world.
    fn created(&mut self, number: usize) {
        self.0.insert(format!("replacement {number} is created"));
    }
}

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&[]).await?;
        let mut upstream = Upstream::start(&plane).await?;
        let kube = plane.kube().await?;
        let scripts = [
            Script { name: "inturn", acts: vec![die(1), die(1), die(1)], limit: json!(1) },
            Script { name: "toomany", acts: vec![die(2)], limit: json!(1) },
            Script { name: "released", acts: vec![Act { die: 1, return_later: 1 }, die(0)], limit: json!(1) },
            Script {
                name: "blockedlater",
                acts: vec![die(1), Act { die: 1, return_later: 1 }, die(0)],
                limit: json!(1),
            },
            Script { name: "all", acts: vec![die(MACHINES)], limit: json!("100%") },
        ];
        let (mut agree, mut all, mut failed) = (0, 0, 0);
        for script in &scripts {
            upstream.create_fleet(&format!("{} {MACHINES}", script.name)).await?;
            let (same, events) = play(&kube, script).await.with_context(|| script.name)?;
            println!("{}: {same} of {events} events agree", script.name);
            failed += usize::from(same != events);
            (agree, all) = (agree + same, all + events);
        }
        println!("{agree} of {all} events agree, in the same order of acts");
        upstream.stop().await?;
        Ok(failed)
    })
}

/// How many events are the same in both worlds, and how many there are in either.
async fn play(kube: &Kube, script: &Script) -> Result<(usize, usize)> {
    let cluster = script.name;
    kube.create(health_check(script)).await?;
    eventually("the health check has looked", within(60), async || {
        let check = kube.get("MachineHealthCheck", NAMESPACE, cluster).await?.unwrap_or_default();
        Ok((check["status"]["currentHealthy"] == MACHINES).then_some(()))
    })
    .await?;
    let objects = capture(kube, cluster).await?;
    let machines = objects.iter().filter(|object| object["kind"] == "Machine").map(name).collect();
    let mut real = Real { kube, cluster, machines, before: World::default() };
    let (mut same, mut all) = (0, 0);
    for (number, act) in simulate(script, &objects)?.iter().enumerate() {
        let seen = real.act(act).await.with_context(|| format!("act {}", number + 1))?;
        if seen != act.seen {
            println!("  act {}: real {seen:?}\n         simulated {:?}", number + 1, act.seen);
        }
        same += seen.0.intersection(&act.seen.0).count();
        all += seen.0.union(&act.seen.0).count();
    }
    Ok((same, all))
}

fn simulate(script: &Script, objects: &[Value]) -> Result<Vec<Simulated>> {
    let mut incidents = Vec::new();
    let mut at = FIRST_ACT;
    for act in &script.acts {
        let of = format!("{}-workers", script.name);
        if act.die > 0 {
            incidents.push(json!({ "machinesFail": { "at": format!("{at}s"), "of": of, "count": act.die } }));
        }
        if act.return_later > 0 {
            let (at, lasts, count) = (format!("{at}s"), format!("{ACT}s"), act.return_later);
            incidents.push(json!({ "machinesFail": { "at": at, "for": lasts, "of": of, "count": count } }));
        }
        at += ACT;
    }
    // The real fleet's provider has no Nodes for replacements.
    let infrastructure = json!({ "boot": "1h", "drain": "1s", "nodeGrace": "0s" });
    let mut scenario = Scenario::read(&json!({
        "horizon": format!("{at}s"), "profile": profile(), "incidents": incidents, "infrastructure": infrastructure,
    }))?;
    let created = objects.iter().filter_map(|object| Time::parse(object["metadata"]["creationTimestamp"].as_str()?));
    scenario.start = created.max().context("no object")?.plus(60);
    let day = Terms { scenario: &scenario, given: Some(objects), events: true }.day(1)?;

    let mut acts: Vec<Simulated> = script.acts.iter().map(|_| Simulated::default()).collect();
    let act_at = |at: i64| usize::try_from((at - FIRST_ACT) / ACT).unwrap_or(0).min(script.acts.len() - 1);
    let mut replacements = 0;
    for event in &day.events {
        let (act, machine) = (&mut acts[act_at(event.at)], event.machine.as_str());
        match event.what.strip_prefix("machine ").and_then(|what| what.strip_prefix(machine)).map(str::trim) {
            Some("deleted") => act.seen.replaced(machine),
            Some("is back") => act.back.push(machine.to_owned()),
            Some("created") => {
                replacements += 1;
                act.seen.created(replacements);
            }
            Some(what) if what.starts_with("falls silent") => act.silent.push(machine.to_owned()),
            _ => {}
        }
    }
    for blocked in &day.blocked {
        acts[act_at(blocked.from)].seen.blocked();
        if let Some(until) = blocked.until {
            acts[act_at(until)].seen.released();
        }
    }
    Ok(acts)
}

/// A fleet of Cluster API's real controllers.
struct Real<'k> {
    kube: &'k Kube,
    cluster: &'static str,
    /// Those that were there in the beginning.
    machines: BTreeSet<String>,
    before: World,
}

/// What can be seen of a fleet from outside.
#[derive(Clone, Default)]
struct World {
    blocked: bool,
    gone: BTreeSet<String>,
    replacements: usize,
}

impl Real<'_> {
    /// Lets an act happen. How long to look is what the simulation says must happen; what must not happen is seen in the end.
    async fn act(&mut self, simulated: &Simulated) -> Result<Seen> {
        for (machines, ready) in [(&simulated.silent, "Unknown"), (&simulated.back, "True")] {
            for machine in machines {
                ensure!(self.machines.contains(machine), "{machine} is simulated to change and was not there");
                node_is(self.kube, machine, ready).await?;
            }
        }
        let mut last = Seen::default();
        let mut turn = 0;
        let expected = &simulated.seen;
        let arrived = eventually("what the simulation says comes to pass", within(90), async || {
            if expected.is_blocked() {
                // While remediation is not allowed Cluster API does not look again at a deadline, only when something changes.
                turn += 1;
                let touched = json!({ "metadata": { "annotations": { "test.capi-policy/turn": turn.to_string() } } });
                self.kube.patch("MachineHealthCheck", NAMESPACE, self.cluster, touched).await?;
            }
            last = self.since(&self.look().await?);
            let decided = self.are_unhealthy(&simulated.silent).await?;
            Ok((decided && expected.0.is_subset(&last.0)).then_some(()))
        });
        if let Err(error) = arrived.await {
            println!("  {error:#}");
        }
        let now = self.look().await?;
        let seen = self.since(&now);
        self.before = now;
        Ok(seen)
    }

    /// Whether the health check has seen what befell these machines; those that are gone it has.
    async fn are_unhealthy(&self, machines: &[String]) -> Result<bool> {
        for machine in machines {
            let stored = self.kube.get("Machine", NAMESPACE, machine).await?;
            if stored.is_some_and(|machine| !is_going(&machine) && !is_false(&machine, "HealthCheckSucceeded")) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn since(&self, now: &World) -> Seen {
        let mut seen = Seen::default();
        match (self.before.blocked, now.blocked) {
            (false, true) => seen.blocked(),
            (true, false) => seen.released(),
            _ => {}
        }
        now.gone.difference(&self.before.gone).for_each(|machine| seen.replaced(machine));
        (self.before.replacements + 1..=now.replacements).for_each(|number| seen.created(number));
        seen
    }

    async fn look(&self) -> Result<World> {
        let check = self.kube.get("MachineHealthCheck", NAMESPACE, self.cluster).await?.context("no health check")?;
        let mut gone = self.machines.clone();
        let mut replacements = 0;
        for machine in self.kube.list("Machine", NAMESPACE).await? {
            if machine["spec"]["clusterName"] != self.cluster {
                continue;
            }
            if !self.machines.contains(&name(&machine)) {
                replacements += 1;
            } else if !is_going(&machine) {
                gone.remove(&name(&machine));
            }
        }
        Ok(World { blocked: is_false(&check, "RemediationAllowed"), gone, replacements })
    }
}

fn is_going(machine: &Value) -> bool {
    machine["metadata"]["deletionTimestamp"].is_string()
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
