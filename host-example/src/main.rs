//! The smallest host: wasmtime runs the policy, kube watchers say when, and every new decision about a MachineHealthCheck
//! is printed. Nothing is written to the cluster. The README beside it walks through it.

#![allow(missing_docs, reason = "a program, and what is generated from wit/")]

use exports::capi::policy::types::MachineHealthCheckEvaluation;
use futures::{FutureExt, Stream, StreamExt, stream};
use jiff::Timestamp;
use kube::api::{Api, ApiResource, DynamicObject, GroupVersionKind};
use kube::runtime::reflector::{Store, store::Writer};
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Client, ResourceExt};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;
use wasmtime::component::{Component, Linker};
use wasmtime::error::Context;
use wasmtime::{Config, Engine, Result, StoreLimits, StoreLimitsBuilder};

wasmtime::component::bindgen!({ path: "../wit", world: "policy" });

const TICK: Duration = Duration::from_millis(100);
const TICKS_PER_DECISION: u64 = 100;
const MEMORY_PER_DECISION: usize = 256 << 20;

/// The policy, compiled and linked.
struct Sandbox {
    engine: Engine,
    policy: PolicyPre<StoreLimits>,
}

impl Sandbox {
    fn load(file: &str) -> Result<Self> {
        let engine = Engine::new(Config::new().epoch_interruption(true))?;
        let component = Component::from_file(&engine, file)?;
        // Nothing is linked: a component that wants to import something, a clock for example, fails here.
        let policy = PolicyPre::new(Linker::new(&engine).instantiate_pre(&component)?)?;
        let clock = engine.clone();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(TICK);
                clock.increment_epoch();
            }
        });
        Ok(Self { engine, policy })
    }

    /// Decides about a health check, in an instance of its own that has ten seconds and 256 MB.
    fn decide(&self, snapshot: &str) -> Result<MachineHealthCheckEvaluation> {
        let limits = StoreLimitsBuilder::new().memory_size(MEMORY_PER_DECISION).build();
        let mut store = wasmtime::Store::new(&self.engine, limits);
        store.limiter(|limits| limits);
        store.set_epoch_deadline(TICKS_PER_DECISION);
        let policy = self.policy.instantiate(&mut store)?;
        let decision = policy.capi_policy_evaluator().call_evaluate_machine_health_check(&mut store, snapshot)?;
        Ok(decision?)
    }
}

/// The objects of a kind, kept by a watcher; the stream has to be read for that, and says when something has changed.
fn watch(client: &Client, kind: &str) -> (Store<DynamicObject>, impl Stream<Item = ()> + use<>) {
    let resource = resource(kind);
    let writer = Writer::new(resource.clone());
    let (objects, api) = (writer.as_reader(), Api::all_with(client.clone(), &resource));
    let changes = watcher(api, watcher::Config::default()).default_backoff().reflect(writer);
    let changes = changes.map(|change| {
        if let Err(error) = change {
            eprintln!("watching: {error}");
        }
    });
    (objects, changes.boxed())
}

fn resource(kind: &str) -> ApiResource {
    ApiResource::from_gvk(&GroupVersionKind::gvk("cluster.x-k8s.io", "v1beta2", kind))
}

/// Everything the policy reads to decide about one health check. What was not read is said so, which is something else than
/// "does not exist": this host has no access to the Nodes.
async fn snapshot(client: &Client, check: &DynamicObject, machines: &Store<DynamicObject>) -> Result<String> {
    let namespace = check.namespace().context("a health check without a namespace")?;
    let name = check.data.pointer("/spec/clusterName").and_then(|name| name.as_str()).unwrap_or_default();
    let clusters: Api<DynamicObject> = Api::namespaced_with(client.clone(), &namespace, &resource("Cluster"));
    let cluster = clusters.get_opt(name).await?;
    let machines = machines.state();
    let nearby = |machine: &&DynamicObject| machine.namespace().as_ref() == Some(&namespace);
    let machines: Vec<_> = machines.iter().map(AsRef::as_ref).filter(nearby).collect();
    let observed = json!({ "clusterFound": cluster.is_some(), "workloadClusterConnected": false });
    Ok(json!({
        "now": now(), "machineHealthCheck": check, "cluster": cluster, "machines": machines, "observed": observed,
    })
    .to_string())
}

/// The decision in a few lines, each with the row of the table that decided.
fn describe(decision: &MachineHealthCheckEvaluation) -> String {
    let subject = &decision.evaluation.subject;
    let mut lines = vec![format!("{}/{}", subject.namespace.as_deref().unwrap_or_default(), subject.name)];
    for condition in &decision.evaluation.conditions {
        lines.push(format!("  {}: {} ({})", condition.type_, condition.reason, condition.row));
    }
    for machine in &decision.details.machines {
        let cause = machine.cause.map(|cause| format!(", {cause:?}")).unwrap_or_default();
        lines.push(format!("  machine {}: {:?}{cause} ({})", machine.name, machine.verdict, machine.row));
    }
    lines.push(format!("  {} actions to carry out", decision.evaluation.actions.len()));
    lines.join("\n")
}

/// How long the decision holds if no object changes.
fn lasts(decision: &MachineHealthCheckEvaluation) -> Option<Duration> {
    let at: Timestamp = decision.evaluation.next_change.as_ref()?.parse().ok()?;
    Some(Duration::try_from(at.duration_since(now())).unwrap_or_default())
}

#[allow(clippy::disallowed_methods, reason = "the host is where time comes from")]
fn now() -> Timestamp {
    Timestamp::now()
}

#[tokio::main]
async fn main() -> Result<()> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "dist/capi_policy.wasm".to_owned());
    let sandbox = Sandbox::load(&file).with_context(|| format!("{file}; `cargo xtask artifact` makes it"))?;
    let client = Client::try_default().await?;
    let (checks, changed_checks) = watch(&client, "MachineHealthCheck");
    let (machines, changed_machines) = watch(&client, "Machine");
    let mut changes = stream::select(changed_checks, changed_machines).ready_chunks(1_000);
    let mut printed = BTreeMap::new();
    let mut wait = Duration::MAX;
    // An object has changed, or it is time.
    while !matches!(tokio::time::timeout(wait, changes.next()).await, Ok(None)) {
        // Before both lists are complete, machines would be missing.
        if [&checks, &machines].iter().any(|objects| objects.wait_until_ready().now_or_never().is_none()) {
            continue;
        }
        wait = Duration::MAX;
        for check in checks.state() {
            let answer = sandbox.decide(&snapshot(&client, &check, &machines).await?);
            wait = wait.min(answer.as_ref().ok().and_then(lasts).unwrap_or(Duration::MAX));
            let text =
                answer.map_or_else(|error| format!("{}: {error:#}", check.name_any()), |answer| describe(&answer));
            if printed.get(&check.uid()) != Some(&text) {
                println!("{text}");
                printed.insert(check.uid(), text);
            }
        }
    }
    Ok(())
}
