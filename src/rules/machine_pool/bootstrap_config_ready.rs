#![doc = include_str!("bootstrap_config_ready.md")]

use super::{Facts, OfMachinePool, in_deletion, not_set_by_cluster_api};
use crate::rules::mirrored::mirrored;
use crate::table::{Table, otherwise, row};

/// Whether the data that replicas start with is ready.
pub static BOOTSTRAP_CONFIG_READY: Table<OfMachinePool> = mirrored! {
    id: "MP-BOOT", kind: "MachinePool", condition: "BootstrapConfigReady", source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    about: "The `Ready` condition of the bootstrap config; where it has none, whether the data secret was created.",
    first: [row!("MP-BOOT-1", only cluster_api, not_set_by_cluster_api => keep), row!("MP-BOOT-2", not bootstrap.referenced => True, "DataSecretProvided", "")], words: [],
    mirrors: bootstrap "Ready" else "NotReady", stand_in: data_secret_created "dataSecretCreated", in_deletion: in_deletion,
    rows: invalid "MP-BOOT-3", reported "MP-BOOT-4", done "MP-BOOT-5", not_done "MP-BOOT-6", unreadable "MP-BOOT-7", deleted "MP-BOOT-8", too_early [], missing "MP-BOOT-9",
};

/// `status.initialization.bootstrapDataSecretCreated` of the MachinePool.
fn data_secret_created(s: &Facts<'_>) -> bool {
    s.input.object.status.initialization.bootstrap_data_secret_created
}
