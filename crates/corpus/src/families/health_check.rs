//! MachineHealthCheck: verdicts, requests and the conditions of machines beside the object's own.

use super::conditions;
use crate::Case;
use crate::compare::{Comparison, by_type, conditions as listed, items, sorted};
use serde_json::{Value, json};

const OWN: &[&str] = &["RemediationAllowed", "Paused"];

/// The conditions of machines that a health check may write.
const OWNED: &[&str] = &["HealthCheckSucceeded", "OwnerRemediated", "ExternallyRemediated"];

pub fn compare(case: &Case, evaluation: &Value, comparison: &mut Comparison) {
    conditions::compare(case, evaluation, OWN, comparison);
    let expected = &case.expected["machineHealthCheck"];
    for verdict in ["healthy", "unhealthy", "waiting", "notEvaluated", "skipped"] {
        let computed: Vec<_> = items(&evaluation["machines"])
            .filter(|machine| machine["verdict"] == verdict)
            .map(|machine| machine["name"].clone())
            .collect();
        comparison.check(verdict, &sorted(&expected[verdict]), &sorted(&json!(computed)));
    }
    for (field, action) in [
        ("createdRemediationRequests", "createRemediationRequest"),
        ("deletedRemediationRequests", "deleteRemediationRequest"),
        ("deletedMachines", "deleteMachine"),
    ] {
        let computed: Vec<_> = items(&evaluation["actions"])
            .filter(|a| a["type"] == action)
            .map(|a| if a["machine"].is_null() { a["name"].clone() } else { a["machine"].clone() })
            .collect();
        comparison.check(field, &sorted(&expected[field]), &sorted(&json!(computed)));
    }
    // A machine that the evaluation does not mention stays as it is.
    for machine in items(&expected["machines"]) {
        let name = &machine["name"];
        let recorded = if machine["computedConditions"].is_null() {
            &machine["conditions"]
        } else {
            &machine["computedConditions"]
        };
        let evaluated = items(&evaluation["machines"]).find(|m| m["name"] == *name).map(|m| &m["conditions"]);
        let stored =
            items(&case.input["machines"]).find(|m| m["metadata"]["name"] == *name).map(|m| &m["status"]["conditions"]);
        let computed = listed(evaluated.or(stored).unwrap_or(&Value::Null), OWNED);
        let path = format!("machines[{}].conditions", name.as_str().unwrap_or_default());
        comparison.check(&path, &by_type(&listed(recorded, OWNED)), &by_type(&computed));
    }
}
