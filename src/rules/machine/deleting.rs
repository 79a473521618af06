#![doc = include_str!("deleting.md")]

use super::{Facts, OfMachine};
use crate::table::{Table, facts, otherwise, row};

/// Whether the Machine is being deleted, and how far that is.
#[rustfmt::skip]
pub static DELETING: Table<OfMachine> = Table {
    id: "M-DEL",
    kind: "Machine",
    condition: "Deleting",
    about: "The host says how far the deletion is; where it says nothing, that it is in progress. True is the transitional state.",
    source: "Cluster API v1.13.6, `internal/controllers/machine`",
    facts: facts![in_deletion, reason_given],
    rows: &[
        //   row        when                 status  reason         message
        row!("M-DEL-1", not_deleted   => False, "NotDeleting", none),
        row!("M-DEL-2", reason_given  => True,  given_reason,  given_message),
        row!("M-DEL-3", otherwise     => True,  "Deleting",    given_message; cluster_api: True, none, given_message),
    ],
};

fn in_deletion(s: &Facts<'_>) -> bool {
    s.in_deletion()
}

fn reason_given(s: &Facts<'_>) -> bool {
    !s.input.observed.deleting_reason.is_empty()
}

fn not_deleted(s: &Facts<'_>) -> bool {
    !in_deletion(s)
}

fn given_reason(s: &Facts<'_>) -> String {
    s.input.observed.deleting_reason.to_string()
}

fn given_message(s: &Facts<'_>) -> String {
    s.input.observed.deleting_message.to_string()
}
