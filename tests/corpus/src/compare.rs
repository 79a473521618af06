//! An evaluation and a recorded answer in, every difference out.

use crate::Case;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// One entry per value that differs: what it is, what was recorded, what was computed.
    pub differences: Vec<Difference>,
    /// Condition types that were recorded but that the policy does not compute.
    pub skipped: BTreeSet<String>,
}

/// One value that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where.
    pub path: String,
    /// What Cluster API said.
    pub recorded: String,
    /// What the policy says.
    pub computed: String,
}

/// The condition types that an answer covers.
fn covered(kind: &str) -> &'static [&'static str] {
    match kind {
        "MachineDeployment" => &[
            "Available",
            "RollingOut",
            "Remediating",
            "ScalingDown",
            "ScalingUp",
            "MachinesReady",
            "MachinesUpToDate",
            "Deleting",
        ],
        "MachineSet" => &["Remediating", "ScalingDown", "ScalingUp", "MachinesReady", "MachinesUpToDate", "Deleting"],
        "Machine" => &[
            "Available",
            "Ready",
            "UpToDate",
            "BootstrapConfigReady",
            "InfrastructureReady",
            "NodeHealthy",
            "NodeReady",
            "Updating",
            "Deleting",
        ],
        "KubeadmControlPlane" => &[
            "Available",
            "Initialized",
            "RollingOut",
            "Remediating",
            "ScalingDown",
            "ScalingUp",
            "MachinesReady",
            "MachinesUpToDate",
            "Deleting",
        ],
        "MachineHealthCheck" => &["RemediationAllowed", "Paused"],
        "Cluster" => &[
            "Available",
            "RemoteConnectionProbe",
            "InfrastructureReady",
            "ControlPlaneInitialized",
            "ControlPlaneAvailable",
            "WorkersAvailable",
            "ControlPlaneMachinesReady",
            "WorkerMachinesReady",
            "ControlPlaneMachinesUpToDate",
            "WorkerMachinesUpToDate",
            "RollingOut",
            "ScalingUp",
            "ScalingDown",
            "Remediating",
            "Deleting",
        ],
        _ => &[],
    }
}

/// The conditions of machines that a health check may write.
const OWNED: &[&str] = &["HealthCheckSucceeded", "OwnerRemediated", "ExternallyRemediated"];

/// Compares an evaluation with a recorded answer. `computes` are the condition types that the policy has tables for.
pub fn compare(case: &Case, evaluation: &Value, computes: &BTreeSet<String>) -> Comparison {
    let expected = &case.expected;
    let covered = covered(&case.kind);
    let (known, skipped): (Vec<&str>, Vec<&str>) = covered.iter().copied().partition(|kind| computes.contains(*kind));
    let mut comparison =
        Comparison { differences: Vec::new(), skipped: skipped.into_iter().map(ToOwned::to_owned).collect() };

    comparison.check(
        "conditions",
        &conditions(&expected["conditions"], &known),
        &conditions(&evaluation["conditions"], &known),
    );
    comparison.check(
        "lastTransitionTimes",
        &recorded_times(expected, &known),
        &times(&evaluation["conditions"], &known),
    );
    if case.kind == "MachineHealthCheck" {
        comparison.health_check(case, evaluation);
    }
    if comparison.skipped.is_empty() {
        comparison.check("status", &expected["status"], &evaluation["status"]);
        let requeue = |value: &Value| json!(value["requeueAfterSeconds"].as_i64().unwrap_or(0));
        comparison.check("requeueAfterSeconds", &requeue(expected), &requeue(evaluation));
        comparison.check("error", &json!(expected["error"] == true), &json!(!evaluation["error"].is_null()));
        comparison.check("events", &strings(&expected["events"], Clone::clone), &strings(&evaluation["events"], event));
    }
    comparison
}

