//! The clock of the host's machine jumps.

use super::fleet;
use anyhow::{Result, ensure};
use capi_policy_e2e::fleet::Fleet;
use capi_policy_e2e::host::Host;
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, now, within};
use capi_policy_e2e::wrong_clock::WrongClock;
use serde_json::json;
use std::time::Duration;

fn host(stage: &Stage, clock: &WrongClock, name: &str) -> Result<Host> {
    let arguments = ["--mode", "apply", "--kinds", "MachineHealthCheck", "--namespace", name];
    Host::start_with_clock(clock, &stage.kubeconfig, &stage.directory, name, &arguments)
}

/// An hour ahead every deadline seems to have passed: nothing is remediated, and nothing else is decided, until the clock is
/// right again. The same with an hour back, and for a host that starts with a wrong clock.
pub async fn jumps(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "jumps").await?;
    for machine in ["jumps-1", "jumps-2", "jumps-3"] {
        fleet.machine(machine, None).await?;
    }
    fleet.health_check(600, json!({})).await?;
    let clock = WrongClock::create(&stage.directory, "jumps", 0)?;
    let mut first = host(&stage, &clock, "jumps")?;
    fleet.says("Machine", "jumps-1", "HealthCheckSucceeded", "True").await?;
    fleet.node_is("jumps-1", "False").await?;
    fleet.says("Machine", "jumps-1", "HealthCheckSucceeded", "Unknown WaitingForRecovery").await?;
    for (seconds, machine, said) in
        [(3_600, "jumps-2", "s ahead of the API server"), (-3_600, "jumps-3", "s behind the API server")]
    {
        clock.set(seconds)?;
        // Something to decide about at once, and something that would be unhealthy for long enough.
        fleet.node_is(machine, "False").await?;
        doubts(&first, said).await?;
        ensure!(first.get("/healthz").await?.0 == 200, "it is not alive");
        ensure!(first.metric("capi_policy_clock_jumps_total").await? > 0, "no jump is counted");
        clock.set(0)?;
        first.ready().await?;
        fleet.says("Machine", machine, "HealthCheckSucceeded", "Unknown WaitingForRecovery").await?;
    }
    first.stop().await?;
    clock.set(3_600)?;
    let mut second = host(&stage, &clock, "jumps")?;
    doubts(&second, "s ahead of the API server").await?;
    fleet.node_is("jumps-1", "True").await?;
    clock.set(0)?;
    fleet.says("Machine", "jumps-1", "HealthCheckSucceeded", "True").await?;
    second.stop().await?;
    ensure!(second.decisions()?.iter().all(|record| record["record"] != "intent"), "something was remediated");
    for machine in ["jumps-1", "jumps-2", "jumps-3"] {
        ensure!(exists(&fleet, machine).await?, "{machine} is gone");
    }
    let log = std::fs::read_to_string(&second.log)?;
    ensure!(log.contains("the API server's"), "nothing is said about it:\n{log}");
    Ok(String::new())
}

/// A clock that is behind, by less than is noticed, is put right: a deadline passes when it should, not when it would have
/// by the clock from before.
pub async fn corrected(stage: Stage) -> Result<String> {
    const TIMEOUT: i64 = 10;
    let fleet = fleet(&stage, "corrected").await?;
    fleet.machine("corrected-1", None).await?;
    fleet.health_check(TIMEOUT, json!({})).await?;
    let clock = WrongClock::create(&stage.directory, "corrected", -50)?;
    let mut host = host(&stage, &clock, "corrected")?;
    fleet.says("Machine", "corrected-1", "HealthCheckSucceeded", "True").await?;
    let start = now();
    fleet.node_is("corrected-1", "False").await?;
    fleet.says("Machine", "corrected-1", "HealthCheckSucceeded", "Unknown WaitingForRecovery").await?;
    clock.set(0)?;
    eventually(
        "the machine is deleted",
        within(90),
        async || Ok((!exists(&fleet, "corrected-1").await?).then_some(())),
    )
    .await?;
    let took = start.elapsed();
    ensure!(took > Duration::from_secs(8), "it was deleted after {took:?} already");
    ensure!(took < Duration::from_secs(50), "it was deleted after {took:?} only");
    host.stop().await?;
    Ok(format!("deleted after {} ms", took.as_millis()))
}

async fn doubts(host: &Host, said: &str) -> Result<()> {
    eventually("it does not believe the clock", within(60), async || {
        let (status, why) = host.get("/readyz").await?;
        Ok((status == 503 && why.contains(said)).then_some(()))
    })
    .await
}

async fn exists(fleet: &Fleet, machine: &str) -> Result<bool> {
    Ok(fleet.kube.get("Machine", &fleet.name, machine).await?.is_some())
}
