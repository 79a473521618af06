//! The phase of a Cluster, and the event about a new one.

use crate::outcome::Event;
use crate::view::Cluster;

/// The phases a Cluster may have.
const KNOWN: &[&str] = &["Pending", "Provisioning", "Provisioned", "Deleting", "Failed", "Unknown"];

/// The phase; one that nothing speaks against stays.
pub fn phase(cluster: &Cluster<'_>) -> &'static str {
    let spec = &cluster.spec;
    if cluster.metadata.in_deletion() {
        "Deleting"
    } else if cluster.status.initialization.infrastructure_provisioned && spec.control_plane_endpoint.is_valid() {
        "Provisioned"
    } else if spec.infrastructure_ref.is_defined() || spec.control_plane_ref.is_defined() {
        "Provisioning"
    } else if cluster.status.phase.is_empty() {
        "Pending"
    } else {
        known(&cluster.status.phase)
    }
}

/// What to record when the phase is a new one.
pub fn change(cluster: &Cluster<'_>, phase: &'static str) -> Option<Event> {
    let name = &cluster.metadata.name;
    (known(&cluster.status.phase) != phase).then(|| Event {
        kind: "Normal",
        reason: phase,
        message: format!("Cluster {name} is {phase}"),
        object_kind: "Cluster",
        object_name: name.to_string(),
    })
}

fn known(phase: &str) -> &'static str {
    KNOWN.iter().find(|known| **known == phase).unwrap_or(&"Unknown")
}
