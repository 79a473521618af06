//! How each family of recorded answers is put to the policy and compared with its evaluation.
//!
//! A new family is a file here and an entry of [`FAMILIES`].

mod conditions;
mod health_check;

use crate::{Case, Comparison};
use serde_json::Value;

/// A family of recorded answers: everything that one part of a controller decides.
pub struct Family {
    /// Its name: `kind` of its cases and the stem of its file.
    pub name: &'static str,
    /// The kind of the object that is evaluated.
    pub kind: &'static str,
    /// Facts that a snapshot assumes unless it says otherwise, but that hold in a recorded input only where it says so.
    pub assumed: &'static [&'static str],
    /// Compares an evaluation with the recorded answer.
    pub compare: fn(&Case, &Value, &mut Comparison),
}

/// Every family that the policy answers.
pub static FAMILIES: &[Family] = &[
    Family {
        name: "Cluster",
        kind: "Cluster",
        assumed: &["controlPlaneNotFound", "descendantsListed", "infraClusterNotFound"],
        compare: |case, evaluation, comparison| {
            conditions::compare(case, evaluation, conditions::CLUSTER, comparison);
        },
    },
    Family {
        name: "KubeadmControlPlane",
        kind: "KubeadmControlPlane",
        assumed: &[],
        compare: |case, evaluation, comparison| {
            conditions::compare(case, evaluation, conditions::KUBEADM_CONTROL_PLANE, comparison);
        },
    },
    Family {
        name: "Machine",
        kind: "Machine",
        assumed: &["bootstrapConfigNotFound", "infraMachineNotFound"],
        compare: |case, evaluation, comparison| {
            conditions::compare(case, evaluation, conditions::MACHINE, comparison);
        },
    },
    Family {
        name: "MachineDeployment",
        kind: "MachineDeployment",
        assumed: &["machineSetsListed"],
        compare: |case, evaluation, comparison| {
            conditions::compare(case, evaluation, conditions::MACHINE_DEPLOYMENT, comparison);
        },
    },
    Family {
        name: "MachineHealthCheck",
        kind: "MachineHealthCheck",
        assumed: &["workloadClusterConnected"],
        compare: health_check::compare,
    },
    Family {
        name: "MachineSet",
        kind: "MachineSet",
        assumed: &["machinesListed"],
        compare: |case, evaluation, comparison| {
            conditions::compare(case, evaluation, conditions::MACHINE_SET, comparison);
        },
    },
];

/// The family of that name.
pub fn named(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}
