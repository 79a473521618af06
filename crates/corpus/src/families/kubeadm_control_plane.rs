//! The control plane's health and certificates.

use crate::Case;
use crate::compare::{Comparison, by_type, conditions, items, recorded_times, strings, times};
use serde_json::{Map, Value, json};

/// The conditions of the control plane itself.
const OWN: &[&str] = &["EtcdClusterHealthy", "ControlPlaneComponentsHealthy"];

/// The conditions of its machines.
const OF_MACHINES: &[&str] = &[
    "UpToDate",
    "NodeKubeadmLabelsAndTaintsSet",
    "APIServerPodHealthy",
    "ControllerManagerPodHealthy",
    "SchedulerPodHealthy",
    "EtcdPodHealthy",
    "EtcdMemberHealthy",
];

/// What upstream found nothing of was read all the same. What it found out on the way is among the explanations.
pub fn read_all(snapshot: &mut Map<String, Value>) {
    snapshot.insert("explain".to_owned(), json!(true));
    snapshot.entry("pods").or_insert(json!([]));
}

pub fn health(case: &Case, evaluation: &Value, comparison: &mut Comparison) {
    let expected = &case.expected;
    comparison.conditions(case, evaluation, OWN);
    comparison.check("error", &json!(expected["error"] == true), &json!(!evaluation["error"].is_null()));
    for recorded in items(&expected["machines"]) {
        let name = recorded["name"].as_str().unwrap_or_default();
        let decided = items(&evaluation["machineConditions"]).find(|machine| machine["name"] == name);
        let stored = items(&case.input["machines"]).find(|machine| machine["metadata"]["name"] == name);
        let computed = decided.map(|machine| &machine["conditions"]);
        let computed = computed.or(stored.map(|machine| &machine["status"]["conditions"])).unwrap_or(&Value::Null);
        let path = format!("machines[{name}]");
        let (recorded_conditions, computed_conditions) =
            (conditions(&recorded["conditions"], OF_MACHINES), conditions(computed, OF_MACHINES));
        comparison.check(&format!("{path}.conditions"), &recorded_conditions, &computed_conditions);
        comparison.check(
            &format!("{path}.lastTransitionTimes"),
            &recorded_times(recorded, OF_MACHINES),
            &times(computed, OF_MACHINES),
        );
    }
    // While nothing was inspected, nothing was found out about etcd.
    let matching = fact(evaluation, "KCP-ECH", "members matching");
    for (field, found) in [
        ("etcdMembersKnown", fact(evaluation, "KCP-ECH", "members known")),
        ("etcdMembersAndMachinesAreMatching", matching),
    ] {
        let recorded = json!(expected[field].as_bool().unwrap_or(false).to_string());
        comparison.check(field, &recorded, &json!(found.unwrap_or_default()));
    }
    let eligible: Vec<_> = explanations(evaluation, "KCP-MUT")
        .filter(|explanation| value(explanation, "eligible for in place update").as_deref() == Some("true"))
        .map(|explanation| explanation["machine"].clone())
        .collect();
    let recorded = strings(&expected["eligibleForInPlaceUpdate"], Clone::clone);
    comparison.check("eligibleForInPlaceUpdate", &recorded, &strings(&json!(eligible), Clone::clone));
}

pub fn certificates(case: &Case, evaluation: &Value, comparison: &mut Comparison) {
    let expected = &case.expected;
    comparison.conditions(case, evaluation, &["CertificatesAvailable"]);
    comparison.check("error", &json!(expected["error"] == true), &json!(!evaluation["error"].is_null()));
    let created = fact(evaluation, "KCP-CRT", "certificates created").unwrap_or_default();
    let created: Vec<_> = created.split(", ").filter(|name| !name.is_empty()).collect();
    comparison.check("createdSecrets", &by_type(&expected["createdSecrets"]), &json!(created));
}

fn explanations<'e>(evaluation: &'e Value, table: &'static str) -> impl Iterator<Item = &'e Value> {
    items(&evaluation["explanations"]).filter(move |explanation| explanation["table"] == table)
}

/// What a table found out about the object.
fn fact(evaluation: &Value, table: &'static str, name: &str) -> Option<String> {
    explanations(evaluation, table).find_map(|explanation| value(explanation, name))
}

fn value(explanation: &Value, name: &str) -> Option<String> {
    let fact = items(&explanation["facts"]).find(|fact| fact["name"] == name)?;
    fact["value"].as_str().map(ToOwned::to_owned)
}
