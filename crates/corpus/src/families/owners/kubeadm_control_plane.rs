//! KubeadmControlPlane: remediation and scaling.

use super::{decisions, facts, flag, list, machines, recorded_machines, steps};
use crate::compare::items;
use crate::{Case, Comparison};
use serde_json::{Map, Value, json};

const IN_PROGRESS: &str = "controlplane.cluster.x-k8s.io/remediation-in-progress";

/// `KubeadmControlPlaneRemediation`.
pub fn remediation(case: &Case, evaluation: &Value, comparison: &mut Comparison) {
    let expected = &case.expected;
    let actions = || decisions(evaluation, "OwnerRemediated");
    comparison.check("machines", &recorded_machines(expected), &machines(case, evaluation));
    let last = actions().last().cloned().unwrap_or_default();
    comparison.check("picked", &expected["picked"], &last["candidates"][0]);
    if !expected["canSafelyRemediate"].is_null() {
        let safe = facts(evaluation, "KCP-OWN").last().map(|facts| facts["safe to remediate"] == "true");
        comparison.check("canSafelyRemediate", &expected["canSafelyRemediate"], &json!(safe));
    }
    let deleted = json!(steps(actions(), "deleteMachine", "machine"));
    comparison.check("deletedMachines", &list(&expected["deletedMachines"]), &deleted);
    comparison.check("movedEtcdLeadership", &list(&expected["movedEtcdLeadership"]), &moves(actions()));
    let noted = json!(expected["annotations"][IN_PROGRESS].as_str().unwrap_or_default());
    comparison.check("annotations", &noted, &annotation(case, evaluation));
    comparison.check("lastRemediation", &expected["lastRemediation"], &last_remediation(evaluation));
    let requeue = last["requeueAfterMilliseconds"].as_i64().unwrap_or(0);
    comparison.check("requeueAfterMilliseconds", &expected["requeueAfterMilliseconds"], &json!(requeue));
    let failed = actions().any(|action| !action["error"].is_null());
    comparison.check("error", &flag(&expected["error"]), &json!(failed));
}

fn annotation(case: &Case, evaluation: &Value) -> Value {
    let now = case.input["kubeadmControlPlane"]["metadata"]["annotations"][IN_PROGRESS].as_str().unwrap_or_default();
    let removed = !steps(decisions(evaluation, "OwnerRemediated"), "removeAnnotation", "key").is_empty();
    let set = steps(decisions(evaluation, "OwnerRemediated"), "setAnnotation", "value");
    let kept = if removed { json!("") } else { json!(now) };
    set.first().cloned().unwrap_or(kept)
}

fn last_remediation(evaluation: &Value) -> Value {
    let steps = decisions(evaluation, "OwnerRemediated").flat_map(|action| items(&action["steps"]));
    let removed = !super::steps(decisions(evaluation, "OwnerRemediated"), "removeAnnotation", "key").is_empty();
    let written = steps.filter(|step| step["type"] == "setLastRemediation").last();
    let last = written.unwrap_or(if removed { &Value::Null } else { &evaluation["status"]["lastRemediation"] });
    if last.is_null() {
        return Value::Null;
    }
    let time = last["time"].as_str().filter(|time| !time.starts_with("0001")).unwrap_or_default();
    json!({ "machine": last["machine"], "time": time, "retryCount": last["retryCount"] })
}

fn moves<'e>(actions: impl Iterator<Item = &'e Value>) -> Value {
    let steps = actions.flat_map(|action| items(&action["steps"])).filter(|step| step["type"] == "moveEtcdLeadership");
    steps.map(|step| json!({ "from": step["from"], "to": step["to"] })).collect()
}

