//! One contender under load: from its start until all is decided, then changes at each rate.

use crate::contender::{Contender, Said};
use crate::fleets::{cluster, machine, node_conditions};
use crate::usage::writes;
use anyhow::{Context, Result};
use capi_policy_e2e::kube_objects::{Kube, condition};
use capi_policy_e2e::wait::{eventually, now, within};
use futures::StreamExt;
use kube::api::{WatchEvent, WatchParams};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// How long nothing is written before the next measurement.
const QUIET: Duration = Duration::from_secs(3);

/// How large the load is.
pub struct Size {
    pub clusters: usize,
    /// In each cluster.
    pub machines: usize,
    /// Changes a second, one rate after the other.
    pub rates: Vec<usize>,
    /// For each rate.
    pub seconds: usize,
    /// How long it may take until all is decided.
    pub within: Duration,
}

/// When a machine was seen to say what, from first to last.
type Seen = Arc<Mutex<BTreeMap<String, Vec<(String, Instant)>>>>;

/// A load on a server that has the objects.
pub struct Load<'l> {
    kube: &'l Kube,
    size: &'l Size,
    said: Said,
    seen: Seen,
    watcher: JoinHandle<()>,
}

impl Drop for Load<'_> {
    fn drop(&mut self) {
        self.watcher.abort();
    }
}

impl<'l> Load<'l> {
    pub fn new(kube: &'l Kube, size: &'l Size, said: Said) -> Self {
        let seen = Seen::default();
        let watcher = tokio::spawn(watch_machines(kube.clone(), said.condition, seen.clone()));
        Self { kube, size, said, seen, watcher }
    }

    /// Measures a contender that has just been started, and ends it.
    pub async fn run(self, contender: Contender) -> Result<Value> {
        let (start, before) = (now(), writes(self.kube).await?);
        println!("{}: {}", contender.name, contender.flags);
        self.decided().await?;
        let (decided, usage) = (start.elapsed(), contender.usage()?);
        self.quiet().await?;
        let first = writes(self.kube).await?.saturating_sub(before);
        println!("all decided {:.1} s after start; {usage}; {first} writes", decided.as_secs_f64());
        let (mut rates, mut done) = (Vec::new(), 0);
        for rate in &self.size.rates {
            let count = rate * self.size.seconds;
            let (before, earlier) = (writes(self.kube).await?, contender.usage()?.processor_seconds);
            let latencies = self.change(done..done + count, *rate).await?;
            done += count;
            self.quiet().await?;
            let usage = contender.usage()?;
            // Our own changes of Nodes are writes, too.
            let written = writes(self.kube).await?.saturating_sub(before + count);
            let processor = usage.processor_seconds - earlier;
            let at = |percent: usize| latencies[(latencies.len() - 1) * percent / 100].as_secs_f64() * 1_000.0;
            println!(
                "{count} changes at {rate} a second: p50 {:.0} ms, p99 {:.0} ms from a Node's change to the condition seen; \
                 {written} writes, {processor:.1} s of processor time; since the start {usage}",
                at(50),
                at(99),
            );
            rates.push(json!({
                "rate": rate, "changes": count, "p50": at(50), "p99": at(99), "writes": written,
                "processorSeconds": processor,
            }));
        }
        let end = contender.usage()?;
        let result = json!({
            "name": contender.name, "flags": contender.flags, "decidedSeconds": decided.as_secs_f64(),
            "writes": first, "decided": usage.json(), "rates": rates, "end": end.json(),
        });
        contender.stop().await?;
        Ok(result)
    }

    /// Waits until every health check counts all machines, and all machines and their owners say that all is well. Clusters
    /// come later: nothing leads Cluster API's controller from a MachineSet without a MachineDeployment to its Cluster.
    async fn decided(&self) -> Result<()> {
        let (clusters, machines) = (self.size.clusters, self.size.machines);
        let is_true = |object: &Value, name: &str| condition(object, name).is_some_and(|c| c["status"] == "True");
        let mut missing = String::new();
        let wait = eventually("everything is decided", self.size.within, async || {
            let checks = self.kube.list("MachineHealthCheck", "").await?;
            let counted = checks.iter().filter(|check| check["status"]["currentHealthy"] == machines).count();
            let sets = self.kube.list("MachineSet", "").await?;
            let ready = sets.iter().filter(|set| is_true(set, "MachinesReady")).count();
            let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            let healthy = seen.values().filter(|said| said.last().is_some_and(|(status, _)| status == "True")).count();
            missing = format!("{counted} health checks, {ready} MachineSets, {healthy} machines");
            Ok((counted == clusters && ready == clusters && healthy == clusters * machines).then_some(()))
        });
        let waited = wait.await.with_context(|| format!("decided: {missing}"));
        if waited.is_err() {
            let name = machine(&cluster(0), 0);
            println!("{:#}", json!(self.kube.get("Machine", &cluster(0), &name).await?));
        }
        waited
    }

    /// Waits until nobody writes any more.
    async fn quiet(&self) -> Result<()> {
        let (mut last, mut since) = (usize::MAX, now());
        eventually("nobody writes", within(600), async || {
            let seen = writes(self.kube).await?;
            if seen != last {
                (last, since) = (seen, now());
            }
            Ok((since.elapsed() > QUIET).then_some(()))
        })
        .await
    }

    /// Changes Nodes at a steady rate, and measures until each machine says so.
    async fn change(&self, numbers: std::ops::Range<usize>, rate: usize) -> Result<Vec<Duration>> {
        let mut ticks = tokio::time::interval(Duration::from_secs(1) / u32::try_from(rate)?);
        let mut changes = Vec::new();
        for number in numbers {
            ticks.tick().await;
            let name = machine(&cluster(number % self.size.clusters), number / self.size.clusters);
            let kube = self.kube.clone();
            changes.push(tokio::spawn(async move {
                let since = now();
                kube.patch_status("Node", "", &name, json!({ "conditions": node_conditions("False") })).await?;
                Ok::<_, anyhow::Error>((name, since))
            }));
        }
        let mut latencies = Vec::new();
        for change in changes {
            let (name, since) = change.await??;
            let what = format!("{name} says {}", self.said.broken);
            let told = eventually(&what, within(300), async || {
                let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
                let told = |(status, at): &&(String, Instant)| status == self.said.broken && *at >= since;
                Ok(seen.get(&name).and_then(|said| said.iter().find(told)).map(|(_, at)| *at))
            });
            latencies.push(told.await?.saturating_duration_since(since));
        }
        latencies.sort();
        Ok(latencies)
    }
}

async fn watch_machines(kube: Kube, name: &'static str, seen: Seen) {
    let Ok(api) = kube.api("Machine", "") else { return };
    let mut version = "0".to_owned();
    loop {
        let Ok(events) = api.watch(&WatchParams::default(), &version).await else {
            "0".clone_into(&mut version);
            tokio::task::yield_now().await;
            continue;
        };
        let mut events = std::pin::pin!(events);
        while let Some(event) = events.next().await {
            let Ok(WatchEvent::Added(machine) | WatchEvent::Modified(machine)) = event else { continue };
            version = machine.metadata.resource_version.clone().unwrap_or_default();
            let key = machine.metadata.name.clone().unwrap_or_default();
            let status = machine.data["status"]["conditions"].as_array().into_iter().flatten();
            let status = status.filter(|condition| condition["type"] == name).find_map(|c| c["status"].as_str());
            let status = status.unwrap_or_default().to_owned();
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            let said = seen.entry(key).or_default();
            if said.last().is_none_or(|(before, _)| *before != status) {
                said.push((status, now()));
            }
        }
    }
}
