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
use std::time::Duration;

const NAMESPACE: &str = "default";
const MACHINES: usize = 4;
/// What a decision about the fleet reads.
const KINDS: &[&str] = &["Cluster", "MachineDeployment", "MachineSet", "Machine", "MachineHealthCheck"];

/// Seconds after which a day's first act begins, and from one act to the next.
const FIRST_ACT: i64 = 60;
const ACT: i64 = 120;

/// How often the real fleet is looked at until an act has come to rest; about 90 s.
const LOOKS: usize = 300;

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

    fn created(&mut self, machine: &str) {
        self.0.insert(format!("{machine} is created"));
    }
}

/// What machines are called in both worlds: a replacement has another name in each, so it is called by its number.
struct Names {
    first: BTreeSet<String>,
    replacements: Vec<String>,
}

impl Names {
    fn of(objects: &[Value]) -> Self {
        let machines = objects.iter().filter(|object| object["kind"] == "Machine");
        Self { first: machines.map(name).collect(), replacements: Vec::new() }
    }

    /// What a machine is called; one that was never seen is the next replacement.
    fn call(&mut self, machine: &str) -> String {
        if self.first.contains(machine) {
            return machine.to_owned();
        }
        let known = self.replacements.iter().position(|replacement| replacement == machine);
        let index = known.unwrap_or_else(|| {
            self.replacements.push(machine.to_owned());
            self.replacements.len() - 1
        });
        format!("replacement {}", index + 1)
    }

    fn name<'n>(&'n self, called: &'n str) -> Result<&'n str> {
        let Some(number) = called.strip_prefix("replacement ") else { return Ok(called) };
        let replacement = self.replacements.get(number.parse::<usize>()? - 1);
        replacement.map(String::as_str).with_context(|| format!("{called} is not there"))
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
    let mut real =
        Real { kube, cluster, names: Names::of(&objects), silent: BTreeSet::new(), before: World::default() };
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
    let infrastructure = json!({ "boot": "1s", "drain": "1s", "nodeGrace": "0s" });
    let mut scenario = Scenario::read(&json!({
        "horizon": format!("{at}s"), "profile": profile(), "incidents": incidents, "infrastructure": infrastructure,
    }))?;
    let created = objects.iter().filter_map(|object| Time::parse(object["metadata"]["creationTimestamp"].as_str()?));
    scenario.start = created.max().context("no object")?.plus(60);
    let day = Terms { scenario: &scenario, given: Some(objects), events: true }.day(1)?;

    let mut acts: Vec<Simulated> = script.acts.iter().map(|_| Simulated::default()).collect();
    let act_at = |at: i64| usize::try_from((at - FIRST_ACT) / ACT).unwrap_or(0).min(script.acts.len() - 1);
    let mut names = Names::of(objects);
    for event in &day.events {
        let what = event.what.strip_prefix("machine ").and_then(|what| what.strip_prefix(event.machine.as_str()));
        let Some(what) = what.map(str::trim) else { continue };
        let (act, machine) = (&mut acts[act_at(event.at)], names.call(&event.machine));
        match what {
            "deleted" => act.seen.replaced(&machine),
            "is back" => act.back.push(machine),
            "created" => act.seen.created(&machine),
            what if what.starts_with("falls silent") => act.silent.push(machine),
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
    names: Names,
    /// The machines that are silent now.
    silent: BTreeSet<String>,
    before: World,
}

/// What can be seen of a fleet from outside.
#[derive(Clone, Default)]
struct World {
    blocked: bool,
    healthy: u64,
    created: BTreeSet<String>,
    gone: BTreeSet<String>,
}

impl Real<'_> {
    /// Lets an act happen and come to rest: the simulation says what to wait for, and what must not happen is seen in the end.
    async fn act(&mut self, simulated: &Simulated) -> Result<Seen> {
        for (machines, ready) in [(&simulated.silent, "Unknown"), (&simulated.back, "True")] {
            for machine in machines {
                node_is(self.kube, self.names.name(machine)?, ready).await?;
            }
        }
        self.silent.extend(simulated.silent.iter().cloned());
        self.silent.retain(|machine| !simulated.back.contains(machine));
        let expected = &simulated.seen;
        let mut last = (World::default(), Seen::default());
        for turn in 0..LOOKS {
            if expected.is_blocked() {
                // While remediation is not allowed Cluster API does not look again at a deadline, only when something changes.
                let touched = json!({ "metadata": { "annotations": { "test.capi-policy/turn": turn.to_string() } } });
                self.kube.patch("MachineHealthCheck", NAMESPACE, self.cluster, touched).await?;
            }
            let now = self.look().await?;
            let seen = self.since(&now);
            let silent = self.silent.difference(&now.gone).count();
            let at_rest = now.healthy == (MACHINES - silent) as u64 && expected.0.is_subset(&seen.0);
            last = (now, seen);
            if at_rest {
                break;
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        self.before = last.0;
        Ok(last.1)
    }

    fn since(&self, now: &World) -> Seen {
        let mut seen = Seen::default();
        match (self.before.blocked, now.blocked) {
            (false, true) => seen.blocked(),
            (true, false) => seen.released(),
            _ => {}
        }
        now.gone.difference(&self.before.gone).for_each(|machine| seen.replaced(machine));
        now.created.difference(&self.before.created).for_each(|machine| seen.created(machine));
        seen
    }

    async fn look(&mut self) -> Result<World> {
        let check = self.kube.get("MachineHealthCheck", NAMESPACE, self.cluster).await?.context("no health check")?;
        let mut machines = self.kube.list("Machine", NAMESPACE).await?;
        machines.retain(|machine| machine["spec"]["clusterName"] == self.cluster);
        machines.sort_by_key(|machine| machine["metadata"]["creationTimestamp"].to_string());
        let there: BTreeSet<String> = machines
            .iter()
            .filter(|machine| !is_going(machine))
            .map(|machine| self.names.call(&name(machine)))
            .collect();
        let created: BTreeSet<String> =
            self.names.replacements.clone().iter().map(|replacement| self.names.call(replacement)).collect();
        Ok(World {
            blocked: is_false(&check, "RemediationAllowed"),
            healthy: check["status"]["currentHealthy"].as_u64().unwrap_or(0),
            gone: self.names.first.union(&created).filter(|machine| !there.contains(*machine)).cloned().collect(),
            created,
        })
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
