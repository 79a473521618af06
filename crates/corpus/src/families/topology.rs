//! A Cluster's topology.

use crate::Case;
use crate::compare::Comparison;
use serde_json::{Map, Value, json};

/// What the topology controller found out stands together in a snapshot.
pub fn gather(snapshot: &mut Map<String, Value>) {
    let observed = snapshot.remove("observed").unwrap_or_default();
    snapshot.insert("observed".to_owned(), json!({ "topology": observed }));
}

pub fn compare(case: &Case, evaluation: &Value, comparison: &mut Comparison) {
    let (expected, status) = (&case.expected, &evaluation["status"]);
    comparison.conditions(case, evaluation, &["TopologyReconciled"]);
    comparison.check("error", &json!(expected["error"] == true), &json!(!evaluation["error"].is_null()));
    for field in ["controlPlaneUpgradePlan", "workersUpgradePlan"] {
        comparison.check(&format!("status.{field}"), &expected["status"][field], &status[field]);
    }
}
