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
    /// What else the snapshot needs.
    pub adjust: fn(&mut Map<String, Value>),
    /// Compares an evaluation with the recorded answer.
    pub compare: fn(&Case, &Value, &mut Comparison),
}

impl Family {
    /// A family whose inputs are complete snapshots.
    const fn new(name: &'static str, kind: &'static str, compare: fn(&Case, &Value, &mut Comparison)) -> Self {
        Self { name, kind, assumed: &[], adjust: |_| {}, compare }
    }

    /// With facts that are false unless the input names them.
    const fn assuming(self, assumed: &'static [&'static str]) -> Self {
        Self { assumed, ..self }
    }

    /// With what else the snapshot needs.
    const fn adjusted(self, adjust: fn(&mut Map<String, Value>)) -> Self {
        Self { adjust, ..self }
    }
}

/// Every family that the policy answers.
#[rustfmt::skip]
pub static FAMILIES: &[Family] = &[
    Family::new("Cluster", "Cluster", conditions::of_kind)
        .assuming(&["controlPlaneNotFound", "descendantsListed", "infraClusterNotFound"]),
    Family::new("ClusterTopologyReconciled", "Cluster", topology::compare).adjusted(topology::gather),
    Family::new("KubeadmControlPlane", "KubeadmControlPlane", conditions::of_kind),
    Family::new("KubeadmControlPlaneCertificates", "KubeadmControlPlane", kubeadm_control_plane::certificates)
        .adjusted(kubeadm_control_plane::read_all),
    Family::new("KubeadmControlPlaneHealth", "KubeadmControlPlane", kubeadm_control_plane::health)
        .adjusted(kubeadm_control_plane::read_all),
    Family::new("KubeadmControlPlaneRemediation", "KubeadmControlPlane", owners::control_plane_remediation),
    Family::new("KubeadmControlPlaneScaling", "KubeadmControlPlane", owners::control_plane_scaling),
    Family::new("Machine", "Machine", conditions::of_kind)
        .assuming(&["bootstrapConfigNotFound", "infraMachineNotFound"]),
    Family::new("MachineDeployment", "MachineDeployment", conditions::of_kind).assuming(&["machineSetsListed"]),
    Family::new("MachineDeploymentRollout", "MachineDeployment", owners::machine_deployment_rollout),
    Family::new("MachineDeploymentTrace", "MachineDeployment", owners::machine_deployment_trace),
    Family::new("MachineHealthCheck", "MachineHealthCheck", health_check::compare)
        .assuming(&["workloadClusterConnected"]),
    Family::new("MachineSet", "MachineSet", conditions::of_kind).assuming(&["machinesListed"]),
    Family::new("MachineSetRemediation", "MachineSet", owners::machine_set_remediation),
    Family::new("MachineSetScaling", "MachineSet", owners::machine_set_scaling),
];

/// The family of that name.
pub fn named(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}
