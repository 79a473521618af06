//! A server that does not answer, or answers that something is not there for a moment.

use super::{fleet, host};
use anyhow::{Context, Result, ensure};
use capi_policy_e2e::host::Host;
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, now, within};
use serde_json::json;
use std::sync::atomic::Ordering;

/// The leader's writes are never answered: it says so, gives up, and the other replica does the work; one that is told to
/// stop meanwhile stops.
pub async fn muted(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "muted").await?;
    fleet.machine("muted-1", None).await?;
    fleet.health_check(600, json!({})).await?;
    let proxy = Proxy::start(&stage.kube, &stage.directory, "muted", Rules::default()).await?;
    proxy.rules.mute.store(true, Ordering::SeqCst);
    let lease = ["--leader-elect", "--lease-name", "muted", "--lease-namespace", "muted", "--lease-seconds", "15"];
    let mut leader = host(&stage, &proxy.kubeconfig, "muted", &lease)?;
    eventually("it leads", within(60), async || Ok((leader.metric("capi_policy_leading").await? == 1).then_some(())))
        .await?;
    let apply = ["--mode", "apply", "--kinds", "MachineHealthCheck", "--namespace", "muted"];
    let standby = Host::start(&stage.kubeconfig, &stage.directory, "muted-standby", &[&apply[..], &lease].concat())?;
    eventually("writes are held", within(60), async || Ok((proxy.rules.held() > 0).then_some(()))).await?;

    let mut single = Host::start(&proxy.kubeconfig, &stage.directory, "muted-single", &apply)?;
    let held = proxy.rules.held();
    eventually("its writes are held too", within(60), async || Ok((proxy.rules.held() > held).then_some(()))).await?;
    let start = now();
    single.signal("TERM")?;
    single.exited().await?;
    let stopped = start.elapsed();
    ensure!(stopped < within(28), "it stopped after {stopped:?}");

    let status = leader.exited().await?;
    ensure!(!status.success(), "the leader ended with {status}");
    let log = std::fs::read_to_string(&leader.log)?;
    ensure!(log.contains("no answer within 15 s"), "{log}");
    eventually("the other leads", within(60), async || {
        Ok((standby.metric("capi_policy_leading").await? == 1).then_some(()))
    })
    .await?;
    fleet.says("Machine", "muted-1", "HealthCheckSucceeded", "True").await?;
    Ok(format!("stopped after {} ms", stopped.as_millis()))
}

/// A write that is answered 404, then 422, for a moment is tried again although no object changes.
pub async fn refused(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "refusals").await?;
    fleet.machine("refusals-1", None).await?;
    fleet.health_check(600, json!({})).await?;
    let proxy = Proxy::start(&stage.kube, &stage.directory, "refusals", Rules::default()).await?;
    let mut host = host(&stage, &proxy.kubeconfig, "refusals", &[])?;
    fleet.says("Machine", "refusals-1", "HealthCheckSucceeded", "True").await?;
    for (code, ready, said) in [(404, "False", "Unknown WaitingForRecovery"), (422, "True", "True")] {
        let before = proxy.rules.refused();
        proxy.rules.answer_with(Some(("/machines/refusals-1/status", code)));
        fleet.node_is("refusals-1", ready).await?;
        eventually("the write is refused", within(60), async || Ok((proxy.rules.refused() > before).then_some(())))
            .await?;
        proxy.rules.answer_with(None);
        fleet.says("Machine", "refusals-1", "HealthCheckSucceeded", said).await?;
    }
    ensure!(host.metric("capi_policy_retries_total{reason=\"write\"}").await? > 0, "no retry is counted");
    host.stop().await?;
    Ok(String::new())
}

/// Cluster API's group answers 404 at first: the host is not ready, says why, and writes nothing.
pub async fn not_served(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "unserved").await?;
    fleet.machine("unserved-1", None).await?;
    fleet.health_check(600, json!({})).await?;
    let rules = Rules::default();
    rules.answer_with(Some(("/apis/cluster.x-k8s.io", 404)));
    let proxy = Proxy::start(&stage.kube, &stage.directory, "unserved", rules).await?;
    let mut host = host(&stage, &proxy.kubeconfig, "unserved", &[])?;
    let why = eventually("it says why it is not ready", within(60), async || {
        let (status, why) = host.get("/readyz").await?;
        Ok((status == 503 && why.contains("is not served")).then_some(why))
    })
    .await?;
    ensure!(host.get("/healthz").await?.0 == 200, "it is not alive");
    ensure!(proxy.rules.done().is_empty(), "it has written {:?}", proxy.rules.done());
    proxy.rules.answer_with(None);
    host.ready().await.context("after the group is served")?;
    fleet.says("Machine", "unserved-1", "HealthCheckSucceeded", "True").await?;
    host.stop().await?;
    Ok(why.trim().to_owned())
}

