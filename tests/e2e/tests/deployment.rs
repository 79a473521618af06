//! `kubectl apply -k deploy/observe` and `deploy/apply`: the server takes them as they are, and the program runs with the
//! Pod's own arguments, environment and rights, and a policy from a registry.

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::fleet::{Fleet, install_provider, transitioned};
use capi_policy_e2e::host::{self, Host, policy};
use capi_policy_e2e::kube_objects::Kube;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::process::{program, root};
use capi_policy_e2e::registry::Registry;
use capi_policy_e2e::scenario;
use capi_policy_e2e::upstream::install_inventory;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const NAMESPACE: &str = "capi-policy-system";

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&[]).await?;
        let kube = plane.kube().await?;
        install_provider(&kube).await?;
        install_inventory(&kube, "default").await?;
        let fleet = Fleet::create(&kube, "deployed", &plane.kubeconfig).await?;
        fleet.set_condition("Cluster", "deployed", transitioned("InfrastructureReady", "True", "Ready")).await?;
        fleet.machine("deployed-1", None).await?;
        fleet.health_check(1, json!({})).await?;

        apply(&plane, &root().join("deploy/observe"))?;
        observes(&plane, &kube, &fleet).await?;
        println!("test deployment::observe ... ok");
        let found = applies(&plane, &kube, &fleet).await?;
        println!("test deployment::apply ... ok  {found}");
        // It names a namespace that is the user's.
        kubectl(&plane, &["create", "namespace", "clusters"])?;
        for folder in ["namespaced", "workload/role.yaml"] {
            dry_run(&plane, &root().join("deploy").join(folder))?;
        }
        println!("test deployment::others ... ok");
        Ok(0)
    })
}

async fn observes(plane: &Plane, kube: &Kube, fleet: &Fleet) -> Result<()> {
    let pod = Pod::of(plane, kube, "capi-policy-0").await?;
    let mut host = pod.start(plane, &policy()?)?;
    host.ready().await?;
    eventually("it has found differences", within(60), async || {
        Ok((host.metric("capi_policy_differences{kind=\"MachineHealthCheck\"").await? > 0).then_some(()))
    })
    .await?;
    leads(&host).await?;
    nothing_forbidden(&host).await?;
    ensure!(host.metric("capi_policy_writes").await? == 0, "an observer has written");
    for probe in ["livenessProbe", "readinessProbe"] {
        let path = pod.container[probe]["httpGet"]["path"].as_str().context("no path")?.to_owned();
        ensure!(host.get(&path).await?.0 == 200, "{probe} fails");
    }
    host.stop().await?;
    ensure!(fleet.kube.get("Machine", "deployed", "deployed-1").await?.is_some(), "the machine is gone");
    Ok(())
}

/// The same objects changed to apply, with a policy from a registry in place of the image's own, as an overlay says.
async fn applies(plane: &Plane, kube: &Kube, fleet: &Fleet) -> Result<String> {
    let registry = Registry::start(plane.directory())?;
    let reference = format!("oci://{}/capi-policy:0.1.0", registry.address);
    let (code, pinned, error) = host::command(&["push", &reference, "--policy", &policy()?])?;
    ensure!(code == Some(0), "{error}");
    let pinned = pinned.trim();
    ensure!(pinned.contains("@sha256:"), "{pinned}");
    let overlay = overlay(plane.directory(), pinned)?;
    apply(plane, &overlay)?;
    let pod = Pod::of(plane, kube, "capi-policy-0").await?;
    // Nothing is where the image has its own policy.
    let mut host = pod.start(plane, "/nowhere/capi_policy.wasm")?;
    fleet.says("Machine", "deployed-1", "HealthCheckSucceeded", "True").await?;
    leads(&host).await?;
    host.stop().await?;
    let decided = host.decisions()?.len();
    ensure!(decided > 0, "nothing is on record");

    // The next Pod of that name has the same volumes; the policy is in the cache, so it starts without the registry.
    drop(registry);
    let mut host = pod.start(plane, "/nowhere/capi_policy.wasm")?;
    host.ready().await?;
    fleet.node_is("deployed-1", "False").await?;
    fleet.says("Machine", "deployed-1", "OwnerRemediated", "False").await?;
    eventually("there are events", within(30), async || Ok(kube.list("Event", "deployed").await?.first().map(drop)))
        .await?;
    nothing_forbidden(&host).await?;
    host.stop().await?;
    ensure!(host.decisions()?.len() > decided, "the record does not go on");
    Ok(format!("{} records", host.decisions()?.len()))
}

/// `deploy/apply` with a pinned policy, as people write it.
fn overlay(directory: &Path, pinned: &str) -> Result<PathBuf> {
    let folder = std::fs::canonicalize(directory)?.join("overlay");
    std::fs::create_dir(&folder)?;
    let up = "../".repeat(folder.components().count() - 1);
    let base = std::fs::canonicalize(root().join("deploy/apply"))?;
    let base = format!("{up}{}", base.display().to_string().trim_start_matches('/'));
    let kustomization = json!({
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": [base],
        "patches": [{
            "target": { "kind": "StatefulSet", "name": "capi-policy" },
            "patch": json!([{
                "op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": format!("--policy={pinned}"),
            }]).to_string(),
        }],
    });
    std::fs::write(folder.join("kustomization.yaml"), kustomization.to_string())?;
    Ok(folder)
}

