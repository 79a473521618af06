//! The commands that read a cluster themselves, with the roles that may only read.

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::fleet::{Fleet, install_provider, transitioned};
use capi_policy_e2e::host::command;
use capi_policy_e2e::kube_objects::Kube;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::process::{program, root};
use capi_policy_e2e::scenario;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

const ACCOUNT: &str = "system:serviceaccount:capi-policy-system:capi-policy";
const NAME: &str = "live";

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&[&format!("{ACCOUNT}=system:serviceaccounts")]).await?;
        let kube = plane.kube().await?;
        install_provider(&kube).await?;
        for file in ["namespace", "service_account", "role", "role_binding", "kubeconfig_role"] {
            create_all(&kube, &format!("deploy/observe/{file}.yaml")).await?;
        }
        let fleet = Fleet::create(&kube, NAME, &plane.kubeconfig).await?;
        fleet.set_condition("Cluster", NAME, transitioned("InfrastructureReady", "True", "Ready")).await?;
        let set = fleet.machine_set(NAME, None).await?;
        fleet.machine("live-1", Some(&set)).await?;
        fleet.machine("live-2", Some(&set)).await?;
        fleet.health_check(600, json!({})).await?;
        reconciled(&fleet).await?;
        let account = plane.user(ACCOUNT)?.display().to_string();

        installed(&account, &kube).await?;
        println!("test live::profile ... ok");
        healthy(&account)?;
        println!("test live::evaluate ... ok");
        fleet.node_is("live-1", "False").await?;
        waiting(&account)?;
        println!("test live::explain_forecast_tree ... ok");
        planned(&account)?;
        println!("test live::plan ... ok");
        follows(&account, &fleet, plane.directory()).await?;
        println!("test live::watch ... ok");
        nothing_there(&account)?;
        println!("test live::nothing ... ok");
        Ok(0)
    })
}

/// Cluster API decides about nothing before it has written down that an object is not paused.
async fn reconciled(fleet: &Fleet) -> Result<()> {
    let mut condition = transitioned("Paused", "False", "NotPaused");
    condition["observedGeneration"] = json!(1);
    for (kind, name) in [
        ("Cluster", NAME),
        ("MachineSet", NAME),
        ("Machine", "live-1"),
        ("Machine", "live-2"),
        ("MachineHealthCheck", NAME),
    ] {
        fleet.set_condition(kind, name, condition.clone()).await?;
    }
    Ok(())
}

fn ask(account: &str, arguments: &[&str]) -> Result<String> {
    let (code, stdout, stderr) = command(&[arguments, &["--kubeconfig", account]].concat())?;
    ensure!(code == Some(0), "{arguments:?}: {code:?}\n{stdout}\n{stderr}");
    ensure!(!stderr.contains("not read"), "everything could be read: {stderr}");
    Ok(stdout)
}

fn check(text: &str) -> Result<Value> {
    let evaluations: Vec<Value> = serde_json::from_str(text)?;
    evaluations.into_iter().find(|evaluation| evaluation["kind"] == "MachineHealthCheck").context("no health check")
}

/// The rules are those of the Cluster API that is installed, which its Deployments tell where there is no inventory.
async fn installed(account: &str, kube: &Kube) -> Result<()> {
    let evaluate = || command(&["evaluate", "-A", "-o", "json", "--kubeconfig", account]);
    let (_, _, stderr) = evaluate()?;
    ensure!(stderr.contains("found no version; the nearest rules are those of cluster-api-v1.14"), "{stderr}");
    for (name, provider, version) in [
        ("capi-controller-manager", "cluster-api", "v1.13.6"),
        ("capi-kubeadm-control-plane-controller-manager", "control-plane-kubeadm", "v1.14.2"),
    ] {
        kube.create(deployment(name, provider, version)).await?;
    }
    let (code, stdout, stderr) = evaluate()?;
    ensure!(code == Some(0) && !stderr.contains("nearest rules"), "{stderr}");
    let evaluations: Vec<Value> = serde_json::from_str(&stdout)?;
    ensure!(evaluations.iter().all(|evaluation| evaluation["profile"] == "cluster-api-v1.13"), "{stdout}");
    let (_, stdout, _) =
        command(&["evaluate", "-A", "-o", "json", "--profile", "documented", "--kubeconfig", account])?;
    ensure!(stdout.contains(r#""profile": "documented""#), "{stdout}");
    Ok(())
}

fn deployment(name: &str, provider: &str, version: &str) -> Value {
    let labels = json!({ "cluster.x-k8s.io/provider": provider });
    let image = format!("registry.example/{name}:{version}");
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": { "name": name, "namespace": "default", "labels": labels },
        "spec": {
            "selector": { "matchLabels": labels },
            "template": { "metadata": { "labels": labels }, "spec": { "containers": [{ "name": "manager", "image": image }] } },
        },
    })
}

