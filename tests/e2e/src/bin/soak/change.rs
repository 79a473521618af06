//! A kind of change and a cluster in, something done to one of its objects out.

use crate::random::Random;
use anyhow::Result;
use capi_policy_e2e::fleet::Fleet;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// In the names of machines that nothing is done to: every cluster has a Node, and remediations for no reason show.
pub const LEFT_ALONE: &str = "-left-alone-";
/// Enough to see thresholds pass, few enough to be decided soon.
const MACHINES: usize = 8;
const PAUSED: &str = "cluster.x-k8s.io/paused";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    NodeBreaks,
    NodeRecovers,
    NodeDeleted,
    NodeCreated,
    MachineCreated,
    MachineDeleted,
    NodeRef,
    MachineLabel,
    Scaled,
    OwnerLabel,
    Timeout,
    Threshold,
    Selector,
    CheckPaused,
    ClusterPaused,
    RequestDeleted,
    PolicySwapped,
}

/// Often what makes remediations, seldom what keeps them from being made.
#[rustfmt::skip]
pub const KINDS: &[Kind] = &[
    Kind::NodeBreaks, Kind::NodeBreaks, Kind::NodeBreaks, Kind::NodeBreaks,
    Kind::NodeRecovers, Kind::NodeRecovers, Kind::NodeRecovers,
    Kind::NodeDeleted, Kind::NodeCreated,
    Kind::MachineCreated, Kind::MachineCreated, Kind::MachineCreated, Kind::MachineDeleted,
    Kind::NodeRef, Kind::MachineLabel, Kind::Scaled, Kind::OwnerLabel,
    Kind::Timeout, Kind::Threshold, Kind::Selector, Kind::CheckPaused, Kind::ClusterPaused,
    Kind::RequestDeleted, Kind::RequestDeleted, Kind::PolicySwapped,
];

/// What was done.
#[derive(Clone, Debug)]
pub struct Change {
    pub kind: Kind,
    pub cluster: String,
    /// The object and what it is now.
    pub what: String,
}

/// Makes a change; none when the cluster has nothing to do this to.
pub async fn make(kind: Kind, fleet: &Fleet, random: &mut Random) -> Result<Option<Change>> {
    let machines = fleet.kube.list("Machine", &fleet.name).await?;
    let machines: Vec<Value> = machines.into_iter().filter(|machine| !name(machine).contains(LEFT_ALONE)).collect();
    let done = match kind {
        Kind::NodeBreaks | Kind::NodeRecovers | Kind::NodeDeleted | Kind::NodeCreated => {
            node(kind, fleet, &machines, random).await?
        }
        Kind::MachineCreated if machines.len() < MACHINES => Some(create(fleet, random).await?),
        Kind::MachineDeleted | Kind::NodeRef | Kind::MachineLabel => {
            let Some(machine) = random.pick(&machines) else { return Ok(None) };
            let done = machine_changes(kind, fleet, machine).await?;
            Some(format!("{} {done}", name(machine)))
        }
        Kind::Scaled | Kind::OwnerLabel => owner(kind, fleet, random).await?,
        Kind::Timeout | Kind::Threshold | Kind::Selector | Kind::CheckPaused => check(kind, fleet, random).await?,
        Kind::ClusterPaused => {
            let cluster = fleet.kube.get("Cluster", &fleet.name, &fleet.name).await?.unwrap_or_default();
            let paused = random.one_in(4);
            if (cluster["spec"]["paused"] == true) == paused {
                return Ok(None);
            }
            fleet.kube.patch("Cluster", &fleet.name, &fleet.name, json!({ "spec": { "paused": paused } })).await?;
            Some(format!("paused {paused}"))
        }
        Kind::RequestDeleted => {
            let requests = fleet.kube.list("TestRemediation", &fleet.name).await?;
            let Some(request) = random.pick(&requests) else { return Ok(None) };
            fleet.kube.delete("TestRemediation", &fleet.name, name(request)).await?;
            Some(name(request).to_owned())
        }
        Kind::MachineCreated | Kind::PolicySwapped => None,
    };
    Ok(done.map(|what| Change { kind, cluster: fleet.name.clone(), what }))
}

async fn node(kind: Kind, fleet: &Fleet, machines: &[Value], random: &mut Random) -> Result<Option<String>> {
    let nodes = fleet.kube.list("Node", "").await?;
    let nodes: BTreeSet<&str> = nodes.iter().map(name).collect();
    let wanted = |machine: &&Value| nodes.contains(name(machine)) == (kind != Kind::NodeCreated);
    let names: Vec<&str> = machines.iter().filter(wanted).map(name).collect();
    let Some(name) = random.pick(&names) else { return Ok(None) };
    Ok(Some(match kind {
        Kind::NodeBreaks => {
            let ready = if random.one_in(2) { "False" } else { "Unknown" };
            fleet.node_is(name, ready).await?;
            format!("{name} ready {ready}")
        }
        Kind::NodeRecovers => {
            fleet.node_is(name, "True").await?;
            (*name).to_owned()
        }
        Kind::NodeDeleted => {
            fleet.kube.delete("Node", "", name).await?;
            (*name).to_owned()
        }
        _ => {
            fleet.node(name).await?;
            (*name).to_owned()
        }
    }))
}

/// A new name each time, also when it is tried again: half a machine is a machine too.
async fn create(fleet: &Fleet, random: &mut Random) -> Result<String> {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let name = format!("{}-{}", fleet.name, MADE.fetch_add(1, Ordering::SeqCst));
    let sets = fleet.kube.list("MachineSet", &fleet.name).await?;
    let set = sets.first();
    // Nobody deletes a machine twice while it stays: only those that an owner remediates may.
    let stays = set.is_some() && random.one_in(4);
    let more = if stays { json!({ "finalizers": ["test.capi-policy/stay"] }) } else { json!({}) };
    let node = (!random.one_in(3)).then_some(&*name);
    if node.is_some() {
        fleet.node(&name).await?;
    }
    fleet.machine_with(&name, set, more, node).await?;
    let with = if node.is_some() { "with a Node" } else { "without a Node" };
    Ok(format!("{name} {with}{}", if stays { ", stays when deleted" } else { "" }))
}

