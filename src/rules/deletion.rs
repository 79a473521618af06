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
