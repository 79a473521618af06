//! `plan` before a rollout names the machines that the real controllers then replace, in that order.

#[path = "plans/journal.rs"]
mod journal;
#[path = "plans/prediction.rs"]
mod prediction;

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::kube_objects::Kube;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::scenario;
use capi_policy_e2e::upstream::Upstream;
use capi_policy_e2e::wait::{eventually, now, within};
use journal::Journal;
use prediction::Prediction;
use serde_json::{Value, json};
use std::process::ExitCode;
use std::time::Duration;

const NAMESPACE: &str = "default";
const CLUSTER: &str = "one";
const WORKERS: &str = "one-workers";
/// On a Machine, it keeps the provider from joining its Node.
const NO_NODE: &str = "test.capi-policy/no-node";
/// About how long machines take to come up here.
const BOOT: &str = "2s";
/// How long nothing moves when all is done.
const QUIET: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&[]).await?;
        let mut upstream = Upstream::start(&plane).await?;
        let result = rollouts(&plane, &mut upstream).await;
        upstream.stop().await?;
        result.map(|()| 0)
    })
}

/// What has been predicted so far, and what of it came true.
struct Rollouts<'p> {
    plane: &'p Plane,
    kube: Kube,
    predicted: usize,
    came_true: usize,
}

async fn rollouts(plane: &Plane, upstream: &mut Upstream) -> Result<()> {
    upstream.create_fleet(&format!("{CLUSTER} 3 control-plane=3")).await?;
    let mut all = Rollouts { plane, kube: plane.kube().await?, predicted: 0, came_true: 0 };

    all.change("scaled up", json!({ "replicas": 5 })).await?;
    all.change("scaled down", json!({ "replicas": 4 })).await?;
    all.change("one more at a time", rollout("v1.36.4", 1, 0)).await?;
    all.change("one fewer at a time", rollout("v1.36.5", 0, 1)).await?;
    all.change("half of them at a time", rollout("v1.36.6", "50%", "25%")).await?;

    // In the middle of the names, so that no order but that of health puts it first.
    let broken = all.workers().await?.into_iter().nth(2).context("no third machine")?;
    all.node_is(&broken, "False").await?;
    all.settled().await?;
    all.change("a Node is broken", rollout("v1.36.7", 0, 1)).await?;

    all.broken_halfway().await?;
    all.control_plane("v1.36.4").await?;
    println!("{} steps were predicted, {} came true", all.predicted, all.came_true);
    ensure!(all.predicted == all.came_true && all.predicted > 0, "not everything came true");
    Ok(())
}

/// Another version for the machines, and how many there may be more or fewer meanwhile.
fn rollout(version: &str, surge: impl Into<Value>, unavailable: impl Into<Value>) -> Value {
    let (surge, unavailable): (Value, Value) = (surge.into(), unavailable.into());
    json!({
        "template": { "spec": { "version": version } },
        "rollout": { "strategy": {
            "type": "RollingUpdate",
            "rollingUpdate": { "maxSurge": surge, "maxUnavailable": unavailable },
        } },
    })
}

