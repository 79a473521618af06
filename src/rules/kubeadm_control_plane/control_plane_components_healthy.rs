#![doc = include_str!("control_plane_components_healthy.md")]

use super::inspection::inspected;
use super::{Facts, OfKubeadmControlPlane};
use crate::table::{Table, otherwise, row};

/// Whether the components of the control plane run.
#[rustfmt::skip]
pub static CONTROL_PLANE_COMPONENTS_HEALTHY: Table<OfKubeadmControlPlane> = inspected! {
    id: "KCP-CPH", condition: "ControlPlaneComponentsHealthy", about: "What the Machines report about their static Pods, and Nodes of the control plane that no Machine accounts for. A Machine without provider id has nothing to report yet.", facts: [components.failing, components.unknown; components.message, node_list_error],
    not_read "KCP-CPH-1", waits "KCP-CPH-2" "KCP-CPH-3" "KCP-CPH-4", components_remembered "KCP-CPH-5", connection "KCP-CPH-6" "KCP-CPH-7", client "KCP-CPH-8",
    rows: [
        row!("KCP-CPH-9",  inspection.nodes_not_listed         => Unknown, "InspectionFailed", "Failed to get Nodes hosting control plane components: {node_list_error}"),
        row!("KCP-CPH-10", components.failing                  => False, "NotHealthy", "{components.message}"),
        row!("KCP-CPH-11", components.unknown                  => Unknown, "HealthUnknown", "{components.message}"),
        row!("KCP-CPH-12", components.fine                     => True, "Healthy", ""),
        row!("KCP-CPH-13", otherwise                           => Unknown, "HealthUnknown", "No Machines reporting control plane status"),
    ],
};

/// Why the Nodes can't be listed.
fn node_list_error(s: &Facts<'_>) -> String {
    s.inspection.node_list_error.to_owned()
}
