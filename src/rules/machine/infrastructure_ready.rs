#![doc = include_str!("infrastructure_ready.md")]

use super::{Facts, OfMachine};
use crate::table::{Copied, Table, facts, otherwise, row};

/// Whether the host that a machine stands for is ready.
#[rustfmt::skip]
pub static INFRASTRUCTURE_READY: Table<OfMachine> = Table {
    id: "M-INF",
    kind: "Machine",
    condition: "InfrastructureReady",
    about: "The `Ready` condition of the infrastructure machine; where it has none, whether it was provisioned.",
    source: "Cluster API v1.13.6, `internal/controllers/machine`",
    facts: facts![infrastructure_ref, infrastructure_found, provisioned, in_deletion],
    rows: &[
        //   row        when                                  status   reason                      message
        row!("M-INF-1", conditions_invalid             => Unknown, "InvalidConditionReported", what_is_invalid),
        row!("M-INF-2", readiness_reported             => copy readiness_of_the_infrastructure),
        row!("M-INF-3", provisioned_without_it         => True,    "Ready",                    none),
        row!("M-INF-4", infrastructure_found           => False,   "NotReady",                 not_provisioned),
        row!("M-INF-5", infrastructure_unreadable      => Unknown, "InternalError",            CHECK_CONTROLLER_LOGS),
        row!("M-INF-6", deleted_with_machine           => False,   "ObjectDeleted",            has_been_deleted),
        row!("M-INF-7", deleted_while_machine_exists   => False,   "ObjectDeleted",            has_been_deleted_too_early),
        row!("M-INF-8", otherwise                      => False,   "ObjectDoesNotExist",       does_not_exist),
    ],
};

fn infrastructure_ref(s: &Facts<'_>) -> String {
    let infrastructure_ref = &s.input.machine.spec.infrastructure_ref;
    format!("{} {}", infrastructure_ref.kind, infrastructure_ref.name)
}

fn provisioned(s: &Facts<'_>) -> bool {
    s.input.machine.status.initialization.infrastructure_provisioned
}

fn in_deletion(s: &Facts<'_>) -> bool {
    s.in_deletion()
}

fn conditions_invalid(s: &Facts<'_>) -> bool {
    !s.infrastructure.invalid().is_empty()
}

fn readiness_reported(s: &Facts<'_>) -> bool {
    s.infrastructure.reports("Ready")
}

fn infrastructure_found(s: &Facts<'_>) -> bool {
    s.infrastructure.found()
}

fn provisioned_without_it(s: &Facts<'_>) -> bool {
    infrastructure_found(s) && provisioned(s)
}

fn infrastructure_unreadable(s: &Facts<'_>) -> bool {
    s.infrastructure.unreadable()
}

fn deleted_with_machine(s: &Facts<'_>) -> bool {
    provisioned(s) && in_deletion(s)
}

fn deleted_while_machine_exists(s: &Facts<'_>) -> bool {
    provisioned(s) && !in_deletion(s)
}

fn what_is_invalid(s: &Facts<'_>) -> String {
    s.infrastructure.invalid().to_owned()
}

fn readiness_of_the_infrastructure(s: &Facts<'_>) -> Copied {
    s.infrastructure.mirror("Ready", "Ready")
}

fn not_provisioned(s: &Facts<'_>) -> String {
    format!("{} status.initialization.provisioned is false", kind(s))
}

fn has_been_deleted(s: &Facts<'_>) -> String {
    format!("{} has been deleted", kind(s))
}

fn has_been_deleted_too_early(s: &Facts<'_>) -> String {
    format!("{} has been deleted while the Machine still exists", kind(s))
}

fn does_not_exist(s: &Facts<'_>) -> String {
    format!("{} does not exist", kind(s))
}

fn kind<'a>(s: &'a Facts<'_>) -> &'a str {
    &s.input.machine.spec.infrastructure_ref.kind
}
