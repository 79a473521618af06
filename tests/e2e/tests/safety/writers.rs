//! Others who write what the host writes, or change what it has decided about.

use super::{fleet, host};
use anyhow::{Result, ensure};
use capi_policy_e2e::fleet::transitioned;
use capi_policy_e2e::kube_objects::said;
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

/// The first write takes a condition over; when another takes it back, it is reported with that one's name and left alone.
pub async fn second(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "twice").await?;
    let owner = fleet.machine_set("twice", None).await?;
    fleet.machine("twice-1", Some(&owner)).await?;
    let theirs = async || -> Result<()> {
        let condition = transitioned("HealthCheckSucceeded", "False", "TheirReason");
        let body = json!({
            "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine", "metadata": { "name": "twice-1" },
            "status": { "conditions": [condition] },
        });
        let params = PatchParams::apply("another-controller").force();
        fleet.kube.api("Machine", "twice")?.patch_status("twice-1", &params, &Patch::Apply(&body)).await?;
        Ok(())
    };
    theirs().await?;
    let proxy = Proxy::start(&stage.kube, &stage.directory, "twice", Rules::default()).await?;
    let mut host = host(&stage, &proxy.kubeconfig, "twice", &[])?;
    host.ready().await?;
    fleet.health_check(600, json!({})).await?;
    fleet.says("Machine", "twice-1", "HealthCheckSucceeded", "True").await?;
    theirs().await?;
    eventually("the conflict is counted", within(60), async || {
        Ok((host.metric("capi_policy_writer_conflicts_total{").await? > 0).then_some(()))
    })
    .await?;
    // They write on, and nobody writes against them.
    let writes = || proxy.rules.done().iter().filter(|done| done.path.ends_with("/machines/twice-1/status")).count();
    let before = writes();
    for _ in 0..20 {
        theirs().await?;
        fleet.kube.patch("Machine", "twice", "twice-1", json!({ "metadata": { "labels": { "n": fresh() } } })).await?;
    }
    fleet.node_is("twice-1", "False").await?;
    fleet.says("MachineHealthCheck", "twice", "RemediationAllowed", "True").await?;
    let machine = fleet.kube.get("Machine", "twice", "twice-1").await?.unwrap_or_default();
    ensure!(said(&machine, "HealthCheckSucceeded").starts_with("False TheirReason"), "{machine:#}");
    ensure!(writes() <= before + 1, "{} writes against another", writes() - before);
    host.stop().await?;
    let log = std::fs::read_to_string(&host.log)?;
    let reports =
        log.lines().filter(|line| line.contains("another writer") && line.contains("another-controller")).count();
    ensure!(reports == 1, "reported {reports} times:\n{log}");
    Ok(String::new())
}

fn fresh() -> String {
    use std::sync::atomic::AtomicUsize;
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::SeqCst).to_string()
}

/// An annotation that comes after the decision to delete a machine stops the deletion.
pub async fn changed(stage: Stage) -> Result<String> {
    let fleet = fleet(&stage, "changed").await?;
    fleet.machine("changed-1", None).await?;
    fleet.health_check(1, json!({})).await?;
    let proxy = Proxy::start(&stage.kube, &stage.directory, "changed", Rules::default()).await?;
    proxy.rules.delay_deletions.store(true, Ordering::SeqCst);
    let mut host = host(&stage, &proxy.kubeconfig, "changed", &[])?;
    fleet.says("Machine", "changed-1", "HealthCheckSucceeded", "True").await?;
    fleet.node_is("changed-1", "False").await?;
    eventually("the deletion is on its way", within(60), async || Ok((proxy.rules.held() > 0).then_some(()))).await?;
    let skip = json!({ "metadata": { "annotations": { "cluster.x-k8s.io/skip-remediation": "" } } });
    fleet.kube.patch("Machine", "changed", "changed-1", skip).await?;
    proxy.rules.delay_deletions.store(false, Ordering::SeqCst);
    let outcome = |record: &&Value| record["record"] == "result" && record["what"] == "deleteMachine";
    let result = eventually("the deletion has an outcome", within(60), async || {
        Ok(host.decisions()?.iter().find(outcome).map(|record| record["result"].clone()))
    })
    .await?;
    ensure!(result == "outdated", "{result}");
    let intents = host.decisions()?.into_iter().filter(|r| r["record"] == "intent" && r["what"] == "deleteMachine");
    ensure!(intents.count() == 1, "it was tried again");
    host.stop().await?;
    ensure!(fleet.kube.get("Machine", "changed", "changed-1").await?.is_some(), "the machine is gone");
    Ok(String::new())
}
