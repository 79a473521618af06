//! MachineDeployment: steps of a rollout.

use super::{decisions, facts, flag, list};
use crate::compare::{items, sorted};
use crate::{Case, Comparison};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const UNIQUE: &str = "machine-template-hash";
const NEW: &str = "<new>";
const REVISION: &str = "machinedeployment.clusters.x-k8s.io/revision";

/// Annotations that the planner sets.
const PLANNED: &[&str] = &[
    "cluster.x-k8s.io/disable-machine-create",
    "in-place-updates.internal.cluster.x-k8s.io/acknowledged-move",
    "in-place-updates.internal.cluster.x-k8s.io/move-machines-to-machineset",
    "in-place-updates.internal.cluster.x-k8s.io/receive-machines-from-machinesets",
    "machinedeployment.clusters.x-k8s.io/revision",
    "machinedeployment.clusters.x-k8s.io/revision-history",
];

/// `MachineDeploymentRollout`.
pub fn rollout(case: &Case, evaluation: &Value, comparison: &mut Comparison) {
    let expected = &case.expected;
    let failed = items(&evaluation["ownerActions"]).any(|action| !action["error"].is_null());
    comparison.check("error", &flag(&expected["error"]), &json!(failed));
    let recorded: Value = items(&expected["machineSets"]).map(any_hash).collect();
    let mut computed: Vec<_> = applied(evaluation).map(machine_set).collect();
    computed.sort_by_key(|set| set["name"].as_str().unwrap_or_default().to_owned());
    comparison.check("machineSets", &recorded, &json!(computed));
    let deleted = super::steps(decisions(evaluation, "CleanUp"), "deleteMachineSet", "machineSet");
    comparison.check("deletedMachineSets", &list(&expected["deletedMachineSets"]), &sorted(&json!(deleted)));
    let now = case.input["machineDeployment"]["metadata"]["annotations"][REVISION].as_str().unwrap_or_default();
    let set = super::steps(decisions(evaluation, "NextStep"), "setAnnotation", "value");
    comparison.check(
        "revisionAnnotation",
        &expected["revisionAnnotation"],
        &set.first().cloned().unwrap_or(json!(now)),
    );
    comparison.check("events", &list(&expected["events"]), &events(case, evaluation, &deleted));
    if !failed {
        plan(expected, evaluation, comparison);
    }
}

fn applied(evaluation: &Value) -> impl Iterator<Item = &Value> {
    let steps = decisions(evaluation, "NextStep").flat_map(|action| items(&action["steps"]));
    steps.filter(|step| step["type"] == "applyMachineSet")
}

fn machine_set(step: &Value) -> Value {
    let object = &step["object"];
    any_hash(&json!({
        "name": step["machineSet"],
        "current": step["current"],
        "created": step["created"],
        "replicas": step["replicas"],
        "annotations": object["metadata"]["annotations"],
        "labels": object["metadata"]["labels"],
        "template": object["spec"]["template"],
        "deletionOrder": object["spec"]["deletion"]["order"],
    }))
}

/// The hash in the label of a new MachineSet may be any.
fn any_hash(set: &Value) -> Value {
    let mut set = set.clone();
    set["created"] = flag(&set["created"]);
    if set["name"] == NEW {
        for labels in ["/labels", "/template/metadata/labels"] {
            if let Some(labels) = set.pointer_mut(labels) {
                labels[UNIQUE] = json!("<any>");
            }
        }
    }
    set
}

fn events(case: &Case, evaluation: &Value, deleted: &[Value]) -> Value {
    let paused = case.input["machineDeployment"]["spec"]["paused"] == true;
    let namespace = case.input["machineDeployment"]["metadata"]["namespace"].as_str().unwrap_or_default();
    let mut events: Vec<_> = applied(evaluation)
        .filter_map(|step| {
            let (name, from, to) = (step["machineSet"].as_str()?, step["from"].as_i64()?, step["replicas"].as_i64()?);
            if step["created"] == true {
                return Some(format!(
                    "Normal SuccessfulCreate Created MachineSet {namespace}/{name} with {to} replicas"
                ));
            }
            let how = match from.cmp(&to) {
                std::cmp::Ordering::Less => "up",
                std::cmp::Ordering::Greater => "down",
                std::cmp::Ordering::Equal => return None,
            };
            Some(if paused {
                format!("Normal SuccessfulScale Scaled MachineSet {namespace}/{name}: {from} -> {to}")
            } else {
                format!("Normal SuccessfulScale Scaled {how} MachineSet {name}: {from} -> {to}")
            })
        })
        .chain(deleted.iter().map(|name| format!("Normal SuccessfulDelete Deleted MachineSet {name}")))
        .collect();
    events.sort();
    json!(events)
}

