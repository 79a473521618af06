//! Health checks of machines whose owner remediates.

use anyhow::{Result, ensure};
use capi_policy_e2e::fleet::transitioned;
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::json;

const HEALTHY: &str = "True HealthCheckSucceeded";

pub async fn not_ready_and_back(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("recovers").await?;
    let set = fleet.machine_set("recovers", None).await?;
    fleet.machine("recovers-1", Some(&set)).await?;
    fleet.health_check(600, json!({})).await?;
    let mut found = stage.took("healthy", fleet.says("Machine", "recovers-1", "HealthCheckSucceeded", HEALTHY).await?);
    let check = eventually("the health check belongs to the cluster", within(30), async || {
        let check = fleet.kube.get("MachineHealthCheck", &fleet.name, &fleet.name).await?.unwrap_or_default();
        let labelled = check["metadata"]["labels"]["cluster.x-k8s.io/cluster-name"] == *fleet.name;
        Ok((labelled && check["metadata"]["ownerReferences"][0]["kind"] == "Cluster").then_some(check))
    });
    let check = check.await?;
    ensure!(
        check["status"]["expectedMachines"] == 1 && check["status"]["targets"] == json!(["recovers-1"]),
        "{check:#}"
    );
    fleet.node_is("recovers-1", "False").await?;
    let waiting = fleet.says("Machine", "recovers-1", "HealthCheckSucceeded", "Unknown WaitingForRecovery").await?;
    found += &stage.took("waiting", waiting);
    fleet.node_is("recovers-1", "True").await?;
    found += &stage.took("recovered", fleet.says("Machine", "recovers-1", "HealthCheckSucceeded", HEALTHY).await?);
    // Now for good.
    fleet
        .kube
        .patch(
            "MachineHealthCheck",
            &fleet.name,
            &fleet.name,
            json!({ "spec": { "checks": {
        "unhealthyNodeConditions": [{ "type": "Ready", "status": "False", "timeoutSeconds": 1 }] } } }),
        )
        .await?;
    fleet.node_is("recovers-1", "False").await?;
    let unhealthy = fleet.says("Machine", "recovers-1", "HealthCheckSucceeded", "False UnhealthyNode").await?;
    found += &stage.took("unhealthy (1 s timeout)", unhealthy);
    fleet.says("Machine", "recovers-1", "OwnerRemediated", "False WaitingForRemediation").await?;
    eventually("an event tells", within(30), async || {
        let events = fleet.kube.list("Event", &fleet.name).await?;
        Ok(events.iter().any(|event| event["reason"] == "MachineMarkedUnhealthy").then_some(()))
    })
    .await?;
    // Somebody else says something about the machine: the decision about its remediation stays as it is.
    fleet
        .kube
        .patch("Machine", &fleet.name, "recovers-1", json!({ "metadata": { "labels": { "seen": "yes" } } }))
        .await?;
    Ok(found)
}

pub async fn node_deleted(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("deletes").await?;
    let set = fleet.machine_set("deletes", None).await?;
    fleet.machine("deletes-1", Some(&set)).await?;
    fleet.health_check(600, json!({})).await?;
    fleet.says("Machine", "deletes-1", "HealthCheckSucceeded", HEALTHY).await?;
    fleet.kube.delete("Node", "", "deletes-1").await?;
    Ok(stage.took("unhealthy", fleet.says("Machine", "deletes-1", "HealthCheckSucceeded", "False NodeDeleted").await?))
}

pub async fn never_a_node(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("nodeless").await?;
    let set = fleet.machine_set("nodeless", None).await?;
    fleet.health_check(600, json!({})).await?;
    fleet.machine_with("nodeless-1", Some(&set), json!({}), None).await?;
    let waiting = fleet.says("Machine", "nodeless-1", "HealthCheckSucceeded", "Unknown WaitingForNode").await?;
    let sooner = json!({ "spec": { "checks": { "nodeStartupTimeoutSeconds": 1 } } });
    fleet.kube.patch("MachineHealthCheck", "nodeless", "nodeless", sooner).await?;
    let unhealthy = fleet.says("Machine", "nodeless-1", "HealthCheckSucceeded", "False NodeStartupTimeout").await?;
    Ok(stage.took("waiting", waiting) + &stage.took("unhealthy", unhealthy))
}

