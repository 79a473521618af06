//! What is observed where something was not read.

/// One entry of `observed`.
pub enum Fact {
    /// Yes or no.
    Flag(&'static str, bool),
    /// A word.
    Text(&'static str, &'static str),
    /// The flag that says whether the object is known not to exist: it could not be read, so it is not.
    NotThere(&'static str),
}

/// Flows that only a running controller knows about; their last word is in the condition they keep.
pub const REPORTED: &[(&str, &str, &str)] =
    &[("Deleting", "deletingReason", "deletingMessage"), ("Updating", "updatingReason", "updatingMessage")];
