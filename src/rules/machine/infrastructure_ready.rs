#![doc = include_str!("infrastructure_ready.md")]

use super::{Facts, OfMachine};
use crate::table::{Table, facts, otherwise, row};

/// Whether the host that a machine stands for is ready.
#[rustfmt::skip]
pub static INFRASTRUCTURE_READY: Table<OfMachine> = Table {
    id: "M-INF",
    kind: "Machine",
    condition: "InfrastructureReady",
    about: "The `Ready` condition of the infrastructure machine; where it has none, whether it was provisioned.",
    source: "Cluster API v1.13.6, `internal/controllers/machine`",
    facts: facts![infrastructure.reference, infrastructure.found, provisioned, deletion.in_deletion; infrastructure.what_is_invalid, infrastructure.kind],
    rows: &[
        //   row        when                                    status   reason                      message
        row!("M-INF-1", infrastructure.conditions_invalid    => Unknown, "InvalidConditionReported", "{infrastructure.what_is_invalid}"),
        row!("M-INF-2", infrastructure.reports("Ready")      => copy infrastructure.mirror("Ready", "Ready")),
        row!("M-INF-3", infrastructure.found and provisioned => True,    "Ready",                    ""),
        row!("M-INF-4", infrastructure.found                 => False,   "NotReady",                 "{infrastructure.kind} status.initialization.provisioned is false"),
        row!("M-INF-5", infrastructure.unreadable            => Unknown, "InternalError",            CHECK_CONTROLLER_LOGS),
        row!("M-INF-6", provisioned and deletion.in_deletion => False,   "ObjectDeleted",            "{infrastructure.kind} has been deleted"),
        row!("M-INF-7", provisioned                          => False,   "ObjectDeleted",            "{infrastructure.kind} has been deleted while the Machine still exists"),
        row!("M-INF-8", otherwise                            => False,   "ObjectDoesNotExist",       "{infrastructure.kind} does not exist"),
    ],
};

/// `status.initialization.infrastructureProvisioned` of the Machine.
fn provisioned(s: &Facts<'_>) -> bool {
    s.input.machine.status.initialization.infrastructure_provisioned
}