/// `KubeadmControlPlaneScaling`.
pub fn scaling(case: &Case, evaluation: &Value, comparison: &mut Comparison) {
    let expected = &case.expected;
    for (field, name) in [("etcdMembersStep", "EtcdMembers"), ("preTerminateHookStep", "PreTerminateHook")] {
        comparison.check(field, &recorded_step(&expected[field]), &step(evaluation, name));
    }
    let mut checks = decisions(evaluation, "PreflightChecks").zip(facts(evaluation, "KCP-PRE"));
    for field in ["preflightScaleUp", "preflightScaleDown"] {
        let computed = checks.next().map(|(action, facts)| preflight(action, &facts));
        if !expected[field].is_null() {
            let mut recorded = expected[field].clone();
            recorded["failures"] = list(&recorded["failures"]);
            comparison.check(field, &recorded, &computed.unwrap_or_default());
        }
    }
    let next = decisions(evaluation, "NextStep").next().cloned().unwrap_or_default();
    comparison.check("scaleDownCandidates", &list(&expected["scaleDownCandidates"]), &list(&next["candidates"]));
    let domains = facts(evaluation, "KCP-NXT").next().map(|facts| facts["failure domains"].clone()).unwrap_or_default();
    let domains: Vec<_> = domains.as_str().unwrap_or_default().split(", ").collect();
    comparison.check("scaleUpFailureDomains", &expected["scaleUpFailureDomains"], &json!(domains));
    let computed = outcome(&next);
    let recorded: Vec<_> = items(&expected["next"]).map(recorded_outcome).collect();
    if !recorded.contains(&computed) {
        comparison.check("next", recorded.first().unwrap_or(&Value::Null), &computed);
    }
}

fn step(evaluation: &Value, name: &str) -> Value {
    let action = || decisions(evaluation, name);
    let only = action().next().cloned().unwrap_or_default();
    json!({
        "removedEtcdMembers": steps(action(), "removeEtcdMember", "member"),
        "hookRemovedFrom": steps(action(), "removePreTerminateHook", "machine"),
        "movedEtcdLeadership": moves(action()),
        "requeueAfterMilliseconds": only["requeueAfterMilliseconds"].as_i64().unwrap_or(0),
        "error": !only["error"].is_null(),
    })
}

fn recorded_step(step: &Value) -> Value {
    let hook = &step["hookRemovedFrom"];
    let hook = if hook.is_string() { json!([hook]) } else { list(hook) };
    json!({
        "removedEtcdMembers": list(&step["removedEtcdMembers"]),
        "hookRemovedFrom": hook,
        "movedEtcdLeadership": list(&step["movedEtcdLeadership"]),
        "requeueAfterMilliseconds": step["requeueAfterMilliseconds"],
        "error": flag(&step["error"]),
    })
}

fn preflight(action: &Value, facts: &Map<String, Value>) -> Value {
    let fact = |name: &str| facts.get(name).is_some_and(|value| value == "true");
    let requeue = action["requeueAfterMilliseconds"].as_i64().unwrap_or(0);
    json!({
        "succeeded": requeue == 0,
        "hasDeletingMachine": fact("has deleting machine"),
        "certificateMissing": fact("certificate missing"),
        "controlPlaneComponentsNotHealthy": fact("control plane components not healthy"),
        "etcdClusterNotHealthy": fact("etcd cluster not healthy"),
        "topologyVersionMismatch": fact("topology version mismatch"),
        "requeueAfterMilliseconds": requeue,
        "failures": list(&action["obstacles"]),
    })
}

fn outcome(next: &Value) -> Value {
    let step = items(&next["steps"]).last().cloned().unwrap_or_default();
    let first = next["numbers"].as_array().into_iter().flatten().any(|n| n["name"] == "machines" && n["value"] == 0);
    let requeue = next["requeueAfterMilliseconds"].as_i64().unwrap_or(0);
    let action = match step["type"].as_str() {
        Some("createMachines") if first => "init",
        Some("createMachines") => "scaleUp",
        Some("deleteMachine") => "scaleDown",
        Some("startInPlaceUpdate") => "updateInPlace",
        _ if requeue > 0 => "wait",
        _ if !next["obstacles"].is_null() => "waitForInPlaceUpdate",
        _ => "none",
    };
    json!({
        "action": action,
        "machine": step["machine"],
        "movedEtcdLeadership": moves(std::iter::once(next)),
        "requeueAfterMilliseconds": requeue,
        "error": !next["error"].is_null(),
    })
}

fn recorded_outcome(outcome: &Value) -> Value {
    json!({
        "action": outcome["action"],
        "machine": outcome["machine"],
        "movedEtcdLeadership": list(&outcome["movedEtcdLeadership"]),
        "requeueAfterMilliseconds": outcome["requeueAfterMilliseconds"],
        "error": flag(&outcome["error"]),
    })
}
