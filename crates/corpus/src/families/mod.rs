//! How each family of recorded answers is put to the policy and compared with its evaluation.
//!
//! A new family is a file here and an entry of [`FAMILIES`].

mod conditions;
mod health_check;
mod kubeadm_control_plane;
pub(crate) mod owners;
mod topology;

use crate::{Case, Comparison};
use serde_json::{Map, Value};

/// A family of recorded answers: everything that one part of a controller decides.
pub struct Family {
    /// Its name: `kind` of its cases and the stem of its file.
    pub name: &'static str,
    /// The kind of the object that is evaluated.
    pub kind: &'static str,
    /// Facts that a snapshot assumes unless it says otherwise, but that hold in a recorded input only where it says so.
    pub assumed: &'static [&'static str],
    /// What else has to be said in the snapshot.
    pub adjust: fn(&mut Map<String, Value>),
    /// Compares an evaluation with the recorded answer.
    pub compare: fn(&Case, &Value, &mut Comparison),
}

/// Every family that the policy answers.
pub static FAMILIES: &[Family] = &[
    Family {
        name: "Cluster",
        kind: "Cluster",
        assumed: &["controlPlaneNotFound", "descendantsListed", "infraClusterNotFound"],
        adjust: |_| {},
        compare: |case, evaluation, comparison| {
            conditions::compare(case, evaluation, conditions::CLUSTER, comparison);
        },
    },
    Family {
        name: "KubeadmControlPlane",
        kind: "KubeadmControlPlane",
        assumed: &[],
        adjust: |_| {},
        compare: |case, evaluation, comparison| {
            conditions::compare(case, evaluation, conditions::KUBEADM_CONTROL_PLANE, comparison);
        },
    },
    Family {
        name: "ClusterTopologyReconciled",
        kind: "Cluster",
        assumed: &[],
        adjust: topology::gather,
        compare: topology::compare,
    },
    Family {
        name: "KubeadmControlPlaneCertificates",
        kind: "KubeadmControlPlane",
        assumed: &[],
        adjust: kubeadm_control_plane::read_all,
        compare: kubeadm_control_plane::certificates,
    },
    Family {
        name: "KubeadmControlPlaneHealth",
        kind: "KubeadmControlPlane",
        assumed: &[],
        adjust: kubeadm_control_plane::read_all,
        compare: kubeadm_control_plane::health,
    },
    Family {
        name: "KubeadmControlPlaneRemediation",
        kind: "KubeadmControlPlane",
        assumed: &[],
        adjust: |_| {},
        compare: owners::control_plane_remediation,
    },
    Family {
        name: "KubeadmControlPlaneScaling",
        kind: "KubeadmControlPlane",
        assumed: &[],
        adjust: |_| {},
        compare: owners::control_plane_scaling,
    },
    Family {
        name: "Machine",
        kind: "Machine",
        assumed: &["bootstrapConfigNotFound", "infraMachineNotFound"],
        adjust: |_| {},
        compare: |case, evaluation, comparison| {
            conditions::compare(case, evaluation, conditions::MACHINE, comparison);
        },
    },
    Family {
        name: "MachineDeployment",
        kind: "MachineDeployment",
        assumed: &["machineSetsListed"],
        adjust: |_| {},
        compare: |case, evaluation, comparison| {
            conditions::compare(case, evaluation, conditions::MACHINE_DEPLOYMENT, comparison);
        },
    },
    Family {
        name: "MachineDeploymentRollout",
        kind: "MachineDeployment",
        assumed: &[],
        adjust: |_| {},
        compare: owners::machine_deployment_rollout,
    },
    Family {
        name: "MachineDeploymentTrace",
        kind: "MachineDeployment",
        assumed: &[],
        adjust: |_| {},
        compare: owners::machine_deployment_trace,
    },
    Family {
        name: "MachineHealthCheck",
        kind: "MachineHealthCheck",
        assumed: &["workloadClusterConnected"],
        adjust: |_| {},
        compare: health_check::compare,
    },
    Family {
        name: "MachineSet",
        kind: "MachineSet",
        assumed: &["machinesListed"],
        adjust: |_| {},
        compare: |case, evaluation, comparison| {
            conditions::compare(case, evaluation, conditions::MACHINE_SET, comparison);
        },
    },
    Family {
        name: "MachineSetRemediation",
        kind: "MachineSet",
        assumed: &[],
        adjust: |_| {},
        compare: owners::machine_set_remediation,
    },
    Family {
        name: "MachineSetScaling",
        kind: "MachineSet",
        assumed: &[],
        adjust: |_| {},
        compare: owners::machine_set_scaling,
    },
];

/// The family of that name.
pub fn named(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}
