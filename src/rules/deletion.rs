//! An object's deletion, as far as its controller reports it.

use crate::observed::Observed;
use crate::view::Metadata;

/// Whether an object is being deleted, and how far that is.
pub struct Deletion<'a> {
    in_deletion: bool,
    observed: &'a Observed<'a>,
}

impl<'a> Deletion<'a> {
    /// What is known of an object's deletion.
    pub fn of(object: &Metadata<'_>, observed: &'a Observed<'a>) -> Self {
        Self { in_deletion: object.in_deletion(), observed }
    }

    /// The object has a deletion timestamp.
    pub fn in_deletion(&self) -> bool {
        self.in_deletion
    }

    /// The controller reports how far the deletion is.
    pub fn reason_given(&self) -> bool {
        !self.observed.deleting_reason.is_empty()
    }

    /// The reason that the controller reports.
    pub fn given_reason(&self) -> &str {
        &self.observed.deleting_reason
    }

    /// The message that the controller reports.
    pub fn given_message(&self) -> &str {
        &self.observed.deleting_message
    }
}

/// The table of `Deleting` for a kind whose controller reports how far the deletion is.
macro_rules! deleting {
    (
        id: $id:literal, kind: $kind:literal, source: $source:literal, rows: exists $exists:literal, reported $reported:literal, otherwise $deleting:literal,
        about: $about:literal,
    ) => {
        $crate::table::Table {
            id: $id,
            kind: $kind,
            condition: "Deleting",
            about: $about,
            source: $source,
            facts: $crate::table::facts![
                deletion.in_deletion, deletion.reason_given;
                deletion.given_reason, deletion.given_message
            ],
            rows: &[
                $crate::table::row!($exists, not deletion.in_deletion => False, "NotDeleting", ""),
                $crate::table::row!($reported, deletion.reason_given => True, "{deletion.given_reason}", "{deletion.given_message}"),
                $crate::table::row!($deleting, otherwise => True, "Deleting", "{deletion.given_message}"; cluster_api: True, "", "{deletion.given_message}"),
            ],
        }
    };
}
pub(crate) use deleting;
