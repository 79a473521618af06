//! What owners' decisions have in common.

use crate::outcome::{Evaluation, Explanation, OwnerAction};
use crate::progress::Mode;
use crate::table::{Subject, Table};
use crate::view::Metadata;

/// What a row of a table decided.
pub fn action<S: Subject + 'static>(table: &Table<S>, row: &'static str) -> OwnerAction {
    OwnerAction { decision: table.condition, row, why: table.why(row), ..OwnerAction::default() }
}

/// What an owner does next, and how that was decided.
pub type Decided = (Vec<OwnerAction>, Vec<Explanation>);

/// Whether what an owner does next is decided: not while it is paused or in deletion, nor under a profile that does not say.
pub fn decides(mode: Mode, is_paused: bool, owner: &Metadata<'_>) -> bool {
    !is_paused && !owner.in_deletion() && mode.profile.has_owner_actions()
}

/// Makes it part of the evaluation, which changes by itself no later than what is decided here.
pub fn note((actions, explanations): Decided, evaluation: &mut Evaluation) {
    let moments = actions.iter().filter_map(|action| action.next_change);
    evaluation.next_change = evaluation.next_change.into_iter().chain(moments).min();
    evaluation.owner_actions = actions;
    evaluation.explanations.extend(explanations);
}
