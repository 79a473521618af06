#![doc = include_str!("available.md")]

use super::{Facts, OfMachine};
use crate::table::{Table, facts, otherwise, row};
use crate::time::Time;

/// Whether the Machine has been ready for long enough.
#[rustfmt::skip]
pub static AVAILABLE: Table<OfMachine> = Table {
    id: "M-AVL",
    kind: "Machine",
    condition: "Available",
    about: "A Machine that has been ready for `spec.minReadySeconds` is available. While that time runs, the evaluation names when to come back.",
    source: "Cluster API v1.13.6, `internal/controllers/machine`",
    facts: facts![ready, min_ready_seconds],
    rows: &[
        //   row        when                      status  reason                       message
        row!("M-AVL-1", not ready          => False, "NotReady",                  ""),
        row!("M-AVL-2", ready_long_enough  => True,  "Available",                 ""),
        row!("M-AVL-3", otherwise          => False, "WaitingForMinReadySeconds", ""),
    ],
};

/// The Machine's `Ready` is True.
fn ready(s: &Facts<'_>) -> bool {
    ready_since(s).is_some()
}

fn min_ready_seconds(s: &Facts<'_>) -> i64 {
    s.input.object.spec.min_ready_seconds
}

/// `Ready` has been True for `spec.minReadySeconds`.
fn ready_long_enough(s: &Facts<'_>) -> bool {
    available_at(s).is_some_and(|moment| moment <= s.progress.mode.now)
}

fn ready_since(s: &Facts<'_>) -> Option<Time> {
    s.progress.current("Ready").filter(|ready| ready.status == "True").map(|ready| ready.since)
}

/// The first moment at which the Machine is available.
pub fn available_at(s: &Facts<'_>) -> Option<Time> {
    ready_since(s).map(|since| since.plus(min_ready_seconds(s)))
}

/// Seconds until the Machine is available, while it is waiting for that.
pub fn seconds_left(s: &Facts<'_>) -> Option<i64> {
    available_at(s).map(|moment| moment.since(s.progress.mode.now)).filter(|left| *left > 0)
}