impl Comparison {
    fn check(&mut self, path: &str, recorded: &Value, computed: &Value) {
        if recorded == computed {
            return;
        }
        match (recorded, computed) {
            (Value::Object(a), Value::Object(b)) => {
                let fields: BTreeSet<_> = a.keys().chain(b.keys()).collect();
                for field in fields {
                    self.check(&format!("{path}.{field}"), &recorded[field], &computed[field]);
                }
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                for (i, (a, b)) in a.iter().zip(b).enumerate() {
                    let name = a["type"].as_str().or(a["name"].as_str()).map_or(i.to_string(), ToOwned::to_owned);
                    self.check(&format!("{path}[{name}]"), a, b);
                }
            }
            _ => {
                let text = |value: &Value| value.as_str().map_or(value.to_string(), ToOwned::to_owned);
                self.differences.push(Difference {
                    path: path.to_owned(),
                    recorded: text(recorded),
                    computed: text(computed),
                });
            }
        }
    }

    fn health_check(&mut self, case: &Case, evaluation: &Value) {
        let expected = &case.expected["machineHealthCheck"];
        for (field, verdict) in [
            ("healthy", "healthy"),
            ("unhealthy", "unhealthy"),
            ("waiting", "waiting"),
            ("notEvaluated", "notEvaluated"),
            ("skipped", "skipped"),
        ] {
            let computed: Vec<_> = items(&evaluation["machines"])
                .filter(|machine| machine["verdict"] == verdict)
                .map(|machine| machine["name"].clone())
                .collect();
            self.check(field, &sorted(&expected[field]), &sorted(&json!(computed)));
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
            self.check(field, &sorted(&expected[field]), &sorted(&json!(computed)));
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
            let stored = items(&case.input["machines"])
                .find(|m| m["metadata"]["name"] == *name)
                .map(|m| &m["status"]["conditions"]);
            let computed = conditions(evaluated.or(stored).unwrap_or(&Value::Null), OWNED);
            let path = format!("machines[{}].conditions", name.as_str().unwrap_or_default());
            self.check(&path, &by_type(&conditions(recorded, OWNED)), &by_type(&computed));
        }
    }
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn sorted(list: &Value) -> Value {
    strings(list, Clone::clone)
}

fn strings(list: &Value, text: impl Fn(&Value) -> Value) -> Value {
    let mut all: Vec<_> = items(list).map(|item| text(item).as_str().unwrap_or_default().to_owned()).collect();
    all.sort();
    json!(all)
}

fn event(event: &Value) -> Value {
    let field = |name: &str| event[name].as_str().unwrap_or_default();
    json!(format!("{} {} {}", field("type"), field("reason"), field("message")))
}

/// What is compared of conditions, in their order.
fn conditions(list: &Value, wanted: &[&str]) -> Value {
    items(list)
        .filter(|c| c["type"].as_str().is_some_and(|kind| wanted.contains(&kind)))
        .map(|c| {
            json!({
                "type": c["type"], "status": c["status"], "reason": c["reason"], "message": c["message"],
                "observedGeneration": c["observedGeneration"].as_i64().unwrap_or(0),
            })
        })
        .collect()
}

fn by_type(list: &Value) -> Value {
    let mut all: Vec<_> = items(list).cloned().collect();
    all.sort_by_key(|c| c["type"].as_str().unwrap_or_default().to_owned());
    json!(all)
}

fn times(list: &Value, wanted: &[&str]) -> Value {
    let pairs = items(list).filter_map(|c| Some((c["type"].as_str()?, &c["lastTransitionTime"])));
    Value::Object(
        pairs.filter(|(kind, _)| wanted.contains(kind)).map(|(kind, time)| (kind.to_owned(), time.clone())).collect(),
    )
}

fn recorded_times(expected: &Value, wanted: &[&str]) -> Value {
    let all = expected["lastTransitionTimes"].as_object().into_iter().flatten();
    Value::Object(
        all.filter(|(kind, _)| wanted.contains(&&***kind)).map(|(kind, time)| (kind.clone(), time.clone())).collect(),
    )
}
