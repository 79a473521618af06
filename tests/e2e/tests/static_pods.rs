//! The Pods of a control plane: with the shipped role they are read; without it, or out of reach, what is stored stays.

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::fleet::{Fleet, install_provider, transitioned};
use capi_policy_e2e::host::{Host, command};
use capi_policy_e2e::kube_objects::{Kube, said};
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::process::root;
use capi_policy_e2e::scenario;
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};
use std::process::ExitCode;

/// Who reads the workload cluster.
const READER: &str = "reader";
const COMPONENTS: &str = "ControlPlaneComponentsHealthy";
const API_SERVER: &str = "APIServerPodHealthy";

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&[READER]).await?;
        let kube = plane.kube().await?;
        install_provider(&kube).await?;
        let text = std::fs::read_to_string(root().join("deploy/workload/role.yaml"))?;
        for role in serde_saphyr::from_multiple::<Value>(&text)? {
            kube.create(role).await?;
        }
        bind(&kube, "ClusterRole", "capi-policy-nodes").await?;
        let near = control_plane(&kube, "near", &plane.user(READER)?).await?;
        let dead = plane.directory().join("dead.kubeconfig");
        let nowhere = std::fs::read_to_string(plane.user(READER)?)?.replace(&plane.server, "https://127.0.0.1:1");
        std::fs::write(&dead, nowhere)?;
        let far = control_plane(&kube, "far", &dead).await?;
        let arguments = ["--mode", "apply", "--kinds", "KubeadmControlPlane", "--profile", "cluster-api-v1.14"];
        let mut host = Host::start(&plane.kubeconfig, plane.directory(), "apply", &arguments)?;
        host.ready().await?;

        eventually("what is stored is kept, and reported", within(60), async || {
            let kept = host.differences().await?["keptByKind"]["KubeadmControlPlane"][COMPONENTS].clone();
            let log = std::fs::read_to_string(&host.log)?;
            Ok((kept == 2 && log.contains("conditions of control-plane components stay as they are stored"))
                .then_some(()))
        })
        .await?;
        ensure!(host.metric("capi_policy_forbidden_total{kind=\"Pod\"}").await? > 0, "nobody was refused");
        for fleet in [&near, &far] {
            says_what_was_stored(fleet).await?;
        }
        println!("test static_pods::not_allowed ... ok");

        bind(&kube, "Role", "capi-policy-static-pods").await?;
        near.says("Machine", "near-1", API_SERVER, "False DoesNotExist").await?;
        near.says("KubeadmControlPlane", "near", COMPONENTS, "False NotHealthy").await?;
        for component in ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"] {
            kube.create(static_pod(component, "near-1")).await?;
        }
        near.says("Machine", "near-1", API_SERVER, "True Running").await?;
        near.says("KubeadmControlPlane", "near", COMPONENTS, "True Healthy").await?;
        println!("test static_pods::read ... ok");
        commands_read_them(&plane)?;
        println!("test static_pods::commands ... ok");

        says_what_was_stored(&far).await?;
        println!("test static_pods::out_of_reach ... ok");
        host.stop().await?;
        Ok(0)
    })
}

async fn bind(kube: &Kube, kind: &str, name: &str) -> Result<()> {
    let group = "rbac.authorization.k8s.io";
    kube.create(json!({
        "kind": format!("{kind}Binding"),
        "metadata": { "name": name, "namespace": if kind == "Role" { "kube-system" } else { "" } },
        "roleRef": { "apiGroup": group, "kind": kind, "name": name },
        "subjects": [{ "apiGroup": group, "kind": "User", "name": READER }],
    }))
    .await?;
    Ok(())
}

/// A control plane of one Machine that was healthy when it was last looked at.
async fn control_plane(kube: &Kube, name: &str, kubeconfig: &std::path::Path) -> Result<Fleet> {
    let fleet = Fleet::create(kube, name, kubeconfig).await?;
    let endpoint = json!({ "spec": { "controlPlaneEndpoint": { "host": "127.0.0.1", "port": 6443 } } });
    kube.patch("Cluster", name, name, endpoint).await?;
    let reference =
        json!({ "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "TestMachineTemplate", "name": "t" });
    let conditions = [("Initialized", "Initialized"), (COMPONENTS, "Healthy")];
    let owner = kube
        .create(json!({
            "kind": "KubeadmControlPlane",
            "metadata": fleet.metadata(name),
            "spec": { "replicas": 1, "version": "v1.36.3", "machineTemplate": { "spec": { "infrastructureRef": reference } } },
            "status": {
                "initialization": { "controlPlaneInitialized": true },
                "conditions": conditions.map(|(kind, reason)| transitioned(kind, "True", reason)),
            },
        }))
        .await?;
    let (machine, role) = (format!("{name}-1"), json!({ "cluster.x-k8s.io/control-plane": "" }));
    fleet.node(&machine).await?;
    fleet.machine_with(&machine, Some(&owner), json!({ "labels": role }), Some(&machine)).await?;
    fleet.set_condition("Machine", &machine, transitioned(API_SERVER, "True", "Running")).await?;
    Ok(fleet)
}

/// Commands that read the cluster themselves come to the same decision.
fn commands_read_them(plane: &Plane) -> Result<()> {
    let kubeconfig = plane.kubeconfig.display().to_string();
    let arguments =
        ["evaluate", "-n", "near", "-o", "json", "--profile", "cluster-api-v1.14", "--kubeconfig", &kubeconfig];
    let (_, evaluations, error) = command(&arguments)?;
    let evaluations: Vec<Value> = serde_json::from_str(&evaluations).with_context(|| error)?;
    let owner = evaluations.iter().find(|evaluation| evaluation["kind"] == "KubeadmControlPlane");
    let conditions = owner.context("no control plane")?["conditions"].as_array().cloned().unwrap_or_default();
    let found = conditions.iter().find(|condition| condition["type"] == COMPONENTS).context("no condition")?;
    ensure!(found["status"] == "True", "{found}");
    Ok(())
}

async fn says_what_was_stored(fleet: &Fleet) -> Result<()> {
    let (name, machine) = (&fleet.name, format!("{}-1", fleet.name));
    let owner = fleet.kube.get("KubeadmControlPlane", name, name).await?.context("no control plane")?;
    let machine = fleet.kube.get("Machine", name, &machine).await?.context("no machine")?;
    let found = (said(&owner, COMPONENTS), said(&machine, API_SERVER));
    ensure!(found == ("True Healthy".to_owned(), "True Running".to_owned()), "{name}: {found:?}");
    Ok(())
}

fn static_pod(component: &str, node: &str) -> Value {
    json!({
        "kind": "Pod",
        "metadata": {
            "name": format!("{component}-{node}"), "namespace": "kube-system",
            "labels": { "tier": "control-plane", "component": component },
            "annotations": { "kubernetes.io/config.mirror": component },
        },
        "spec": { "nodeName": node, "containers": [{ "name": component, "image": component }] },
        "status": {
            "phase": "Running",
            "conditions": [{ "type": "Ready", "status": "True" }],
        },
    })
}
