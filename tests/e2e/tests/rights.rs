//! The shipped roles are enough, and the observer's allows no write.

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::fleet::{Fleet, install_provider, transitioned};
use capi_policy_e2e::host::{Host, policy};
use capi_policy_e2e::kube_objects::Kube;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::process::root;
use capi_policy_e2e::scenario;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};
use std::process::ExitCode;

const ACCOUNT: &str = "system:serviceaccount:capi-policy-system:capi-policy";

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&[&format!("{ACCOUNT}=system:serviceaccounts")]).await?;
        let kube = plane.kube().await?;
        install_provider(&kube).await?;
        shipped_reads_only()?;
        for file in
            ["namespace", "service_account", "role", "role_binding", "lease_role", "kubeconfig_role", "stateful_set"]
        {
            create_all(&kube, &format!("deploy/observe/{file}.yaml")).await?;
        }
        let account = plane.user(ACCOUNT)?;
        let fleet = Fleet::create(&kube, "rights", &plane.kubeconfig).await?;
        fleet.set_condition("Cluster", "rights", transitioned("InfrastructureReady", "True", "Ready")).await?;
        let set = fleet.machine_set("rights", None).await?;
        fleet.machine("rights-1", Some(&set)).await?;
        fleet.machine("rights-2", None).await?;
        fleet.health_check(1, json!({})).await?;

        let arguments = ["--leader-elect", "--lease-namespace", "capi-policy-system"];
        let mut observer = Host::start(&account, plane.directory(), "observer", &arguments)?;
        observer.ready().await?;
        eventually("the observer has found differences", within(60), async || {
            Ok((observer.differences().await?["differences"].as_array().is_some_and(|d| d.len() > 3)).then_some(()))
        })
        .await?;
        nothing_forbidden(&observer).await?;
        ensure!(observer.metric("capi_policy_writes").await? == 0, "an observer has written");
        every_metric_is_documented(&observer).await?;
        refused(&Kube::connect(&account).await?).await?;
        println!("test rights::observe ... ok");
        observer.stop().await?;

        for file in ["role", "role_binding"] {
            create_all(&kube, &format!("deploy/apply/{file}.yaml")).await?;
        }
        let policy = policy()?;
        let arguments =
            [&arguments[..], &["--mode", "apply", "--kinds", "MachineHealthCheck", "--policy", &policy]].concat();
        let mut host = Host::start(&account, plane.directory(), "apply", &arguments)?;
        fleet.says("Machine", "rights-1", "HealthCheckSucceeded", "True").await?;
        fleet.says("MachineHealthCheck", "rights", "RemediationAllowed", "True").await?;
        fleet.node_is("rights-1", "False").await?;
        fleet.node_is("rights-2", "False").await?;
        fleet.says("Machine", "rights-1", "OwnerRemediated", "False").await?;
        eventually("the machine that nobody owns is deleted", within(30), async || {
            Ok(kube.get("Machine", "rights", "rights-2").await?.is_none().then_some(()))
        })
        .await?;
        eventually("there are events", within(30), async || Ok(kube.list("Event", "rights").await?.first().map(drop)))
            .await?;
        nothing_forbidden(&host).await?;
        println!("test rights::apply ... ok");
        host.stop().await?;
        Ok(0)
    })
}

fn documents(path: &str) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(root().join(path)).with_context(|| path.to_owned())?;
    Ok(serde_saphyr::from_multiple(&text)?)
}

async fn create_all(kube: &Kube, path: &str) -> Result<()> {
    for object in documents(path)? {
        kube.create(object).await.with_context(|| path.to_owned())?;
    }
    Ok(())
}

/// The observer's role has no verb that writes.
fn shipped_reads_only() -> Result<()> {
    let roles = ["deploy/observe/role.yaml", "deploy/observe/kubeconfig_role.yaml", "deploy/namespaced/role.yaml"];
    let roles = roles.iter().map(|file| documents(file)).collect::<Result<Vec<_>>>()?.concat();
    for role in roles.iter().filter(|role| role["kind"] != "ClusterRoleBinding" && role["kind"] != "RoleBinding") {
        for rule in role["rules"].as_array().context("no rules")? {
            let reads = |verb: &Value| ["get", "list", "watch"].iter().any(|read| verb == read);
            ensure!(rule["verbs"].as_array().is_some_and(|verbs| verbs.iter().all(reads)), "{rule}");
        }
    }
    Ok(())
}

/// Every kind of write is refused to the observer.
async fn refused(kube: &Kube) -> Result<()> {
    let patch = json!({ "metadata": { "labels": { "a": "b" } } });
    let event = json!({ "kind": "Event", "metadata": { "name": "e", "namespace": "rights" } });
    let results = [
        kube.patch_status("Machine", "rights", "rights-1", json!({ "phase": "Running" })).await.map(drop),
        kube.patch("MachineHealthCheck", "rights", "rights", patch).await.map(drop),
        kube.delete("Machine", "rights", "rights-1").await,
        kube.create(event).await.map(drop),
    ];
    for result in results {
        let error = result.err().context("a write of the observer was not refused")?;
        ensure!(format!("{error:#}").contains("forbidden"), "{error:#}");
    }
    Ok(())
}

/// What is really served is in the reference.
async fn every_metric_is_documented(observer: &Host) -> Result<()> {
    let reference = std::fs::read_to_string(root().join("docs/metrics.md"))?;
    let (_, served) = observer.get("/metrics").await?;
    for name in served.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()) {
        ensure!(reference.contains(&format!("| `{name}")), "docs/metrics.md lacks {name}");
    }
    Ok(())
}

async fn nothing_forbidden(host: &Host) -> Result<()> {
    ensure!(host.metric("capi_policy_forbidden").await? == 0, "the host may not read everything");
    let log = std::fs::read_to_string(&host.log)?;
    let complaints: Vec<&str> = log.lines().filter(|line| line.contains("forbidden")).collect();
    ensure!(complaints.is_empty(), "{complaints:#?}");
    Ok(())
}