impl Rollouts<'_> {
    /// Plans a change of the workers, makes it, and compares.
    async fn change(&mut self, what: &str, spec: Value) -> Result<()> {
        let change = json!({ "spec": spec });
        let prediction = self.plan(&format!("md/{WORKERS}"), Some(&change), BOOT).await?;
        let journal = Journal::start(&self.kube, NAMESPACE).await?;
        self.kube.patch("MachineDeployment", NAMESPACE, WORKERS, change).await?;
        self.rolled_out().await?;
        self.compare(what, &prediction, journal).await
    }

    /// A rollout stops because its first machine does not come up, another Node breaks meanwhile, and then it goes on.
    async fn broken_halfway(&mut self) -> Result<()> {
        let mut spec = rollout("v1.36.8", 1, 0);
        spec["template"]["metadata"] = json!({ "annotations": { NO_NODE: "" } });
        self.kube.patch("MachineDeployment", NAMESPACE, WORKERS, json!({ "spec": spec })).await?;
        let waiting = |machine: &Value| machine["metadata"]["annotations"][NO_NODE].is_string();
        let stuck = eventually("a machine waits for its Node", within(60), async || {
            let machines = self.machines().await?;
            let stuck = machines.iter().find(|machine| waiting(machine) && machine["status"]["phase"] == "Provisioned");
            Ok(stuck.map(name))
        })
        .await?;
        let mut old = self.workers().await?.into_iter().filter(|machine| *machine != stuck);
        let broken = old.next_back().context("no old machine")?;
        self.node_is(&broken, "False").await?;
        self.settled().await?;
        let object = format!("md/{WORKERS}");
        let stopped = self.plan(&object, None, BOOT).await?;
        let names = stopped.stops.iter().any(|stop| stop.contains(&stuck));
        ensure!(stopped.steps() == 0 && names, "the plan does not stop at {stuck}: {stopped:#?}");
        // A machine that is given more time comes up in the plan as well.
        let prediction = self.plan(&object, None, "10m").await?;
        let journal = Journal::start(&self.kube, NAMESPACE).await?;
        let metadata = json!({ "annotations": { NO_NODE: null } });
        let template = json!({ "spec": { "template": { "metadata": metadata } } });
        self.kube.patch("MachineDeployment", NAMESPACE, WORKERS, template).await?;
        eventually("no machine is to be without Node", within(60), async || {
            let machines = self.machines().await?;
            for machine in machines.iter().filter(|machine| waiting(machine)) {
                self.kube.patch("Machine", NAMESPACE, &name(machine), json!({ "metadata": metadata })).await?;
            }
            Ok((!machines.iter().any(waiting)).then_some(()))
        })
        .await?;
        self.rolled_out().await?;
        self.compare("a Node breaks halfway", &prediction, journal).await
    }

    async fn control_plane(&mut self, version: &str) -> Result<()> {
        let change = json!({ "spec": { "version": version } });
        let prediction = self.plan(&format!("kcp/{CLUSTER}"), Some(&change), BOOT).await?;
        let etcd = prediction.assumptions.iter().any(|sentence| sentence.contains("nobody asked etcd"));
        ensure!(etcd, "the plan does not say what it assumes of etcd: {:?}", prediction.assumptions);
        let journal = Journal::start(&self.kube, NAMESPACE).await?;
        self.kube.patch("KubeadmControlPlane", NAMESPACE, CLUSTER, change).await?;
        eventually("the control plane is new", within(180), async || {
            let object = self.kube.get("KubeadmControlPlane", NAMESPACE, CLUSTER).await?.unwrap_or_default();
            let status = &object["status"];
            let current = object["metadata"]["generation"] == status["observedGeneration"];
            let counts = ["replicas", "upToDateReplicas", "availableReplicas"];
            Ok((current && counts.iter().all(|count| status[count] == 3)).then_some(()))
        })
        .await?;
        self.settled().await?;
        self.compare("the control plane gets another version", &prediction, journal).await
    }

    /// What is captured from the server is what is planned on.
    async fn plan(&self, object: &str, change: Option<&Value>, boot: &str) -> Result<Prediction> {
        self.settled().await?;
        let fleet = self.plane.directory().join("fleet.yaml");
        prediction::capture(&self.plane.kubeconfig, CLUSTER, &fleet)?;
        let patch = self.plane.directory().join("patch.json");
        if let Some(change) = change {
            std::fs::write(&patch, change.to_string())?;
        }
        prediction::plan(&fleet, object, change.map(|_| &*patch), boot)
    }

    async fn compare(&mut self, what: &str, prediction: &Prediction, journal: Journal) -> Result<()> {
        let happened = journal.stop().await?;
        let came_true = prediction.came_true(&happened);
        println!(
            "{what}: {} steps predicted, {came_true} came true: {} created, deleted {:?}",
            prediction.steps(),
            happened.created.len(),
            happened.deleted
        );
        ensure!(
            came_true == prediction.steps() && happened.steps() == prediction.steps(),
            "{what}: predicted {prediction:#?}\nhappened {happened:#?}"
        );
        self.predicted += prediction.steps();
        self.came_true += came_true;
        Ok(())
    }

    async fn machines(&self) -> Result<Vec<Value>> {
        self.kube.list("Machine", NAMESPACE).await
    }

    /// The workers, by name.
    async fn workers(&self) -> Result<Vec<String>> {
        let machines = self.machines().await?;
        let workers = machines
            .iter()
            .filter(|machine| machine["metadata"]["labels"]["cluster.x-k8s.io/deployment-name"] == WORKERS);
        let mut names: Vec<String> = workers.map(name).collect();
        names.sort();
        Ok(names)
    }

    async fn rolled_out(&self) -> Result<()> {
        eventually("the workers are as wanted", within(180), async || {
            let object = self.kube.get("MachineDeployment", NAMESPACE, WORKERS).await?.unwrap_or_default();
            let (status, wanted) = (&object["status"], &object["spec"]["replicas"]);
            let current = object["metadata"]["generation"] == status["observedGeneration"];
            let counts = ["replicas", "upToDateReplicas", "availableReplicas"];
            Ok((current && counts.iter().all(|count| status[count] == *wanted)).then_some(()))
        })
        .await?;
        self.settled().await
    }

    /// Waits until nothing moves any more.
    async fn settled(&self) -> Result<()> {
        let (mut last, mut since) = (Vec::new(), now());
        eventually("nothing moves", within(60), async || {
            let mut versions = Vec::new();
            for kind in ["Cluster", "KubeadmControlPlane", "MachineDeployment", "MachineSet", "Machine", "Node"] {
                let objects = self.kube.list(kind, "").await?;
                versions.extend(objects.iter().map(|object| object["metadata"]["resourceVersion"].clone()));
            }
            if versions != last {
                (last, since) = (versions, now());
            }
            Ok((since.elapsed() > QUIET).then_some(()))
        })
        .await
    }

    /// A strategic merge: a Node has more conditions than this one.
    async fn node_is(&self, machine: &str, ready: &str) -> Result<()> {
        let conditions = json!([capi_policy_e2e::fleet::transitioned("Ready", ready, "Test")]);
        let patch = kube::api::Patch::Strategic(json!({ "status": { "conditions": conditions } }));
        self.kube.api("Node", "")?.patch_status(machine, &kube::api::PatchParams::default(), &patch).await?;
        Ok(())
    }
}

fn name(object: &Value) -> String {
    object["metadata"]["name"].as_str().unwrap_or_default().to_owned()
}
