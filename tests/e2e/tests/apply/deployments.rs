//! MachineDeployments in deletion and remediation, and machines that are updated in place.

use anyhow::{Result, ensure};
use capi_policy_e2e::fleet::{Fleet, transitioned};
use capi_policy_e2e::host::{Host, command};
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};

pub async fn deleted(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("goes").await?;
    let deployment = fleet.machine_deployment("goes").await?;
    let set = fleet.machine_set("goes", Some(&deployment)).await?;
    fleet.machine("goes-1", Some(&set)).await?;
    fleet.machine("goes-2", Some(&set)).await?;
    fleet.says("MachineDeployment", "goes", "Deleting", "False NotDeleting").await?;
    fleet.kube.delete("MachineDeployment", "goes", "goes").await?;
    let two = fleet.says("MachineDeployment", "goes", "Deleting", "True Deleting Deleting 2 Machines").await?;
    fleet.kube.delete("Machine", "goes", "goes-1").await?;
    fleet.says("MachineDeployment", "goes", "Deleting", "True Deleting Deleting 1 Machine").await?;
    fleet.kube.delete("Machine", "goes", "goes-2").await?;
    fleet.says("MachineDeployment", "goes", "Deleting", "True Deleting Deleting 1 MachineSets").await?;
    fleet.kube.delete("MachineSet", "goes", "goes").await?;
    fleet.kube.patch("MachineSet", "goes", "goes", json!({ "metadata": { "finalizers": [] } })).await?;
    let done = fleet.says("MachineDeployment", "goes", "Deleting", "True Deleting Deletion completed").await?;
    stuck_in_deletion(&stage.fleet("stuck").await?).await?;
    Ok(stage.took("deleting", two) + &stage.took("completed", done))
}

async fn stuck_in_deletion(fleet: &Fleet) -> Result<()> {
    let deployment = fleet.machine_deployment("stuck").await?;
    let set = fleet.machine_set("stuck", Some(&deployment)).await?;
    fleet.node("stuck-1").await?;
    let stay = json!({ "finalizers": ["test.capi-policy/drain"] });
    fleet.machine_with("stuck-1", Some(&set), stay, Some("stuck-1")).await?;
    fleet.kube.delete("Machine", "stuck", "stuck-1").await?;
    fleet.kube.delete("MachineDeployment", "stuck", "stuck").await?;
    fleet.says("MachineDeployment", "stuck", "Deleting", "True Deleting Deleting 1 Machine").await?;
    Ok(())
}

/// A machine that drains for more than a quarter of an hour is named. Nobody can forge the time of a deletion, so a
/// host looks ahead; one that would apply what it sees there is not started.
pub async fn stuck(stage: &Stage) -> Result<String> {
    let ahead = ["--namespace", "stuck", "--ahead", "20m"];
    let (code, _, error) = command(&[&["watch", "--mode", "apply"], &ahead[..]].concat())?;
    ensure!(code == Some(2) && error.contains("--ahead is for observing"), "{code:?} {error}");
    let mut host = Host::start(&stage.kubeconfig, &stage.directory, "ahead", &ahead)?;
    let named = eventually("the machine is named", within(60), async || {
        let says = |c: &Value| {
            let message = "Deleting 1 Machine\n* Machine stuck-1 is in deletion since more than 15m";
            c["row"] == "MD-DEL-5" && c["message"].as_str().is_some_and(|text| text.starts_with(message))
        };
        let told = |d: &Value| d["conditions"].as_array().is_some_and(|all| all.iter().any(says));
        Ok(host.decisions()?.iter().any(told).then_some(()))
    });
    named.await?;
    host.stop().await?;
    Ok("a machine stuck draining is named".to_owned())
}

pub async fn remediates(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("mdheals").await?;
    let deployment = fleet.machine_deployment("mdheals").await?;
    let set = fleet.machine_set("mdheals", Some(&deployment)).await?;
    fleet.machine("mdheals-1", Some(&set)).await?;
    fleet.says("MachineDeployment", "mdheals", "Remediating", "False NotRemediating").await?;
    fleet.health_check(1, json!({ "triggerIf": { "unhealthyLessThanOrEqualTo": 0 } })).await?;
    fleet.node_is("mdheals-1", "False").await?;
    let left = "False NotRemediating Machine mdheals-1 is not healthy (not to be remediated";
    fleet.says("MachineDeployment", "mdheals", "Remediating", left).await?;
    let remediation = json!({ "triggerIf": { "unhealthyLessThanOrEqualTo": 1 } });
    fleet
        .kube
        .patch("MachineHealthCheck", "mdheals", "mdheals", json!({ "spec": { "remediation": remediation } }))
        .await?;
    Ok(stage.took("remediating", fleet.says("MachineDeployment", "mdheals", "Remediating", "True Remediating").await?))
}

pub async fn in_place_update(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("updates").await?;
    let set = fleet.machine_set("updates", None).await?;
    fleet.machine("updates-1", Some(&set)).await?;
    fleet.says("Machine", "updates-1", "Updating", "False NotUpdating").await?;
    let annotation = "in-place-updates.internal.cluster.x-k8s.io/update-in-progress";
    fleet
        .kube
        .patch("Machine", "updates", "updates-1", json!({ "metadata": { "annotations": { annotation: "" } } }))
        .await?;
    let starts = fleet.says("Machine", "updates-1", "Updating", "True InPlaceUpdating").await?;
    // Whoever updates says how far it is, and that stays.
    let mut progress = transitioned("Updating", "True", "InPlaceUpdating");
    progress["message"] = json!("half way");
    fleet.set_condition("Machine", "updates-1", progress).await?;
    fleet.says("Machine", "updates-1", "Updating", "True InPlaceUpdating half way").await?;
    fleet.says("Machine", "updates-1", "Ready", "False NotReady * Updating: half way").await?;
    fleet
        .kube
        .patch("Machine", "updates", "updates-1", json!({ "metadata": { "annotations": { annotation: null } } }))
        .await?;
    let ends = fleet.says("Machine", "updates-1", "Updating", "False NotUpdating").await?;
    Ok(stage.took("starts", starts) + &stage.took("ends", ends))
}
