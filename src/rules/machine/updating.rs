#![doc = include_str!("updating.md")]

use super::{Facts, OfMachine};
use crate::table::{Table, facts, otherwise, row};

/// Whether an in-place update is in progress.
#[rustfmt::skip]
pub static UPDATING: Table<OfMachine> = Table {
    id: "M-UPD",
    kind: "Machine",
    condition: "Updating",
    about: "An update in place is in progress while an annotation marks it; the host may report more about it. True is the transitional state.",
    source: "docs/documents.md, Machine `Updating`",
    facts: facts![update_in_progress, reason_given; given_reason, given_message, given_message_or_default],
    rows: &[
        //   row        when                                   status  reason             message
        row!("M-UPD-1", update_in_progress and reason_given => True,   "{given_reason}",  "{given_message}"; cluster_api: True, "{given_reason}", "{given_message_or_default}"),
        row!("M-UPD-2", update_in_progress                  => True,   "InPlaceUpdating", "In-place update in progress"; cluster_api: True, "InPlaceUpdating", "{given_message_or_default}"),
        row!("M-UPD-3", otherwise                           => False,  "NotUpdating",     ""),
    ],
};

/// The Machine has the update-in-progress annotation or the pending hook `UpdateMachine`.
fn update_in_progress(s: &Facts<'_>) -> bool {
    s.input.object.updating_in_place()
}

/// The update flow gives a reason.
fn reason_given(s: &Facts<'_>) -> bool {
    !s.input.observed.updating_reason.is_empty()
}

/// The reason that the update flow gives.
fn given_reason(s: &Facts<'_>) -> String {
    s.input.observed.updating_reason.to_string()
}

/// The message that the update flow gives.
fn given_message(s: &Facts<'_>) -> String {
    s.input.observed.updating_message.to_string()
}

/// Cluster API has a fixed message for an update about which nothing is reported.
fn given_message_or_default(s: &Facts<'_>) -> String {
    match &*s.input.observed.updating_message {
        "" => "In-place update in progress".to_owned(),
        given => given.to_owned(),
    }
}
