//! Objects as users and providers would have made them: provisioned, with Nodes that are ready, and nothing decided yet.

use crate::load::Size;
use anyhow::Result;
use capi_policy_e2e::fleet::{Fleet, transitioned};
use capi_policy_e2e::kube_objects::Kube;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::proxy::{Proxy, Rules};
use futures::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};

/// Requests at a time.
const AT_A_TIME: usize = 16;
/// Longer than a measurement takes: no machine is remediated.
const TIMEOUT: i64 = 36_000;

/// The namespace of a cluster, and its name.
pub fn cluster(number: usize) -> String {
    format!("load-{number}")
}

/// A machine, and its Node.
pub fn machine(cluster: &str, number: usize) -> String {
    format!("{cluster}-{number}")
}

/// What a kubelet says.
pub fn node_conditions(ready: &str) -> Value {
    let pressure = |kind| transitioned(kind, "False", "KubeletHasSufficient");
    let ready = transitioned("Ready", ready, "Kubelet");
    json!([ready, pressure("MemoryPressure"), pressure("DiskPressure"), pressure("PIDPressure")])
}

pub async fn create(kube: &Kube, plane: &Plane, size: &Size) -> Result<()> {
    let mut sets = Vec::new();
    for number in 0..size.clusters {
        let name = cluster(number);
        // One server plays every workload cluster, so each is shown its own Nodes only.
        let mut rules = Rules::default();
        rules.nodes = Some(format!("cluster%3D{name}"));
        let proxy = Proxy::start(kube, plane.directory(), &name, rules).await?;
        let fleet = Fleet::create(kube, &name, &proxy.kubeconfig).await?;
        let set = fleet.machine_set(&name, None).await?;
        kube.patch("MachineSet", &name, &name, json!({ "spec": { "replicas": size.machines } })).await?;
        fleet.health_check(TIMEOUT, json!({ "triggerIf": { "unhealthyLessThanOrEqualTo": "100%" } })).await?;
        sets.push((fleet, set));
    }
    let all = sets.iter().flat_map(|(fleet, set)| (0..size.machines).map(move |number| (fleet, set, number)));
    stream::iter(all)
        .map(|(fleet, set, number)| create_machine(fleet, set, machine(&fleet.name, number)))
        .buffer_unordered(AT_A_TIME)
        .try_collect::<Vec<()>>()
        .await?;
    Ok(())
}

async fn create_machine(fleet: &Fleet, set: &Value, name: String) -> Result<()> {
    let kube = &fleet.kube;
    let provider = json!({ "providerID": format!("test:////{name}") });
    let labels = json!({ "cluster": fleet.name });
    let status = json!({ "conditions": node_conditions("True") });
    let metadata = json!({ "name": name, "labels": labels });
    kube.create(json!({ "kind": "Node", "metadata": metadata, "spec": provider, "status": status })).await?;
    fleet.machine_with(&name, Some(set), json!({}), Some(&name)).await?;
    kube.patch("TestMachine", &fleet.name, &name, json!({ "spec": provider })).await?;
    Ok(())
}
