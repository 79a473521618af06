//! What can't be read, and who looks after what.

use anyhow::{Result, ensure};
use capi_policy_e2e::fleet::Fleet;
use capi_policy_e2e::host::Host;
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A kubeconfig that leads nowhere: that cluster's machines are unknown, the others' are judged.
pub async fn out_of_reach(stage: Stage) -> Result<String> {
    let nowhere = stage.directory.join("nowhere.kubeconfig");
    let text = std::fs::read_to_string(&stage.kubeconfig)?;
    let server = text.lines().find(|line| line.contains("server:")).unwrap_or_default().to_owned();
    std::fs::write(&nowhere, text.replace(server.trim(), "server: https://127.0.0.1:9"))?;
    let fleet = Fleet::create(&stage.kube, "nowhere", &nowhere).await?;
    let set = fleet.machine_set("nowhere", None).await?;
    fleet.machine("nowhere-1", Some(&set)).await?;
    fleet.health_check(600, json!({})).await?;
    fleet.says("Machine", "nowhere-1", "NodeHealthy", "Unknown").await?;
    Ok(String::new())
}

pub async fn no_cluster(stage: Stage) -> Result<String> {
    let fleet = stage.fleet("orphaned").await?;
    fleet
        .kube
        .create(json!({
            "kind": "MachineHealthCheck",
            "metadata": { "name": "lost", "namespace": "orphaned" },
            "spec": { "clusterName": "missing", "selector": { "matchLabels": { "pool": "none" } } },
        }))
        .await?;
    Ok(String::new())
}

/// A host that may list health checks and MachineDeployments, but not what belongs to them.
pub async fn blind(stage: Stage, kubeconfig: PathBuf) -> Result<String> {
    let fleet = stage.fleet("blind").await?;
    let read = json!(["get", "list", "watch"]);
    let rule = |group: &str, resources: Value| json!({ "apiGroups": [group], "resources": resources, "verbs": read });
    fleet
        .kube
        .create(json!({
            "kind": "Role",
            "metadata": { "name": "blind", "namespace": "blind" },
            "rules": [
                rule("cluster.x-k8s.io", json!(["clusters", "machinedeployments", "machinehealthchecks"])),
                rule("controlplane.cluster.x-k8s.io", json!(["kubeadmcontrolplanes"])),
                rule("infrastructure.cluster.x-k8s.io", json!(["*"])),
                rule("", json!(["secrets"])),
            ],
        }))
        .await?;
    fleet
        .kube
        .create(json!({
            "kind": "RoleBinding",
            "metadata": { "name": "blind", "namespace": "blind" },
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "blind" },
            "subjects": [{ "apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "blind" }],
        }))
        .await?;
    fleet.machine_deployment("blind").await?;
    fleet.health_check(600, json!({})).await?;
    let mut host = Host::start(&kubeconfig, &stage.directory, "blind", &["--namespace", "blind"])?;
    eventually("the rows for lists that fail", within(60), async || {
        let rows = host.rows()?;
        Ok((rows.contains("MD-DEL-1") && rows.contains("MHC-REC-3")).then_some(()))
    })
    .await?;
    host.stop().await?;
    Ok(String::new())
}

/// Two hosts, each with its own part: one by label, one by namespace.
pub async fn shared(stage: Stage) -> Result<String> {
    let label = json!({ "cluster.x-k8s.io/watch-filter": "ours" });
    for (name, labels) in [("shared-a", label), ("shared-b", json!({}))] {
        let fleet = Fleet::create_labelled(&stage.kube, name, &stage.kubeconfig, labels).await?;
        fleet.health_check(600, json!({})).await?;
    }
    let by_label = ["--watch-filter", "ours"];
    let mut by_label = Host::start(&stage.kubeconfig, &stage.directory, "by-label", &by_label)?;
    let by_namespace = ["--namespace", "shared-b"];
    let mut by_namespace = Host::start(&stage.kubeconfig, &stage.directory, "by-namespace", &by_namespace)?;
    for (host, namespace) in [(&by_label, "shared-a"), (&by_namespace, "shared-b")] {
        eventually("each has decided", within(60), async || {
            let decided = |d: &&Value| d["kind"] == "MachineHealthCheck" && d["namespace"] == namespace;
            Ok(host.decisions()?.iter().find(decided).map(drop))
        })
        .await?;
        let others: Vec<_> = host.decisions()?.into_iter().filter(|d| d["namespace"] != namespace).collect();
        ensure!(others.is_empty(), "decided about {others:?}");
    }
    by_label.stop().await?;
    by_namespace.stop().await?;
    // The host that looks after everything writes for both.
    for name in ["shared-a", "shared-b"] {
        Fleet::existing(&stage.kube, name).says("MachineHealthCheck", name, "Paused", "False NotPaused").await?;
    }
    Ok(String::new())
}
