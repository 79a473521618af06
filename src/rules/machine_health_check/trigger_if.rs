#![doc = include_str!("trigger_if.md")]

use super::Facts;
use crate::table::{Table, facts, otherwise, row, subject};

/// Whether the threshold can be read.
#[rustfmt::skip]
pub static TRIGGER_IF: Table<OfTrigger> = Table {
    id: "MHC-TRG",
    kind: "MachineHealthCheck",
    condition: "TriggerIf",
    about: "Whether `spec.remediation.triggerIf` makes sense. Cluster API reads numbers with a sign too: below zero, remediation is never allowed.",
    source: "docs/documents.md, MachineHealthCheck, remediation decision; Cluster API v1.13.6, `internal/controllers/machinehealthcheck`",
    facts: facts![unreadable, signed],
    rows: &[
        //   row          when
        row!("MHC-TRG-1", unreadable => act RefuseInput; cluster_api: act ReportError),
        row!("MHC-TRG-2", signed     => act RefuseInput; cluster_api: act Apply),
        row!("MHC-TRG-3", otherwise  => act Apply),
    ],
};

/// The threshold of a health check.
pub struct OfTrigger;

subject!(OfTrigger, Facts, Act);

/// `triggerIf` holds something that is no range, number or percentage.
fn unreadable(s: &Facts<'_>) -> bool {
    s.trigger.is_err()
}

/// The number or percentage starts with a sign.
fn signed(s: &Facts<'_>) -> bool {
    s.trigger.as_ref().is_ok_and(|trigger| trigger.signed)
}

/// Whether `triggerIf` can be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// It is.
    Apply,
    /// The snapshot is refused.
    RefuseInput,
    /// Machines are checked, but none is remediated; the host retries.
    ReportError,
}