/// What no object says is assumed, and each assumption is in the answer. The set's template does not exist, so no plan for more
/// machines can come to its end.
fn planned(account: &str) -> Result<()> {
    let arguments = ["plan", "-n", NAME, &format!("ms/{NAME}"), "--set", "spec.replicas=4", "-o", "json"];
    let plan = |arguments: &[&str]| command(&[arguments, &["--kubeconfig", account]].concat());
    let (code, stdout, stderr) = plan(&["plan", "-n", NAME, &format!("cluster/{NAME}")])?;
    ensure!(code == Some(1) && stdout.contains("live-1"), "{code:?} {stdout} {stderr}");
    let (code, stdout, stderr) = plan(&arguments)?;
    ensure!(code == Some(1), "{code:?} {stdout} {stderr}");
    let plan: Value = serde_json::from_str(&stdout)?;
    let assumptions = plan["assumptions"].to_string();
    ensure!(assumptions.contains("not known for cluster-api-v1.13"), "{assumptions}");
    let owner = &plan["owners"][0];
    let replaced: Vec<_> = owner["replaced"].as_array().into_iter().flatten().map(|one| &one["machine"]).collect();
    ensure!(replaced == ["live-1"], "{plan}");
    ensure!(owner["stops"][0]["row"] == "MS-SCA-4", "{plan}");
    Ok(())
}

/// Nodes come from the workload cluster, by its kubeconfig Secret.
fn healthy(account: &str) -> Result<()> {
    let all = check(&ask(account, &["evaluate", "-A", "-o", "json"])?)?;
    let verdicts: Vec<_> =
        all["machines"].as_array().with_context(|| all.to_string())?.iter().map(|m| &m["verdict"]).collect();
    ensure!(verdicts == ["healthy", "healthy"], "{all}");
    let one = ask(account, &["evaluate", "-n", NAME, "machine/live-1", "-o", "json"])?;
    ensure!(serde_json::from_str::<Vec<Value>>(&one)?.len() == 1, "{one}");
    Ok(())
}

fn waiting(account: &str) -> Result<()> {
    let text = ask(account, &["explain", "-n", NAME, &format!("mhc/{NAME}")])?;
    let lines: Vec<_> = text.lines().skip(1).take(3).map(str::trim_start).collect();
    ensure!(lines.len() == 3 && lines[0].starts_with("what") && text.contains("1 inside a timeout"), "{text}");
    let text = ask(account, &["forecast", "-n", NAME, "--until", "1h", "mhc"])?;
    ensure!(text.contains("live-1") && text.contains("waiting → unhealthy"), "{text}");
    for arguments in [&["tree", "-n", NAME, NAME][..], &["tree", "-A"]] {
        let text = ask(account, arguments)?;
        ensure!(text.contains("health check: MachineHealthCheck") && text.contains("live-1"), "{text}");
    }
    let trees: Value = serde_json::from_str(&ask(account, &["tree", "-A", "-o", "json"])?)?;
    ensure!(trees[0]["kind"] == "Cluster" && trees[0]["name"] == NAME, "{trees}");
    Ok(())
}

/// `--watch` shows what changes, and ends when it is told to.
async fn follows(account: &str, fleet: &Fleet, directory: &Path) -> Result<()> {
    let output = directory.join("watched.txt");
    let mut watching = Command::new(program("CAPI_POLICY_HOST", "capi-policy")?)
        .args(["evaluate", "--watch", "-n", NAME, "mhc", "--kubeconfig", account])
        .stdout(std::fs::File::create(&output)?)
        .stderr(Stdio::null())
        .spawn()?;
    let shows = async |words: &str| {
        eventually(words, within(60), async || Ok(std::fs::read_to_string(&output)?.contains(words).then_some(())))
            .await
    };
    let seen = async {
        shows("live-1").await?;
        fleet.node_is("live-2", "False").await?;
        shows("live-2").await
    };
    let seen = seen.await;
    watching.kill()?;
    watching.wait()?;
    seen
}

fn nothing_there(account: &str) -> Result<()> {
    let (code, _, stderr) = command(&["evaluate", "-n", "default", "--kubeconfig", account])?;
    ensure!(
        code == Some(2) && stderr.contains("no objects of Cluster API in namespace default; -A reads all"),
        "{stderr}"
    );
    Ok(())
}

async fn create_all(kube: &Kube, path: &str) -> Result<()> {
    let text = std::fs::read_to_string(root().join(path)).with_context(|| path.to_owned())?;
    for object in serde_saphyr::from_multiple::<Value>(&text)? {
        kube.create(object).await.with_context(|| path.to_owned())?;
    }
    Ok(())
}
