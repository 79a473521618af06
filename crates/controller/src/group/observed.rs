//! What is observed where something was not read.

/// One entry of `observed`.
pub enum Fact {
    /// Yes or no.
    Flag(&'static str, bool),
    /// A word.
    Text(&'static str, &'static str),
    /// The object as the subject last saw it: its `Ready` condition is what the subject's condition of this type says.
    /// Where there is no such condition, the flag says that the object could not be read.
    LastSeen(&'static str, &'static str),
}

/// Flows that only a running controller knows about; their last word is in the condition they keep.
pub const REPORTED: &[(&str, &str, &str)] =
    &[("Deleting", "deletingReason", "deletingMessage"), ("Updating", "updatingReason", "updatingMessage")];
