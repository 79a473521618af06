#![doc = include_str!("bootstrap_config_ready.md")]

use super::{Facts, OfMachine};
use crate::table::{Table, facts, otherwise, row};

/// Whether the data that a machine starts with is ready.
#[rustfmt::skip]
pub static BOOTSTRAP_CONFIG_READY: Table<OfMachine> = Table {
    id: "M-BOOT",
    kind: "Machine",
    condition: "BootstrapConfigReady",
    about: "The `Ready` condition of the bootstrap config; where it has none, whether the data secret was created.",
    source: "Cluster API v1.13.6, `internal/controllers/machine`",
    facts: facts![bootstrap.reference, bootstrap.found, data_secret_created, deletion.in_deletion; bootstrap.what_is_invalid, bootstrap.kind],
    rows: &[
        //   row         when                                            status   reason                      message
        row!("M-BOOT-1", not bootstrap.referenced                     => True,    "DataSecretProvided",       ""),
        row!("M-BOOT-2", bootstrap.conditions_invalid                 => Unknown, "InvalidConditionReported", "{bootstrap.what_is_invalid}"),
        row!("M-BOOT-3", bootstrap.reports("Ready")                   => copy bootstrap.mirror("Ready", "Ready")),
        row!("M-BOOT-4", bootstrap.found and data_secret_created      => True,    "Ready",                    ""),
        row!("M-BOOT-5", bootstrap.found                              => False,   "NotReady",                 "{bootstrap.kind} status.initialization.dataSecretCreated is false"),
        row!("M-BOOT-6", bootstrap.unreadable                         => Unknown, "InternalError",            CHECK_CONTROLLER_LOGS),
        row!("M-BOOT-7", data_secret_created and deletion.in_deletion => False,   "ObjectDeleted",            "{bootstrap.kind} has been deleted"),
        row!("M-BOOT-8", otherwise                                    => False,   "ObjectDoesNotExist",       "{bootstrap.kind} does not exist"),
    ],
};

/// `status.initialization.bootstrapDataSecretCreated` of the Machine.
fn data_secret_created(s: &Facts<'_>) -> bool {
    s.input.machine.status.initialization.bootstrap_data_secret_created
}
