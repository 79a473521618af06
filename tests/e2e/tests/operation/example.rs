//! The program of `host-example/`, as its README starts it.

use anyhow::{Result, ensure};
use capi_policy_e2e::host::policy;
use capi_policy_e2e::process::{Process, program};
use capi_policy_e2e::stage::Stage;
use serde_json::json;
use std::path::Path;

/// Nodes are not read, so nothing is known about a machine that has one; what an annotation says is known all the same.
pub async fn prints(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("example").await?;
    fleet.machine("example-1", None).await?;
    fleet.health_check(600, json!({})).await?;
    let log = stage.directory.join("example.log");
    let program = program("CAPI_POLICY_EXAMPLE", "target/release/capi-policy-host-example")?;
    let arguments = [format!("KUBECONFIG={}", stage.kubeconfig.display()), program.display().to_string(), policy()?];
    let mut example = Process::start(Path::new("/usr/bin/env"), &arguments, &log)?;
    let conditions = ["  RemediationAllowed: RemediationAllowed (MHC-RA-4)", "  Paused: NotPaused (PAUSED-2)"];
    let open = ["  machine example-1: Verdict::NotEvaluated (MHC-HCS-4)", "  2 actions to carry out"];
    printed(&mut example, &[conditions, open].concat()).await?;
    let annotations = json!({ "metadata": { "annotations": { "cluster.x-k8s.io/remediate-machine": "" } } });
    fleet.kube.patch("Machine", "example", "example-1", annotations).await?;
    let unhealthy =
        ["  machine example-1: Verdict::Unhealthy, Cause::RemediateAnnotation (MHC-HCS-1)", "  3 actions to carry out"];
    printed(&mut example, &[conditions, unhealthy].concat()).await?;
    let machine = fleet.kube.get("Machine", "example", "example-1").await?.unwrap_or_default();
    ensure!(machine["metadata"]["deletionTimestamp"].is_null(), "it wrote something: {machine}");
    Ok("two decisions".to_owned())
}

/// Reads on until the decision about the health check is printed like this; other namespaces have theirs.
async fn printed(example: &mut Process, wanted: &[&str]) -> Result<()> {
    loop {
        if example.line().await? != "example/example" {
            continue;
        }
        let mut lines = Vec::new();
        while lines.len() < wanted.len() {
            lines.push(example.line().await?);
        }
        if lines == wanted {
            return Ok(());
        }
        eprintln!("the example printed {lines:#?}");
    }
}
