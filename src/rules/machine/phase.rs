//! The phase of a Machine, and when it last changed.

use super::Facts;
use crate::outcome::Status;

/// The phases a Machine may have.
const KNOWN: &[&str] =
    &["Pending", "Provisioning", "Provisioned", "Running", "Updating", "Deleting", "Deleted", "Failed", "Unknown"];

/// `phase` and `lastUpdated`.
pub fn status(s: &Facts<'_>) -> Status {
    let stored = &s.input.object.status;
    let phase = phase(s);
    let last_updated = if stored.phase == phase { stored.last_updated } else { Some(s.progress.mode.now) };
    Status { phase: Some(phase), last_updated, ..Status::default() }
}

/// The last one that holds; a phase that nothing speaks against stays.
fn phase(s: &Facts<'_>) -> &'static str {
    let machine = s.input.object;
    let initialization = &machine.status.initialization;
    if s.deletion.in_deletion() {
        "Deleting"
    } else if machine.updating_in_place() {
        "Updating"
    } else if !machine.status.node_ref.name.is_empty() && initialization.infrastructure_provisioned {
        "Running"
    } else if !machine.spec.provider_id.is_empty() {
        "Provisioned"
    } else if initialization.bootstrap_data_secret_created && !initialization.infrastructure_provisioned {
        "Provisioning"
    } else if machine.status.phase.is_empty() {
        "Pending"
    } else {
        KNOWN.iter().find(|known| machine.status.phase == **known).unwrap_or(&"Unknown")
    }
}
