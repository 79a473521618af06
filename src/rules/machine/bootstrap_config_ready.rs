#![doc = include_str!("bootstrap_config_ready.md")]

use super::{Facts, OfMachine};
use crate::rules::mirrored::mirrored;
use crate::table::{Table, otherwise, row};

/// Whether the data that a machine starts with is ready.
pub static BOOTSTRAP_CONFIG_READY: Table<OfMachine> = mirrored! {
    id: "M-BOOT", kind: "Machine", condition: "BootstrapConfigReady", source: "Cluster API v1.13.6, `internal/controllers/machine`",
    about: "The `Ready` condition of the bootstrap config; where it has none, whether the data secret was created.",
    first: [row!("M-BOOT-1", not bootstrap.referenced => True, "DataSecretProvided", "")], words: [],
    mirrors: bootstrap "Ready" else "NotReady", stand_in: data_secret_created "dataSecretCreated", in_deletion: deletion.in_deletion,
    rows: invalid "M-BOOT-2", reported "M-BOOT-3", done "M-BOOT-4", not_done "M-BOOT-5", unreadable "M-BOOT-6", deleted "M-BOOT-7", too_early [], missing "M-BOOT-8",
};

/// `status.initialization.bootstrapDataSecretCreated` of the Machine.
fn data_secret_created(s: &Facts<'_>) -> bool {
    s.input.object.status.initialization.bootstrap_data_secret_created
}
