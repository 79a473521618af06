#![doc = include_str!("deleting.md")]

use super::OfCluster;
use crate::table::{Table, facts, otherwise, row};

/// Whether the Cluster is being deleted, and how far that is.
#[rustfmt::skip]
pub static DELETING: Table<OfCluster> = Table {
    id: "CL-DEL",
    kind: "Cluster",
    condition: "Deleting",
    about: "The host says how far the deletion is; where it says nothing, that it is in progress. True is the transitional state.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![deletion.in_deletion, deletion.reason_given; deletion.given_reason, deletion.given_message],
    rows: &[
        //   row         when                        status  reason                     message
        row!("CL-DEL-1", not deletion.in_deletion => False,  "NotDeleting",             ""),
        row!("CL-DEL-2", deletion.reason_given    => True,   "{deletion.given_reason}", "{deletion.given_message}"),
        row!("CL-DEL-3", otherwise                => True,   "Deleting",                "{deletion.given_message}"; cluster_api: True, "", "{deletion.given_message}"),
    ],
};
