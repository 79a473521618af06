#![doc = include_str!("control_plane_components_healthy.md")]

use super::{Facts, OfKubeadmControlPlane};
use crate::table::{Table, facts, otherwise, row};

/// Whether the components of the control plane run.
#[rustfmt::skip]
pub static CONTROL_PLANE_COMPONENTS_HEALTHY: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-CPH",
    kind: "KubeadmControlPlane",
    condition: "ControlPlaneComponentsHealthy",
    about: "What the Machines report about their static Pods, and Nodes of the control plane that no Machine accounts for. A Machine without provider id has nothing to report yet.",
    source: "Cluster API v1.14.2, `controlplane/kubeadm`",
    facts: facts![components.failing, components.unknown; components.message, node_list_error, inspection.last_probe],
    rows: &[
        // row, when, status, reason, message
        row!("KCP-CPH-1",  inspection.not_read                 => keep),
        row!("KCP-CPH-2",  inspection.waits_for_infrastructure => Unknown, "InspectionFailed", "Waiting for Cluster status.infrastructureReady to be true"),
        row!("KCP-CPH-3",  inspection.waits_for_endpoint       => Unknown, "InspectionFailed", "Waiting for Cluster spec.controlPlaneEndpoint to be set"),
        row!("KCP-CPH-4",  inspection.waits_for_initialization => Unknown, "InspectionFailed", "Waiting for Cluster control plane to be initialized"),
        row!("KCP-CPH-5",  inspection.components_remembered    => keep),
        row!("KCP-CPH-6",  inspection.not_connected_yet        => Unknown, "ConnectionDown",   "Remote connection not established yet"),
        row!("KCP-CPH-7",  inspection.connection_down          => Unknown, "ConnectionDown",   "{inspection.last_probe}"),
        row!("KCP-CPH-8",  inspection.no_client                => Unknown, "InspectionFailed", CHECK_CONTROLLER_LOGS),
        row!("KCP-CPH-9",  inspection.nodes_not_listed         => Unknown, "InspectionFailed", "Failed to get Nodes hosting control plane components: {node_list_error}"),
        row!("KCP-CPH-10", components.failing                  => False, "NotHealthy", "{components.message}"),
        row!("KCP-CPH-11", components.unknown                  => Unknown, "HealthUnknown", "{components.message}"),
        row!("KCP-CPH-12", components.fine                     => True, "Healthy", ""),
        row!("KCP-CPH-13", otherwise                           => Unknown, "HealthUnknown", "No Machines reporting control plane status"),
    ],
};

fn node_list_error(s: &Facts<'_>) -> String {
    s.inspection.node_list_error.to_owned()
}