pub async fn too_many(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("toomany").await?;
    let set = fleet.machine_set("toomany", None).await?;
    for number in 1..=3 {
        fleet.machine(&format!("toomany-{number}"), Some(&set)).await?;
    }
    fleet.health_check(1, json!({ "triggerIf": { "unhealthyLessThanOrEqualTo": "40%" } })).await?;
    fleet.says("MachineHealthCheck", "toomany", "RemediationAllowed", "True RemediationAllowed").await?;
    fleet.node_is("toomany-1", "False").await?;
    fleet.node_is("toomany-2", "Unknown").await?;
    let refused = fleet.says("MachineHealthCheck", "toomany", "RemediationAllowed", "False TooManyUnhealthy").await?;
    fleet.says("Machine", "toomany-1", "HealthCheckSucceeded", "False UnhealthyNode").await?;
    fleet.says("Machine", "toomany-2", "HealthCheckSucceeded", "False UnhealthyNode").await?;
    let machine = fleet.kube.get("Machine", "toomany", "toomany-1").await?.unwrap_or_default();
    ensure!(capi_policy_e2e::kube_objects::condition(&machine, "OwnerRemediated").is_none(), "{machine:#}");
    fleet.node_is("toomany-2", "True").await?;
    fleet.says("Machine", "toomany-1", "OwnerRemediated", "False WaitingForRemediation").await?;
    Ok(stage.took("refused", refused))
}

pub async fn range(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("range").await?;
    let set = fleet.machine_set("range", None).await?;
    for number in 1..=3 {
        fleet.machine(&format!("range-{number}"), Some(&set)).await?;
    }
    fleet.health_check(1, json!({ "triggerIf": { "unhealthyInRange": "[2-2]" } })).await?;
    let outside = fleet.says("MachineHealthCheck", "range", "RemediationAllowed", "False TooManyUnhealthy").await?;
    for number in 1..=2 {
        fleet.node_is(&format!("range-{number}"), "False").await?;
    }
    let within = fleet.says("MachineHealthCheck", "range", "RemediationAllowed", "True RemediationAllowed").await?;
    Ok(stage.took("outside", outside) + &stage.took("within", within))
}

pub async fn ownerless(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("ownerless").await?;
    fleet.machine("ownerless-1", None).await?;
    fleet.health_check(1, json!({})).await?;
    fleet.says("Machine", "ownerless-1", "HealthCheckSucceeded", HEALTHY).await?;
    fleet.node_is("ownerless-1", "False").await?;
    eventually("the machine is deleted", within(30), async || {
        Ok(fleet.kube.get("Machine", "ownerless", "ownerless-1").await?.is_none().then_some(()))
    })
    .await?;
    Ok(String::new())
}

pub async fn targets(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("targets").await?;
    let set = fleet.machine_set("targets", None).await?;
    fleet.machine("targets-1", Some(&set)).await?;
    let other = json!({ "labels": { "pool": "others" } });
    fleet.machine_with("targets-2", Some(&set), other, None).await?;
    let skipped = json!({ "annotations": { "cluster.x-k8s.io/skip-remediation": "" } });
    fleet.machine_with("targets-3", Some(&set), skipped, None).await?;
    let paused = json!({ "annotations": { "cluster.x-k8s.io/paused": "" } });
    fleet.machine_with("targets-4", Some(&set), paused, None).await?;
    // It names the cluster but has not its label, by which Cluster API finds machines.
    fleet.machine_with("targets-5", Some(&set), json!({}), None).await?;
    let unlabelled = json!({ "metadata": { "labels": { "cluster.x-k8s.io/cluster-name": null } } });
    fleet.kube.patch("Machine", "targets", "targets-5", unlabelled).await?;
    let remediate = json!({ "annotations": { "cluster.x-k8s.io/remediate-machine": "" } });
    fleet.machine_with("targets-6", Some(&set), remediate, None).await?;
    fleet.health_check(600, json!({})).await?;
    fleet.says("Machine", "targets-6", "HealthCheckSucceeded", "False HasRemediateAnnotation").await?;
    eventually("the right machines are targets", within(30), async || {
        let check = fleet.kube.get("MachineHealthCheck", "targets", "targets").await?.unwrap_or_default();
        Ok((check["status"]["targets"] == json!(["targets-1", "targets-6"])).then_some(()))
    })
    .await?;
    Ok(String::new())
}

