#![doc = include_str!("deleting.md")]

use super::OfMachine;
use crate::table::{Table, facts, otherwise, row};

/// Whether the Machine is being deleted, and how far that is.
#[rustfmt::skip]
pub static DELETING: Table<OfMachine> = Table {
    id: "M-DEL",
    kind: "Machine",
    condition: "Deleting",
    about: "The host says how far the deletion is; where it says nothing, that it is in progress. True is the transitional state.",
    source: "Cluster API v1.13.6, `internal/controllers/machine`",
    facts: facts![deletion.in_deletion, deletion.reason_given; deletion.given_reason, deletion.given_message],
    rows: &[
        //   row        when                        status  reason                     message
        row!("M-DEL-1", not deletion.in_deletion => False,  "NotDeleting",             ""),
        row!("M-DEL-2", deletion.reason_given    => True,   "{deletion.given_reason}", "{deletion.given_message}"),
        row!("M-DEL-3", otherwise                => True,   "Deleting",                "{deletion.given_message}"; cluster_api: True, "", "{deletion.given_message}"),
    ],
};
