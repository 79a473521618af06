//! 5,000 machines with Nodes in 50 clusters: how long until all are decided, how soon a change is written, and what that
//! takes. With `LOAD_AGAINST=upstream` Cluster API's controllers do the same on the same objects afterwards.

mod contender;
mod fleets;
mod load;
mod usage;

use anyhow::{Context, Result, bail, ensure};
use capi_policy_e2e::fleet::install_provider;
use capi_policy_e2e::kube_objects::Kube;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::wait::{eventually, now, within};
use contender::{Contender, Said};
use load::{Load, Size};
use serde_json::{Value, json};
use std::path::Path;

/// Under `documented` a machine waits for recovery once its Node is not ready.
const WAITING: Said = Said { condition: "HealthCheckSucceeded", broken: "Unknown" };
/// What Cluster API's controllers say, too.
const UNHEALTHY: Said = Said { condition: "NodeHealthy", broken: "False" };

fn numbers(variable: &str, default: &[usize]) -> Result<Vec<usize>> {
    let Ok(text) = std::env::var(variable) else { return Ok(default.to_vec()) };
    let parsed: Result<Vec<usize>, _> = text.split(',').map(str::parse).collect();
    parsed.with_context(|| format!("{variable}={text}: expected numbers"))
}

fn number(variable: &str, default: usize) -> Result<usize> {
    numbers(variable, &[default])?.first().copied().with_context(|| format!("{variable} is empty"))
}

#[tokio::main]
async fn main() -> Result<()> {
    let against = match std::env::var("LOAD_AGAINST").as_deref() {
        Err(_) => false,
        Ok("upstream") => true,
        Ok(other) => bail!("LOAD_AGAINST={other}: there is upstream"),
    };
    let size = Size {
        clusters: number("LOAD_CLUSTERS", 50)?,
        machines: number("LOAD_MACHINES", 100)?,
        rates: numbers("LOAD_RATE", if against { &[50, 200] } else { &[200] })?,
        seconds: number("LOAD_SECONDS", if against { 20 } else { 25 })?,
        within: within(number("LOAD_WITHIN", 1_800)? as u64),
    };
    // Each machine changes once: who is late would rightly merge two changes of one machine.
    let (changes, machines) = (size.rates.iter().sum::<usize>() * size.seconds, size.clusters * size.machines);
    ensure!(changes <= machines, "{:?} changes a second for {} s want more machines", size.rates, size.seconds);
    let mut plane = Plane::start(&[]).await?;
    let kube = plane.kube().await?;
    install_provider(&kube).await?;
    let start = now();
    fleets::create(&kube, &plane, &size).await?;
    println!("{machines} machines in {} clusters made in {:.0} s", size.clusters, start.elapsed().as_secs_f64());

    let saved = plane.directory().join("saved");
    if !against {
        let ours = Contender::ours(&plane, &["--mode", "apply"])?;
        return Load::new(&kube, &size, WAITING).run(ours).await.map(drop);
    }
    // Both start with a server that has just started, on the same objects.
    let mut measured = Vec::new();
    for ours in [true, false] {
        plane.restart_with(|data| if ours { copy(data, &saved) } else { restore(&saved, data) }).await?;
        served(&kube).await?;
        let contender =
            if ours { Contender::ours(&plane, contender::LIKE_UPSTREAM)? } else { Contender::upstream(&plane).await? };
        measured.push(Load::new(&kube, &size, UNHEALTHY).run(contender).await?);
    }
    if let Some(file) = std::env::var_os("LOAD_RESULT") {
        let result = json!({ "clusters": size.clusters, "machines": size.machines, "contenders": measured });
        std::fs::write(file, result.to_string())?;
    }
    Ok(())
}

/// The server answers again, with connections of now.
async fn served(kube: &Kube) -> Result<()> {
    let checks = eventually("the server answers", within(60), async || {
        let checks: Vec<Value> = kube.list("MachineHealthCheck", "").await?;
        Ok(Some(checks))
    });
    checks.await.map(drop)
}

fn restore(saved: &Path, data: &Path) -> Result<()> {
    std::fs::remove_dir_all(data)?;
    copy(saved, data)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