pub async fn not_judged(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("unjudged").await?;
    let set = fleet.machine_set("unjudged", None).await?;
    fleet.machine("unjudged-1", Some(&set)).await?;
    // Nothing to say about a machine without a Node while the startup timeout is off.
    fleet.health_check_with("unjudged", json!({ "nodeStartupTimeoutSeconds": 0 }), json!({})).await?;
    fleet.machine_with("unjudged-2", Some(&set), json!({}), None).await?;
    fleet.says("Machine", "unjudged-1", "HealthCheckSucceeded", HEALTHY).await?;
    // The infrastructure of the cluster breaks, with a Node there and without.
    let down = json!({ "conditions": [transitioned("Ready", "False", "Broken")] });
    fleet.kube.patch_status("TestCluster", "unjudged", "unjudged", down).await?;
    fleet.says("Cluster", "unjudged", "InfrastructureReady", "False Broken").await?;
    // An unhealthy machine that is being deleted is left alone.
    let fleet = stage.fleet("leaving").await?;
    let set = fleet.machine_set("leaving", None).await?;
    fleet.node("leaving-1").await?;
    let stay = json!({ "finalizers": ["test.capi-policy/stay"] });
    fleet.machine_with("leaving-1", Some(&set), stay, Some("leaving-1")).await?;
    fleet.health_check(1, json!({})).await?;
    fleet.says("Machine", "leaving-1", "HealthCheckSucceeded", HEALTHY).await?;
    fleet.kube.delete("Machine", "leaving", "leaving-1").await?;
    fleet.says("Machine", "leaving-1", "Deleting", "True").await?;
    fleet.node_is("leaving-1", "False").await?;
    fleet.says("Machine", "leaving-1", "HealthCheckSucceeded", "False UnhealthyNode").await?;
    // A cluster whose control plane is not up.
    let fleet = stage.fleet("early").await?;
    fleet.kube.patch_status("Cluster", "early", "early", json!({ "conditions": [], "initialization": null })).await?;
    fleet.machine_with("early-1", None, json!({}), None).await?;
    fleet.health_check(600, json!({})).await?;
    fleet.says("MachineHealthCheck", "early", "RemediationAllowed", "True").await?;
    Ok(String::new())
}

pub async fn machine_condition(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("mcondition").await?;
    let set = fleet.machine_set("mcondition", None).await?;
    fleet.machine("mcondition-1", Some(&set)).await?;
    let checks = json!({ "unhealthyMachineConditions": [{ "type": "Broken", "status": "True", "timeoutSeconds": 1 }] });
    fleet.health_check_with("mcondition", checks, json!({})).await?;
    fleet.says("Machine", "mcondition-1", "HealthCheckSucceeded", HEALTHY).await?;
    fleet.set_condition("Machine", "mcondition-1", transitioned("Broken", "True", "Test")).await?;
    Ok(stage.took(
        "unhealthy",
        fleet.says("Machine", "mcondition-1", "HealthCheckSucceeded", "False UnhealthyMachine").await?,
    ))
}

pub async fn paused(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("pauses").await?;
    fleet.health_check(600, json!({})).await?;
    fleet.says("MachineHealthCheck", "pauses", "Paused", "False NotPaused").await?;
    fleet.kube.patch("Cluster", "pauses", "pauses", json!({ "spec": { "paused": true } })).await?;
    Ok(stage.took("paused", fleet.says("MachineHealthCheck", "pauses", "Paused", "True Paused Cluster").await?))
}

pub async fn control_plane(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("kcp").await?;
    let version = "v1.36.3";
    let plane = fleet.kube.create(json!({
        "kind": "KubeadmControlPlane",
        "metadata": fleet.metadata("kcp"),
        "spec": {
            "version": version, "replicas": 1,
            "machineTemplate": { "spec": { "infrastructureRef": {
                "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "TestMachine", "name": "template" } } },
        },
    }));
    let plane = plane.await?;
    let label = json!({ "labels": { "cluster.x-k8s.io/control-plane": "" } });
    fleet.node("kcp-1").await?;
    fleet.machine_with("kcp-1", Some(&plane), label, Some("kcp-1")).await?;
    fleet.says("KubeadmControlPlane", "kcp", "Remediating", "False NotRemediating").await?;
    fleet.health_check(1, json!({ "triggerIf": { "unhealthyLessThanOrEqualTo": 0 } })).await?;
    fleet.says("Machine", "kcp-1", "HealthCheckSucceeded", HEALTHY).await?;
    fleet.node_is("kcp-1", "False").await?;
    let left = fleet
        .says("KubeadmControlPlane", "kcp", "Remediating", "False NotRemediating Machine kcp-1 is not healthy")
        .await?;
    let remediation = json!({ "triggerIf": { "unhealthyLessThanOrEqualTo": 1 } });
    fleet.kube.patch("MachineHealthCheck", "kcp", "kcp", json!({ "spec": { "remediation": remediation } })).await?;
    let remediating = fleet.says("KubeadmControlPlane", "kcp", "Remediating", "True Remediating").await?;
    Ok(stage.took("not to be remediated", left) + &stage.took("remediating", remediating))
}
