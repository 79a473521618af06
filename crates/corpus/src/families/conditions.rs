//! The families of conditions: those of one object, its status, its events.

use crate::Case;
use crate::compare::{Comparison, conditions, event, recorded_times, strings, times};
use serde_json::{Value, json};

const CLUSTER: &[&str] = &[
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
];
const KUBEADM_CONTROL_PLANE: &[&str] = &[
    "Available",
    "Initialized",
    "RollingOut",
    "Remediating",
    "ScalingDown",
    "ScalingUp",
    "MachinesReady",
    "MachinesUpToDate",
    "Deleting",
];
const MACHINE: &[&str] = &[
    "Available",
    "Ready",
    "UpToDate",
    "BootstrapConfigReady",
    "InfrastructureReady",
    "NodeHealthy",
    "NodeReady",
    "Updating",
    "Deleting",
];
const MACHINE_DEPLOYMENT: &[&str] = &[
    "Available",
    "RollingOut",
    "Remediating",
    "ScalingDown",
    "ScalingUp",
    "MachinesReady",
    "MachinesUpToDate",
    "Deleting",
];
const MACHINE_SET: &[&str] =
    &["Remediating", "ScalingDown", "ScalingUp", "MachinesReady", "MachinesUpToDate", "Deleting"];

/// Compares all that the family of a kind's conditions records.
pub fn of_kind(case: &Case, evaluation: &Value, comparison: &mut Comparison) {
    let types = match &*case.kind {
        "Cluster" => CLUSTER,
        "KubeadmControlPlane" => KUBEADM_CONTROL_PLANE,
        "Machine" => MACHINE,
        "MachineDeployment" => MACHINE_DEPLOYMENT,
        "MachineSet" => MACHINE_SET,
        _ => &[],
    };
    compare(case, evaluation, types, comparison);
}

/// Compares the conditions of these types and everything else that a condition's family records.
pub fn compare(case: &Case, evaluation: &Value, types: &[&str], comparison: &mut Comparison) {
    let expected = &case.expected;
    comparison.conditions(case, evaluation, types);
    comparison.check("status", &expected["status"], &evaluation["status"]);
    let requeue = |value: &Value| json!(value["requeueAfterSeconds"].as_i64().unwrap_or(0));
    comparison.check("requeueAfterSeconds", &requeue(expected), &requeue(evaluation));
    comparison.check("error", &json!(expected["error"] == true), &json!(!evaluation["error"].is_null()));
    comparison.check("events", &strings(&expected["events"], Clone::clone), &strings(&evaluation["events"], event));
}

impl Comparison {
    /// The conditions of these types, with their times.
    pub fn conditions(&mut self, case: &Case, evaluation: &Value, types: &[&str]) {
        let expected = &case.expected;
        let (recorded, computed) = (&expected["conditions"], &evaluation["conditions"]);
        self.all_known(recorded, types);
        self.check("conditions", &conditions(recorded, types), &conditions(computed, types));
        self.check("lastTransitionTimes", &recorded_times(expected, types), &times(computed, types));
    }

    /// A recorded condition that the family does not name would not be compared at all.
    fn all_known(&mut self, recorded: &Value, types: &[&str]) {
        let recorded = recorded.as_array().into_iter().flatten().filter_map(|condition| condition["type"].as_str());
        for unknown in recorded.filter(|name| !types.contains(name)) {
            self.check(
                &format!("conditions[{unknown}]"),
                &json!("recorded"),
                &json!("a condition that is not compared"),
            );
        }
    }
}
