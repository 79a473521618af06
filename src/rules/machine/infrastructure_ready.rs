#![doc = include_str!("infrastructure_ready.md")]

use super::{Facts, OfMachine};
use crate::rules::mirrored::mirrored;
use crate::table::{Table, otherwise, row};

/// Whether the host that a machine stands for is ready.
pub static INFRASTRUCTURE_READY: Table<OfMachine> = mirrored! {
    id: "M-INF", kind: "Machine", condition: "InfrastructureReady", source: "Cluster API v1.13.6, `internal/controllers/machine`",
    about: "The `Ready` condition of the infrastructure machine; where it has none, whether it was provisioned.",
    first: [], words: [],
    mirrors: infrastructure "Ready" else "NotReady", stand_in: provisioned "provisioned", in_deletion: deletion.in_deletion,
    rows: invalid "M-INF-1", reported "M-INF-2", done "M-INF-3", not_done "M-INF-4", unreadable "M-INF-5", deleted "M-INF-6", too_early [row!("M-INF-7", provisioned => False, "ObjectDeleted", "{infrastructure.kind} has been deleted while the Machine still exists")], missing "M-INF-8",
};

/// `status.initialization.infrastructureProvisioned` of the Machine.
fn provisioned(s: &Facts<'_>) -> bool {
    s.input.object.status.initialization.infrastructure_provisioned
}
