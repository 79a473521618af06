#![doc = include_str!("bootstrap_config_ready.md")]

use super::{Facts, OfMachine};
use crate::table::{Copied, Table, facts, otherwise, row};

/// Whether the data that a machine starts with is ready.
#[rustfmt::skip]
pub static BOOTSTRAP_CONFIG_READY: Table<OfMachine> = Table {
    id: "M-BOOT",
    kind: "Machine",
    condition: "BootstrapConfigReady",
    about: "The `Ready` condition of the bootstrap config; where it has none, whether the data secret was created.",
    source: "Cluster API v1.13.6, `internal/controllers/machine`",
    facts: facts![config_ref, config_found, data_secret_created, in_deletion],
    rows: &[
        //   row         when                               status   reason                      message
        row!("M-BOOT-1", no_config_ref               => True,    "DataSecretProvided",       none),
        row!("M-BOOT-2", conditions_invalid          => Unknown, "InvalidConditionReported", what_is_invalid),
        row!("M-BOOT-3", readiness_reported          => copy readiness_of_the_config),
        row!("M-BOOT-4", config_without_it_and_data  => True,    "Ready",                    none),
        row!("M-BOOT-5", config_found                => False,   "NotReady",                 data_secret_not_created),
        row!("M-BOOT-6", config_unreadable           => Unknown, "InternalError",            CHECK_CONTROLLER_LOGS),
        row!("M-BOOT-7", config_deleted_with_machine => False,   "ObjectDeleted",            has_been_deleted),
        row!("M-BOOT-8", otherwise                   => False,   "ObjectDoesNotExist",       does_not_exist),
    ],
};

fn config_ref(s: &Facts<'_>) -> String {
    let config_ref = &s.input.machine.spec.bootstrap.config_ref;
    format!("{} {}", config_ref.kind, config_ref.name)
}

fn data_secret_created(s: &Facts<'_>) -> bool {
    s.input.machine.status.initialization.bootstrap_data_secret_created
}

fn in_deletion(s: &Facts<'_>) -> bool {
    s.in_deletion()
}

fn no_config_ref(s: &Facts<'_>) -> bool {
    !s.input.machine.spec.bootstrap.config_ref.is_defined()
}

fn conditions_invalid(s: &Facts<'_>) -> bool {
    !s.bootstrap.invalid().is_empty()
}

fn readiness_reported(s: &Facts<'_>) -> bool {
    s.bootstrap.reports("Ready")
}

fn config_found(s: &Facts<'_>) -> bool {
    s.bootstrap.found()
}

fn config_without_it_and_data(s: &Facts<'_>) -> bool {
    config_found(s) && data_secret_created(s)
}

fn config_unreadable(s: &Facts<'_>) -> bool {
    s.bootstrap.unreadable()
}

fn config_deleted_with_machine(s: &Facts<'_>) -> bool {
    in_deletion(s) && data_secret_created(s)
}

fn what_is_invalid(s: &Facts<'_>) -> String {
    s.bootstrap.invalid().to_owned()
}

fn readiness_of_the_config(s: &Facts<'_>) -> Copied {
    s.bootstrap.mirror("Ready", "Ready")
}

fn data_secret_not_created(s: &Facts<'_>) -> String {
    format!("{} status.initialization.dataSecretCreated is false", kind(s))
}

fn has_been_deleted(s: &Facts<'_>) -> String {
    format!("{} has been deleted", kind(s))
}

fn does_not_exist(s: &Facts<'_>) -> String {
    format!("{} does not exist", kind(s))
}

fn kind<'a>(s: &'a Facts<'_>) -> &'a str {
    &s.input.machine.spec.bootstrap.config_ref.kind
}