fn plan(expected: &Value, evaluation: &Value, comparison: &mut Comparison) {
    let recorded = &expected["plan"];
    let current = applied(evaluation).find(|step| step["current"] == true);
    comparison.check(
        "plan.currentMachineSet",
        &recorded["currentMachineSet"],
        &current.map_or(Value::Null, |step| step["machineSet"].clone()),
    );
    let reason = current.filter(|step| step["created"] == true).map_or(Value::Null, |step| step["notes"][0].clone());
    comparison.check("plan.createReason", &recorded["createReason"], &reason);
    let sets = decisions(evaluation, "CurrentMachineSet").zip(facts(evaluation, "MD-CUR"));
    let sets: Vec<_> = sets.map(|(action, facts)| (action["candidates"][0].clone(), action.clone(), facts)).collect();
    let found = |name: &Value| current.is_some_and(|step| step["machineSet"] == *name);
    let differs = |action: &Value| !action["obstacles"].is_null();
    let (old, discarded): (Vec<_>, Vec<_>) =
        sets.iter().filter(|(name, ..)| !found(name)).partition(|(_, action, _)| differs(action));
    let old: Vec<_> = old.into_iter().chain(discarded).map(|(name, ..)| name.clone()).collect();
    comparison.check("plan.oldMachineSets", &list(&recorded["oldMachineSets"]), &json!(old));
    comparison.check("plan.notes", &recorded["notes"], &notes(evaluation));
    let up_to_date: Map<_, _> = sets
        .iter()
        .map(|(name, action, facts)| {
            let details = facts["differences"].as_str().unwrap_or_default();
            let details: Vec<_> = details.split("; ").filter(|detail| !detail.is_empty()).collect();
            let mut result = json!({
                "upToDate": !differs(action),
                "eligibleForInPlaceUpdate": facts["eligible for in place update"] == "true",
            });
            if differs(action) {
                result["messages"] = action["obstacles"].clone();
                result["logMessages"] = json!(details);
            }
            (name.as_str().unwrap_or_default().to_owned(), result)
        })
        .collect();
    comparison.check("plan.upToDate", &recorded["upToDate"], &json!(up_to_date));
    machines(recorded, evaluation, comparison);
}

fn notes(evaluation: &Value) -> Value {
    let notes = applied(evaluation).filter_map(|step| {
        let reason = usize::from(step["created"] == true);
        let notes: Vec<_> = items(&step["notes"]).skip(reason).cloned().collect();
        (!notes.is_empty()).then(|| (step["machineSet"].as_str().unwrap_or_default().to_owned(), json!(notes)))
    });
    json!(notes.collect::<BTreeMap<_, _>>())
}

fn machines(recorded: &Value, evaluation: &Value, comparison: &mut Comparison) {
    let acknowledged = super::steps(decisions(evaluation, "NextStep"), "acknowledgeMove", "machine");
    comparison.check("acknowledgedMachines", &list(&recorded["acknowledgedMachines"]), &json!(acknowledged));
    let updating = decisions(evaluation, "Surge").next().map_or(Value::Null, |action| action["candidates"].clone());
    comparison.check("updatingMachines", &list(&recorded["updatingMachines"]), &list(&updating));
}

/// What a step of a trace leaves out.
pub fn prepare_step(case: &Case, snapshot: &mut Map<String, Value>, observed: &mut Map<String, Value>) {
    let sets = snapshot.get_mut("machineSets").and_then(Value::as_array_mut).into_iter().flatten();
    for set in sets {
        set["metadata"]["labels"] = json!({ UNIQUE: "any" });
    }
    let names = items(&case.input["machineSets"]).map(|set| set["metadata"]["name"].clone());
    let taken: Vec<_> = names.filter(|_| case.input["canUpdateInPlace"] == true).collect();
    observed.insert("canUpdateInPlace".to_owned(), json!(taken));
    observed.insert("featureGates".to_owned(), json!({ "inPlaceUpdates": true }));
}

/// One step of `MachineDeploymentTrace`.
pub fn trace(case: &Case, evaluation: &Value, comparison: &mut Comparison) {
    let expected = &case.expected;
    let new = if expected["created"] == true { expected["currentMachineSet"].as_str() } else { None };
    let evaluation: Value = match new {
        Some(name) => serde_json::from_str(&evaluation.to_string().replace(NEW, name)).unwrap_or_default(),
        None => evaluation.clone(),
    };
    let current = applied(&evaluation).find(|step| step["current"] == true).cloned().unwrap_or_default();
    comparison.check("currentMachineSet", &expected["currentMachineSet"], &current["machineSet"]);
    comparison.check("created", &flag(&expected["created"]), &current["created"]);
    let mut computed: Vec<_> = applied(&evaluation).map(|step| step_set(case, step)).collect();
    computed.sort_by_key(|set| set["name"].as_str().unwrap_or_default().to_owned());
    comparison.check("machineSets", &expected["machineSets"], &json!(computed));
    let recorded = if expected["notes"].is_null() { json!({}) } else { expected["notes"].clone() };
    comparison.check("notes", &recorded, &notes(&evaluation));
    machines(expected, &evaluation, comparison);
}

/// In traces the annotations of the input stay unless the planner overwrites them.
fn step_set(case: &Case, step: &Value) -> Value {
    let stored = items(&case.input["machineSets"]).find(|set| set["metadata"]["name"] == step["machineSet"]);
    let mut annotations = stored.map_or(json!({}), |set| set["metadata"]["annotations"].clone());
    let planned = &step["object"]["metadata"]["annotations"];
    for key in PLANNED.iter().filter(|key| !planned[**key].is_null()) {
        annotations[*key] = planned[*key].clone();
    }
    json!({ "name": step["machineSet"], "replicas": step["replicas"], "annotations": annotations })
}
