//! What owners' decisions have in common.

use crate::outcome::OwnerAction;
use crate::table::{Subject, Table};
use crate::time::Time;

/// What a row of a table decided.
pub fn action<S: Subject + 'static>(table: &Table<S>, row: &'static str) -> OwnerAction {
    OwnerAction { decision: table.condition, row, why: table.why(row), ..OwnerAction::default() }
}

/// The earliest moment at which time alone can change a decision.
pub fn next_change(actions: &[OwnerAction]) -> Option<Time> {
    actions.iter().filter_map(|action| action.next_change).min()
}
