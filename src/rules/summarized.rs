//! What tables about the summary of an object's conditions have in common.

use crate::aggregate::Priority;
use crate::summary::Summary;

/// Facts with a summary of the conditions that a table sums up.
pub trait Summarized {
    /// The summary, made when a table first needs it, since then all that it reads is decided.
    fn summary(&self) -> &Summary;
}

/// Some condition reports an issue.
pub fn issues<F: Summarized>(facts: &F) -> bool {
    facts.summary().priority == Priority::Issue
}

/// No condition reports an issue, and some are Unknown or missing.
pub fn unknowns<F: Summarized>(facts: &F) -> bool {
    facts.summary().priority == Priority::Unknown
}

/// A line for each condition that is not as it should be.
pub fn summary_message<F: Summarized>(facts: &F) -> String {
    facts.summary().messages.join("\n")
}
