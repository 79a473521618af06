//! The owners' decisions: what a recorded input says in the words of a snapshot, and what is compared of an evaluation.

mod kubeadm_control_plane;
mod machine_deployment;
mod machine_set;

pub use kubeadm_control_plane::{remediation as control_plane_remediation, scaling as control_plane_scaling};
pub use machine_deployment::{rollout as machine_deployment_rollout, trace as machine_deployment_trace};
pub use machine_set::{remediation as machine_set_remediation, scaling as machine_set_scaling};

use crate::Case;
use crate::compare::{conditions, items, recorded_times, times};
use serde_json::{Map, Value, json};

/// The conditions of machines that are compared.
const MACHINE: &[&str] = &["HealthCheckSucceeded", "OwnerRemediated"];

/// Says in the words of a snapshot what a recorded input leaves out or says otherwise.
pub fn prepare(case: &Case, snapshot: &mut Map<String, Value>, observed: &mut Map<String, Value>) {
    match &*case.kind {
        "MachineSetRemediation" | "MachineSetScaling" => {
            let missing = |object: &str| case.input.get(object).is_none();
            observed.insert("bootstrapTemplateNotFound".to_owned(), json!(missing("bootstrapTemplate")));
            observed.insert("controlPlaneNotFound".to_owned(), json!(missing("controlPlane")));
            observed.entry("preflightChecks").or_insert_with(|| json!([]));
        }
        "KubeadmControlPlaneRemediation" | "KubeadmControlPlaneScaling" => {
            observed.entry("machinesNotUpToDate").or_insert_with(|| json!([]));
            let refused = case.input["machineDeleteFails"] == true;
            let machines = items(&case.input["machines"]).filter(|_| refused).map(|m| m["metadata"]["name"].clone());
            observed.insert("machineDeleteFails".to_owned(), machines.collect());
        }
        "MachineDeploymentRollout" => {
            let missing = case.input["templatesExist"] != true;
            observed.insert("infrastructureTemplateNotFound".to_owned(), json!(missing));
        }
        "MachineDeploymentTrace" => machine_deployment::prepare_step(case, snapshot, observed),
        _ => return,
    }
    snapshot.insert("explain".to_owned(), json!(true));
}

/// The owner's decisions of one table.
fn decisions<'e>(evaluation: &'e Value, name: &'e str) -> impl Iterator<Item = &'e Value> {
    items(&evaluation["ownerActions"]).filter(move |action| action["decision"] == name)
}

/// What a field of an owner's steps of one type says, in their order.
fn steps<'e>(actions: impl Iterator<Item = &'e Value>, step: &str, field: &str) -> Vec<Value> {
    let steps = actions.flat_map(|action| items(&action["steps"])).filter(|s| s["type"] == step);
    steps.map(|s| s[field].clone()).collect()
}

/// The facts that a table's explanation shows.
fn facts<'e>(evaluation: &'e Value, table: &'e str) -> impl Iterator<Item = Map<String, Value>> + 'e {
    items(&evaluation["explanations"]).filter(move |explanation| explanation["table"] == table).map(|explanation| {
        let pairs = items(&explanation["facts"]);
        pairs.map(|fact| (fact["name"].as_str().unwrap_or_default().to_owned(), fact["value"].clone())).collect()
    })
}

/// The machines afterwards: as they were, with the conditions that the owner sets.
fn machines(case: &Case, evaluation: &Value) -> Value {
    let mut machines: Vec<_> = items(&case.input["machines"]).collect();
    machines.sort_by_key(|machine| machine["metadata"]["name"].as_str().unwrap_or_default().to_owned());
    machines
        .into_iter()
        .map(|machine| {
            let name = &machine["metadata"]["name"];
            let all = items(&evaluation["ownerActions"]).flat_map(|action| items(&action["machines"]));
            let changed = all.filter(|other| other["name"] == *name).last();
            let list = changed.map_or(&machine["status"]["conditions"], |changed| &changed["conditions"]);
            json!({ "name": name, "conditions": conditions(list, MACHINE), "lastTransitionTimes": times(list, MACHINE) })
        })
        .collect()
}

fn recorded_machines(expected: &Value) -> Value {
    items(&expected["machines"])
        .map(|machine| {
            json!({
                "name": machine["name"],
                "conditions": conditions(&machine["conditions"], MACHINE),
                "lastTransitionTimes": recorded_times(machine, MACHINE),
            })
        })
        .collect()
}

/// A list that may be left out when it is empty.
fn list(value: &Value) -> Value {
    if value.is_null() { json!([]) } else { value.clone() }
}

fn flag(value: &Value) -> Value {
    json!(value == true)
}