async fn machine_changes(kind: Kind, fleet: &Fleet, machine: &Value) -> Result<&'static str> {
    let (kube, namespace, name) = (&fleet.kube, &*fleet.name, name(machine));
    Ok(match kind {
        Kind::MachineDeleted if machine["metadata"]["deletionTimestamp"].is_string() => {
            kube.patch("Machine", namespace, name, json!({ "metadata": { "finalizers": [] } })).await?;
            "may go"
        }
        Kind::MachineDeleted => {
            kube.delete("Machine", namespace, name).await?;
            "deleted"
        }
        Kind::NodeRef => {
            let lost = machine["status"]["nodeRef"].is_object();
            let reference = if lost { Value::Null } else { json!({ "name": name }) };
            kube.patch_status("Machine", namespace, name, json!({ "nodeRef": reference })).await?;
            if lost { "has no Node" } else { "has its Node" }
        }
        _ => {
            let leaves = machine["metadata"]["labels"]["pool"] == "workers";
            let pool = if leaves { "others" } else { "workers" };
            kube.patch("Machine", namespace, name, json!({ "metadata": { "labels": { "pool": pool } } })).await?;
            if leaves { "leaves the pool" } else { "comes to the pool" }
        }
    })
}

async fn owner(kind: Kind, fleet: &Fleet, random: &mut Random) -> Result<Option<String>> {
    let owner = if random.one_in(2) { "MachineDeployment" } else { "MachineSet" };
    let owners = fleet.kube.list(owner, &fleet.name).await?;
    let Some(object) = random.pick(&owners) else { return Ok(None) };
    let number = random.below(6);
    let (patch, what) = if kind == Kind::Scaled {
        (json!({ "spec": { "replicas": number } }), "replicas")
    } else {
        (json!({ "metadata": { "labels": { "tier": number.to_string() } } }), "tier")
    };
    fleet.kube.patch(owner, &fleet.name, name(object), patch).await?;
    Ok(Some(format!("{owner} {what} {number}")))
}

async fn check(kind: Kind, fleet: &Fleet, random: &mut Random) -> Result<Option<String>> {
    let stored = fleet.kube.get("MachineHealthCheck", &fleet.name, &fleet.name).await?.unwrap_or_default();
    let (patch, what) = match kind {
        Kind::Timeout => {
            let timeout = [1, 1, 2, 2, 3, 600][random.below(6)];
            let condition = |status| json!({ "type": "Ready", "status": status, "timeoutSeconds": timeout });
            let conditions = json!([condition("False"), condition("Unknown")]);
            let checks = json!({ "nodeStartupTimeoutSeconds": timeout, "unhealthyNodeConditions": conditions });
            (json!({ "spec": { "checks": checks } }), format!("{timeout} s"))
        }
        Kind::Threshold => {
            let all = [
                json!({ "unhealthyLessThanOrEqualTo": 2, "unhealthyInRange": null }),
                json!({ "unhealthyLessThanOrEqualTo": "40%", "unhealthyInRange": null }),
                json!({ "unhealthyLessThanOrEqualTo": "100%", "unhealthyInRange": null }),
                json!({ "unhealthyLessThanOrEqualTo": "100%", "unhealthyInRange": null }),
                json!({ "unhealthyLessThanOrEqualTo": null, "unhealthyInRange": "[1-5]" }),
            ];
            let trigger = all[random.below(all.len())].clone();
            let what = trigger.to_string();
            (json!({ "spec": { "remediation": { "triggerIf": trigger } } }), what)
        }
        Kind::Selector => {
            // All machines of the cluster, or those of the pool.
            let narrow = stored["spec"]["selector"]["matchLabels"]["pool"].is_null();
            let (pool, cluster) =
                if narrow { (json!("workers"), Value::Null) } else { (Value::Null, json!(fleet.name)) };
            let labels = json!({ "pool": pool, "cluster.x-k8s.io/cluster-name": cluster });
            let what = if narrow { "the pool" } else { "all" };
            (json!({ "spec": { "selector": { "matchLabels": labels } } }), what.to_owned())
        }
        _ => {
            let paused = random.one_in(4);
            if stored["metadata"]["annotations"][PAUSED].is_string() == paused {
                return Ok(None);
            }
            let value = if paused { json!("") } else { Value::Null };
            (json!({ "metadata": { "annotations": { PAUSED: value } } }), format!("paused {paused}"))
        }
    };
    fleet.kube.patch("MachineHealthCheck", &fleet.name, &fleet.name, patch).await?;
    Ok(Some(what))
}

/// Removes what belonged to machines that are gone, as providers and the garbage collector would.
pub async fn sweep(fleet: &Fleet) -> Result<()> {
    let machines = fleet.kube.list("Machine", &fleet.name).await?;
    let machines: BTreeSet<&str> = machines.iter().map(name).collect();
    for kind in ["Node", "TestMachine", "TestRemediation"] {
        for object in fleet.kube.list(kind, &fleet.name).await? {
            let ours = kind != "Node" || object["metadata"]["labels"]["cluster"] == *fleet.name;
            if ours && !machines.contains(name(&object)) {
                fleet.kube.delete(kind, &fleet.name, name(&object)).await?;
            }
        }
    }
    Ok(())
}

pub fn name(object: &Value) -> &str {
    object["metadata"]["name"].as_str().unwrap_or_default()
}
