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

/// The table of a condition that sums up others, and the gates that the object names.
macro_rules! summarized {
    (
        id: $id:literal, kind: $kind:literal, condition: $condition:literal, source: $source:literal,
        about: $about:literal,
        gates: $gates:ident, refused: $refused:literal $names_itself:ident,
        rows: some $some:literal $not:literal, unclear $unclear:literal $unknown:literal, all $all:literal $holds:literal,
    ) => {
        $crate::table::Table {
            facts: $crate::table::facts![$gates, issues, unknowns; summary_message],
            id: $id,
            kind: $kind,
            condition: $condition,
            about: $about,
            source: $source,
            rows: &[
                $crate::table::row!($refused, $names_itself => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
                $crate::table::row!($some, issues => False, $not, "{summary_message}"),
                $crate::table::row!($unclear, unknowns => Unknown, $unknown, "{summary_message}"),
                $crate::table::row!($all, otherwise => True, $holds, "{summary_message}"),
            ],
        }
    };
}
pub(crate) use summarized;
