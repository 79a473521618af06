#![doc = include_str!("bootstrap_config_ready.md")]

use super::{Facts, OfMachinePool, in_deletion, not_set_by_cluster_api};
use crate::table::{Table, facts, otherwise, row};

/// Whether the data that replicas start with is ready.
#[rustfmt::skip]
pub static BOOTSTRAP_CONFIG_READY: Table<OfMachinePool> = Table {
    id: "MP-BOOT",
    kind: "MachinePool",
    condition: "BootstrapConfigReady",
    about: "The `Ready` condition of the bootstrap config; where it has none, whether the data secret was created.",
    source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    facts: facts![bootstrap.reference, bootstrap.found, data_secret_created, in_deletion; bootstrap.what_is_invalid, bootstrap.kind],
    rows: &[
        // row, when, status, reason, message
        row!("MP-BOOT-1", only cluster_api, not_set_by_cluster_api => keep),
        row!("MP-BOOT-2", not bootstrap.referenced                 => True, "DataSecretProvided", ""),
        row!("MP-BOOT-3", bootstrap.conditions_invalid             => Unknown, "InvalidConditionReported", "{bootstrap.what_is_invalid}"),
        row!("MP-BOOT-4", bootstrap.reports("Ready")               => copy bootstrap.mirror("Ready", "Ready")),
        row!("MP-BOOT-5", bootstrap.found and data_secret_created  => True, "Ready", ""),
        row!("MP-BOOT-6", bootstrap.found                          => False, "NotReady", "{bootstrap.kind} status.initialization.dataSecretCreated is false"),
        row!("MP-BOOT-7", bootstrap.unreadable                     => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MP-BOOT-8", data_secret_created and in_deletion      => False, "ObjectDeleted", "{bootstrap.kind} has been deleted"),
        row!("MP-BOOT-9", otherwise                                => False, "ObjectDoesNotExist", "{bootstrap.kind} does not exist"),
    ],
};

/// `status.initialization.bootstrapDataSecretCreated` of the MachinePool.
fn data_secret_created(s: &Facts<'_>) -> bool {
    s.input.machine_pool.status.initialization.bootstrap_data_secret_created
}
