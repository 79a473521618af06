//! The order in which Cluster API stores conditions.

use crate::outcome::Condition;
use crate::sorted::Sorted;
use capi_policy_json::same;

/// Known types in their order. All others stand together before the last two, by name.
const ORDER: &[&str] = &[
    "Available",
    "Ready",
    "UpToDate",
    "RemoteConnectionProbe",
    "BootstrapConfigReady",
    "InfrastructureReady",
    "ControlPlaneInitialized",
    "ControlPlaneAvailable",
    "WorkersAvailable",
    "CertificatesAvailable",
    "Initialized",
    "EtcdClusterHealthy",
    "ControlPlaneComponentsHealthy",
    "NodeHealthy",
    "NodeReady",
    "NodeKubeadmLabelsAndTaintsSet",
    "EtcdPodHealthy",
    "EtcdMemberHealthy",
    "APIServerPodHealthy",
    "ControllerManagerPodHealthy",
    "SchedulerPodHealthy",
    "HealthCheckSucceeded",
    "OwnerRemediated",
    "TopologyReconciled",
    "Updating",
    "RollingOut",
    "Remediating",
    "ScalingDown",
    "ScalingUp",
    "MachinesReady",
    "ControlPlaneMachinesReady",
    "WorkerMachinesReady",
    "MachinesUpToDate",
    "ControlPlaneMachinesUpToDate",
    "WorkerMachinesUpToDate",
    OTHERS,
    "Paused",
    "Deleting",
];

const OTHERS: &str = "";

/// Where a condition type stands, for sorting.
pub fn rank(kind: &str) -> (usize, &str) {
    let at = |wanted: &str| ORDER.iter().position(|known| same(known, wanted));
    (at(kind).or_else(|| at(OTHERS)).unwrap_or(ORDER.len()), kind)
}

/// Sorts conditions as Cluster API stores them.
pub fn sort(conditions: &mut Vec<Condition>) {
    conditions.order_by(|a, b| rank(a.kind).cmp(&rank(b.kind)));
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn available_first_unknown_types_by_name_deleting_last() {
        let mut kinds = ["Deleting", "Zebra", "Ready", "Paused", "ExternallyRemediated", "Available", "ScalingUp"];
        kinds.sort_by_key(|kind| rank(kind));
        assert_eq!(kinds, ["Available", "Ready", "ScalingUp", "ExternallyRemediated", "Zebra", "Paused", "Deleting"]);
    }
}
