//! 5,000 machines with nodes in 50 clusters: how long until all are decided, and how soon a change is written.

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::fleet::{Fleet, install_provider};
use capi_policy_e2e::host::Host;
use capi_policy_e2e::kube_objects::{Kube, condition};
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::wait::{eventually, now, within};
use futures::{StreamExt, TryStreamExt, stream};
use kube::api::{WatchEvent, WatchParams};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Requests at a time while objects are made.
const AT_A_TIME: usize = 16;

/// When a machine was seen to say what, from first to last.
type Seen = Arc<Mutex<BTreeMap<String, Vec<(String, Instant)>>>>;

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[tokio::main]
async fn main() -> Result<()> {
    let (clusters, machines) = (number("LOAD_CLUSTERS", 50), number("LOAD_MACHINES", 100));
    // Each machine changes once: a host that is late would rightly merge two changes of one machine.
    let (rate, seconds) = (number("LOAD_RATE", 200), number("LOAD_SECONDS", 25));
    ensure!(rate * seconds <= clusters * machines, "{rate} changes a second for {seconds} s want more machines");
    let plane = Plane::start(&[]).await?;
    let kube = plane.kube().await?;
    install_provider(&kube).await?;
    let start = now();
    let fleets = create(&kube, &plane, clusters, machines).await?;
    println!("{clusters} clusters with {machines} machines each made in {:.0} s", start.elapsed().as_secs_f64());

    let seen = Seen::default();
    tokio::spawn(watch_machines(kube.clone(), seen.clone()));
    let start = now();
    let host = Host::start_terse(&plane.kubeconfig, plane.directory(), "load", &["--mode", "apply"])?;
    eventually("everything is decided", within(1_800), async || {
        let checks = kube.list("MachineHealthCheck", "").await?;
        let done = |check: &Value| check["status"]["currentHealthy"] == machines;
        Ok((checks.len() == clusters && checks.iter().all(done)).then_some(()))
    })
    .await?;
    println!("all decided {:.1} s after start; {}", start.elapsed().as_secs_f64(), usage(&host)?);

    let latencies = change(&fleets, rate, seconds, &seen).await?;
    let at = |percent: usize| latencies[(latencies.len() - 1) * percent / 100].as_millis();
    println!(
        "{} changes at {rate} a second: p50 {} ms, p99 {} ms from a node's change to the condition seen; no change lost; {}",
        latencies.len(),
        at(50),
        at(99),
        usage(&host)?
    );
    println!("evaluations: {}", host.metric("capi_policy_evaluations_total").await?);
    Ok(())
}

async fn create(kube: &Kube, plane: &Plane, clusters: usize, machines: usize) -> Result<Vec<Fleet>> {
    let mut fleets = Vec::new();
    for cluster in 0..clusters {
        let name = format!("load-{cluster}");
        // One server plays every workload cluster, so each is shown its own Nodes only.
        let mut rules = Rules::default();
        rules.nodes = Some(format!("cluster%3D{name}"));
        let proxy = Proxy::start(kube, plane.directory(), &name, rules).await?;
        fleets.push(Fleet::create(kube, &name, &proxy.kubeconfig).await?);
    }
    let set =
        |fleet: Fleet| async move { Ok::<_, anyhow::Error>((fleet.machine_set(&fleet.name, None).await?, fleet)) };
    let sets: Vec<(Value, Fleet)> = stream::iter(fleets.clone()).map(set).buffered(AT_A_TIME).try_collect().await?;
    let all = sets.iter().flat_map(|(set, fleet)| (0..machines).map(move |number| (set, fleet, number)));
    stream::iter(all)
        .map(|(set, fleet, number)| async move { fleet.machine(&format!("{}-{number}", fleet.name), Some(set)).await })
        .buffer_unordered(AT_A_TIME)
        .try_collect::<Vec<()>>()
        .await?;
    for fleet in &fleets {
        fleet.health_check(3_600, json!({})).await?;
    }
    Ok(fleets)
}

/// Changes nodes at a steady rate, and measures until each machine says so.
async fn change(fleets: &[Fleet], rate: usize, seconds: usize, seen: &Seen) -> Result<Vec<Duration>> {
    let pause = Duration::from_secs(1) / u32::try_from(rate)?;
    let mut ticks = tokio::time::interval(pause);
    let mut changes = Vec::new();
    for number in 0..rate * seconds {
        ticks.tick().await;
        let fleet = fleets[number % fleets.len()].clone();
        let turn = number / fleets.len();
        let machine = format!("{}-{turn}", fleet.name);
        changes.push(tokio::spawn(async move {
            let since = now();
            fleet.node_is(&machine, "False").await?;
            Ok::<_, anyhow::Error>((machine, since))
        }));
    }
    let mut latencies = Vec::new();
    for change in changes {
        let (machine, since) = change.await??;
        let what = format!("{machine} says Unknown");
        let told = eventually(&what, within(120), async || {
            let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            let told = |(status, at): &&(String, Instant)| status == "Unknown" && *at >= since;
            Ok(seen.get(&machine).and_then(|said| said.iter().find(told)).map(|(_, at)| *at))
        });
        latencies.push(told.await?.saturating_duration_since(since));
    }
    latencies.sort();
    Ok(latencies)
}

async fn watch_machines(kube: Kube, seen: Seen) -> Result<()> {
    let api = kube.api("Machine", "")?;
    let mut version = "0".to_owned();
    loop {
        let Ok(events) = api.watch(&WatchParams::default(), &version).await else {
            "0".clone_into(&mut version);
            continue;
        };
        let mut events = std::pin::pin!(events);
        while let Some(event) = events.next().await {
            if let Ok(WatchEvent::Added(machine) | WatchEvent::Modified(machine)) = event {
                version = machine.metadata.resource_version.clone().unwrap_or_default();
                let name = machine.metadata.name.clone().context("a name")?;
                let value = serde_json::to_value(machine)?;
                let status =
                    condition(&value, "HealthCheckSucceeded").and_then(|c| c["status"].as_str().map(str::to_owned));
                let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                let status = status.unwrap_or_default();
                let said = seen.entry(name).or_default();
                if said.last().is_none_or(|(before, _)| *before != status) {
                    said.push((status, now()));
                }
            }
        }
    }
}

/// CPU time and resident memory of the host.
fn usage(host: &Host) -> Result<String> {
    let process = Path::new("/proc").join(host.id().to_string());
    let stat = std::fs::read_to_string(process.join("stat"))?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 = fields.iter().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(format!("host used {} s of CPU and {} kB of memory", ticks / 100, host.resident_kilobytes()?))
}