/// The server takes requests and never answers, and its watches fall silent: the host is alive, not ready, and decides
/// nothing; when the server speaks again, what happened meanwhile is noticed, without the connections from before.
pub async fn silent(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "silent").await?;
    fleet.machine("silent-1", None).await?;
    fleet.machine("silent-2", None).await?;
    fleet.health_check(600, json!({})).await?;
    let proxy = Proxy::start(&stage.kube, &stage.directory, "silent-server", Rules::default()).await?;
    let mut host = host(&stage, &proxy.kubeconfig, "silent", &[])?;
    fleet.says("Machine", "silent-1", "HealthCheckSucceeded", "True").await?;
    proxy.rules.fall_silent();
    let start = now();
    let why = eventually("it is not ready", within(60), async || {
        let (status, why) = host.get("/readyz").await?;
        Ok((status == 503 && why.contains("the API server does not answer")).then_some(why))
    })
    .await?;
    let noticed = start.elapsed();
    ensure!(host.get("/healthz").await?.0 == 200, "it is not alive");
    let written = proxy.rules.done().len();
    // One that starts now waits as well.
    let apply = ["--mode", "apply", "--kinds", "MachineHealthCheck", "--namespace", "silent"];
    let mut late = Host::start(&proxy.kubeconfig, &stage.directory, "silent-late", &apply)?;
    eventually("it is alive", within(60), async || Ok((late.get("/healthz").await?.0 == 200).then_some(()))).await?;
    ensure!(late.get("/readyz").await?.0 == 503, "it is ready without having read anything");
    late.stop().await?;
    fleet.node_is("silent-1", "False").await?;
    // What happens in between nobody sees: another machine of the same name.
    fleet.kube.delete("Machine", "silent", "silent-2").await?;
    fleet.kube.delete("TestMachine", "silent", "silent-2").await?;
    fleet.machine_with("silent-2", None, json!({}), Some("silent-2")).await?;
    ensure!(proxy.rules.done().len() == written, "it has written {:?}", &proxy.rules.done()[written..]);
    proxy.rules.speak();
    fleet.says("Machine", "silent-1", "HealthCheckSucceeded", "Unknown WaitingForRecovery").await?;
    fleet.says("Machine", "silent-2", "HealthCheckSucceeded", "True").await.context("the other of that name")?;
    host.ready().await?;
    host.stop().await?;
    Ok(format!("{} after {} ms", why.trim(), noticed.as_millis()))
}

/// The leader is stopped in the middle of its work: the other replica takes over, and the stopped one, when it goes on,
/// writes nothing, although there is something to do, and ends.
pub async fn frozen(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "frozen").await?;
    fleet.machine("frozen-1", None).await?;
    fleet.health_check(1, json!({})).await?;
    let leaders = Proxy::start(&stage.kube, &stage.directory, "frozen-leader", Rules::default()).await?;
    let others = Proxy::start(&stage.kube, &stage.directory, "frozen-other", Rules::default()).await?;
    let lease = ["--leader-elect", "--lease-name", "frozen", "--lease-namespace", "frozen", "--lease-seconds", "4"];
    let mut leader = host(&stage, &leaders.kubeconfig, "frozen", &lease)?;
    eventually("it leads", within(60), async || Ok((leader.metric("capi_policy_leading").await? == 1).then_some(())))
        .await?;
    let apply = ["--mode", "apply", "--kinds", "MachineHealthCheck", "--namespace", "frozen"];
    let mut other = Host::start(&others.kubeconfig, &stage.directory, "frozen-other", &[&apply[..], &lease].concat())?;
    other.ready().await?;
    fleet.says("Machine", "frozen-1", "HealthCheckSucceeded", "True").await?;

    others.rules.delay_deletions.store(true, Ordering::SeqCst);
    leader.signal("STOP")?;
    let start = now();
    fleet.node_is("frozen-1", "False").await?;
    eventually("the other leads", within(60), async || {
        Ok((other.metric("capi_policy_leading").await? == 1).then_some(()))
    })
    .await?;
    let taken_over = start.elapsed();
    eventually("the other deletes", within(60), async || Ok((others.rules.held() > 0).then_some(()))).await?;
    let writes = || leaders.rules.done().into_iter().filter(|done| !done.path.contains("/leases/")).count();
    let before = writes();
    leader.signal("CONT")?;
    let status = leader.exited().await?;
    ensure!(!status.success(), "the leader ended with {status}");
    ensure!(writes() == before, "it has written {:?}", &leaders.rules.done());
    others.rules.delay_deletions.store(false, Ordering::SeqCst);
    eventually("the machine is deleted", within(60), async || {
        Ok(fleet.kube.get("Machine", "frozen", "frozen-1").await?.is_none().then_some(()))
    })
    .await?;
    other.stop().await?;
    let log = std::fs::read_to_string(&leader.log)?;
    ensure!(log.contains("the Lease frozen") || log.contains("took the Lease"), "nothing is said about it:\n{log}");
    Ok(format!("taken over after {} ms", taken_over.as_millis()))
}
