//! Remediation by somebody else: from the template to the request to the clean-up.

use anyhow::{Result, ensure};
use capi_policy_e2e::fleet::Fleet;
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};

fn by_template(name: &str) -> Value {
    let api_version = "remediation.test.capi-policy/v1";
    json!({ "templateRef": { "apiVersion": api_version, "kind": "TestRemediationTemplate", "name": name } })
}

async fn template(fleet: &Fleet, labels: Value) -> Result<()> {
    let content = json!({ "metadata": { "labels": labels }, "spec": { "how": "gently" } });
    fleet
        .kube
        .create(json!({
            "kind": "TestRemediationTemplate",
            "metadata": { "name": "how", "namespace": fleet.name },
            "spec": { "template": content },
        }))
        .await?;
    Ok(())
}

pub async fn from_template_to_clean_up(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("external").await?;
    template(&fleet, json!({ "by": "test" })).await?;
    let set = fleet.machine_set("external", None).await?;
    fleet.machine("external-1", Some(&set)).await?;
    fleet.health_check(1, by_template("how")).await?;
    fleet.says("Machine", "external-1", "HealthCheckSucceeded", "True").await?;
    fleet.node_is("external-1", "False").await?;
    let found = stage.took(
        "handed over",
        fleet.says("Machine", "external-1", "ExternallyRemediated", "False WaitingForRemediation").await?,
    );
    let request = eventually("there is a request", within(30), async || {
        fleet.kube.get("TestRemediation", "external", "external-1").await
    })
    .await?;
    ensure!(request["spec"] == json!({ "how": "gently" }), "{request:#}");
    ensure!(request["metadata"]["labels"]["by"] == "test", "{request:#}");
    ensure!(request["metadata"]["ownerReferences"][0]["name"] == "external-1", "{request:#}");
    // It stays while the machine is unhealthy, whatever else happens to the machine.
    fleet
        .kube
        .patch("Machine", "external", "external-1", json!({ "metadata": { "labels": { "seen": "yes" } } }))
        .await?;
    fleet.node_is("external-1", "True").await?;
    eventually("the request is gone", within(30), async || {
        Ok(fleet.kube.get("TestRemediation", "external", "external-1").await?.is_none().then_some(()))
    })
    .await?;
    fleet.says("Machine", "external-1", "HealthCheckSucceeded", "True").await?;
    Ok(found)
}

pub async fn no_template(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("notemplate").await?;
    let set = fleet.machine_set("notemplate", None).await?;
    fleet.machine("notemplate-1", Some(&set)).await?;
    fleet.health_check(1, by_template("missing")).await?;
    fleet.node_is("notemplate-1", "False").await?;
    fleet.says("Machine", "notemplate-1", "ExternallyRemediated", "False RemediationTemplateNotFound").await?;
    Ok(String::new())
}

/// The template asks for a label that no object can have.
pub async fn refused(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("refused").await?;
    template(&fleet, json!({ "by": "not a label!" })).await?;
    let set = fleet.machine_set("refused", None).await?;
    fleet.machine("refused-1", Some(&set)).await?;
    fleet.health_check(1, by_template("how")).await?;
    fleet.node_is("refused-1", "False").await?;
    let told =
        fleet.says("Machine", "refused-1", "ExternallyRemediated", "False RemediationRequestCreationFailed").await?;
    // Once the template is right, the next attempt succeeds.
    let content = json!({ "template": { "metadata": { "labels": { "by": "test" } } } });
    fleet.kube.patch("TestRemediationTemplate", "refused", "how", json!({ "spec": content })).await?;
    fleet.says("Machine", "refused-1", "ExternallyRemediated", "False WaitingForRemediation").await?;
    eventually("there is a request", within(30), async || {
        fleet.kube.get("TestRemediation", "refused", "refused-1").await
    })
    .await?;
    Ok(stage.took("refused", told))
}