/// What the stateful set says about its Pods, and the token that they would get.
struct Pod {
    name: &'static str,
    container: Value,
    kubeconfig: PathBuf,
}

impl Pod {
    async fn of(plane: &Plane, kube: &Kube, name: &'static str) -> Result<Self> {
        let set = kube.get("StatefulSet", NAMESPACE, "capi-policy").await?.context("no stateful set")?;
        let spec = &set["spec"]["template"]["spec"];
        let account = spec["serviceAccountName"].as_str().context("no service account")?;
        let token = kubectl(plane, &["create", "token", account, "--namespace", NAMESPACE])?;
        let mut config: Value = serde_saphyr::from_str(&std::fs::read_to_string(&plane.kubeconfig)?)?;
        *config.pointer_mut("/users/0/user").context("no user")? = json!({ "token": token.trim() });
        *config.pointer_mut("/contexts/0/context/namespace").context("no context")? = json!(NAMESPACE);
        let kubeconfig = plane.directory().join(format!("{name}.kubeconfig"));
        std::fs::write(&kubeconfig, config.to_string())?;
        Ok(Self { name, container: spec["containers"][0].clone(), kubeconfig })
    }

    /// Starts the program as the kubelet would. What is elsewhere on this machine: volumes, the port, and the token, which
    /// comes with a kubeconfig.
    fn start(&self, plane: &Plane, policy: &str) -> Result<Host> {
        let mut environment = vec![
            // From the image.
            ("CAPI_POLICY".to_owned(), policy.to_owned()),
            ("KUBECONFIG".to_owned(), self.kubeconfig.display().to_string()),
        ];
        for variable in self.container["env"].as_array().into_iter().flatten() {
            let name = variable["name"].as_str().context("no name")?.to_owned();
            let value = match variable["valueFrom"]["fieldRef"]["fieldPath"].as_str() {
                Some("metadata.name") => self.name.to_owned(),
                Some(other) => anyhow::bail!("{name} is {other}"),
                None => variable["value"].as_str().context("no value")?.to_owned(),
            };
            environment.push((name, value));
        }
        let mut mounts = Vec::new();
        for mount in self.container["volumeMounts"].as_array().into_iter().flatten() {
            let path = mount["mountPath"].as_str().context("no path")?;
            let folder = plane.directory().join(format!("{}{}", self.name, path.replace('/', "-")));
            std::fs::create_dir_all(&folder)?;
            mounts.push((path.to_owned(), folder.display().to_string()));
        }
        let here = |text: &str| {
            let mut text = text.replace("$(POD_NAME)", self.name);
            for (path, folder) in &mounts {
                if let Some(at) = text.find(&**path).filter(|at| *at == 0 || text[..*at].ends_with('=')) {
                    text.replace_range(at..at + path.len(), folder);
                }
            }
            text
        };
        let environment: Vec<(String, String)> = environment.into_iter().map(|(n, v)| (n, here(&v))).collect();
        let arguments = self.container["args"].as_array().context("no arguments")?;
        let arguments: Vec<String> = arguments.iter().filter_map(Value::as_str).map(here).collect();
        Host::start_as(&environment, arguments, &plane.directory().join(format!("{}.log", self.name)))
    }
}

/// `kubectl apply -k`, which the server has to take without a word of warning.
fn apply(plane: &Plane, folder: &Path) -> Result<()> {
    let folder = folder.display().to_string();
    kubectl(plane, &["apply", "-k", &folder]).map(drop)
}

/// Whether the server would take a folder or file.
fn dry_run(plane: &Plane, path: &Path) -> Result<()> {
    let flag = if path.is_dir() { "-k" } else { "-f" };
    kubectl(plane, &["apply", flag, &path.display().to_string(), "--dry-run=server"]).map(drop)
}

fn kubectl(plane: &Plane, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(program("KUBECTL", "target/testplane/kubectl")?);
    let output = command.arg("--kubeconfig").arg(&plane.kubeconfig).args(arguments).output()?;
    let (said, complaints) = (String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
    ensure!(output.status.success() && complaints.is_empty(), "kubectl {arguments:?}: {complaints}{said}");
    Ok(said)
}

async fn leads(host: &Host) -> Result<()> {
    eventually("it leads", within(60), async || Ok((host.metric("capi_policy_leading").await? == 1).then_some(())))
        .await
}

async fn nothing_forbidden(host: &Host) -> Result<()> {
    ensure!(host.metric("capi_policy_forbidden").await? == 0, "the host may not read everything");
    let log = std::fs::read_to_string(&host.log)?;
    let complaints: Vec<&str> = log.lines().filter(|line| line.contains("forbidden")).collect();
    ensure!(complaints.is_empty(), "{complaints:#?}");
    Ok(())
}
