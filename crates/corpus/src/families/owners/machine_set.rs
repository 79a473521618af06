//! MachineSet: remediation and scaling.

use super::{decisions, flag, list, machines, recorded_machines, steps};
use crate::compare::items;
use crate::{Case, Comparison};
use serde_json::{Value, json};

/// `MachineSetRemediation`.
pub fn remediation(case: &Case, evaluation: &Value, comparison: &mut Comparison) {
    let expected = &case.expected;
    let actions = || decisions(evaluation, "OwnerRemediated");
    comparison.check("machines", &recorded_machines(expected), &machines(case, evaluation));
    let deleted = json!(steps(actions(), "deleteMachine", "machine"));
    comparison.check("deletedMachines", &list(&expected["deletedMachines"]), &deleted);
    preflight(expected, evaluation, comparison);
    let failed = actions().any(|action| !action["error"].is_null());
    comparison.check("error", &flag(&expected["error"]), &json!(failed));
    requeue(expected, actions(), failed, comparison);
}

/// `MachineSetScaling`.
pub fn scaling(case: &Case, evaluation: &Value, comparison: &mut Comparison) {
    let expected = &case.expected;
    let updates = || decisions(evaluation, "InPlaceUpdate");
    let scale = || decisions(evaluation, "Scale");
    let order = scale().next().map_or(Value::Null, |action| action["candidates"].clone());
    comparison.check("deletionOrder", &list(&expected["deletionOrder"]), &list(&order));
    let deleted = json!(steps(scale(), "deleteMachine", "machine"));
    comparison.check("deletedMachines", &list(&expected["deletedMachines"]), &deleted);
    let mut moved: Vec<_> = scale()
        .flat_map(|action| items(&action["steps"]))
        .filter(|step| step["type"] == "moveMachine")
        .map(|step| json!({ "name": step["machine"], "to": step["to"], "uniqueLabel": step["uniqueLabel"] }))
        .collect();
    moved.sort_by_key(|machine| machine["name"].as_str().unwrap_or_default().to_owned());
    comparison.check("movedMachines", &list(&expected["movedMachines"]), &json!(moved));
    for (field, step) in [("startedInPlaceUpdates", "startInPlaceUpdate"), ("acknowledgedMoves", "acknowledgeMove")] {
        comparison.check(field, &list(&expected[field]), &json!(steps(updates(), step, "machine")));
    }
    let created: i64 = steps(scale(), "createMachines", "count").iter().filter_map(Value::as_i64).sum();
    comparison.check("createdMachines", &expected["createdMachines"], &json!(created));
    let failed = updates().chain(scale()).any(|action| !action["error"].is_null());
    let messages = scale().next().filter(|action| !action["requeueAfterMilliseconds"].is_null() || failed);
    let messages = messages.map_or(Value::Null, |action| action["obstacles"].clone());
    let recorded = list(&expected["scaleUpPreflightCheckErrMessages"]);
    comparison.check("scaleUpPreflightCheckErrMessages", &recorded, &list(&messages));
    preflight(expected, evaluation, comparison);
    comparison.check("error", &flag(&expected["error"]), &json!(failed));
    requeue(expected, scale(), failed, comparison);
}

fn preflight(expected: &Value, evaluation: &Value, comparison: &mut Comparison) {
    let recorded = &expected["preflight"];
    let computed = decisions(evaluation, "PreflightChecks").next().cloned().unwrap_or_default();
    comparison.check("preflight.error", &flag(&recorded["error"]), &json!(!computed["error"].is_null()));
    let impossible = !computed["error"].is_null();
    let messages = if impossible { json!([]) } else { list(&computed["obstacles"]) };
    comparison.check("preflight.messages", &list(&recorded["messages"]), &messages);
}

fn requeue<'e>(expected: &Value, actions: impl Iterator<Item = &'e Value>, failed: bool, comparison: &mut Comparison) {
    let milliseconds = actions.filter_map(|action| action["requeueAfterMilliseconds"].as_i64()).max();
    let seconds = milliseconds.filter(|_| !failed).unwrap_or(0) / 1000;
    comparison.check("requeueAfterSeconds", &expected["requeueAfterSeconds"], &json!(seconds));
}
