//! A decision reduced to what differs from the one before, so that a host does not decode a large health check again for one
//! machine.

use crate::outcome::{CheckedMachine, Condition, Evaluation};
use serde::Serialize;

/// A decision, complete or reduced.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Update {
    /// The decision. Its large lists hold less where `reduced` says so; all else is complete.
    #[serde(flatten)]
    pub evaluation: Evaluation,
    /// Which lists are reduced; none: the decision is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduced: Option<Reduced>,
}

/// Which lists of a decision are reduced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reduced {
    /// `conditions` holds only those that differ; the others, and the order, are as before.
    pub conditions: bool,
    /// A health check's `status.targets` is left out, because it is as before.
    pub targets: bool,
    /// A health check's `machines` holds only those that differ or are new; these are gone.
    pub removed_machines: Vec<String>,
}

/// The decision reduced to what differs from the one before.
pub fn reduce(before: &Evaluation, mut after: Evaluation) -> Update {
    if before.profile != after.profile {
        return Update { evaluation: after, reduced: None };
    }
    let conditions = same_types(&before.conditions, &after.conditions);
    if conditions {
        let mut stored = before.conditions.iter();
        after.conditions.retain(|condition| stored.next() != Some(condition));
    }
    let targets = before.status.targets == after.status.targets;
    if targets {
        after.status.targets.clear();
    }
    let removed_machines = reduce_machines(&before.machines, &mut after.machines);
    Update { evaluation: after, reduced: Some(Reduced { conditions, targets, removed_machines }) }
}

fn same_types(before: &[Condition], after: &[Condition]) -> bool {
    before.len() == after.len() && before.iter().zip(after).all(|(old, new)| old.kind == new.kind)
}

/// Keeps those that differ or are new; names those that are gone. Both lists are in the order of names.
fn reduce_machines(before: &[CheckedMachine], after: &mut Vec<CheckedMachine>) -> Vec<String> {
    let mut removed = Vec::new();
    let mut before = before.iter().peekable();
    after.retain(|machine| {
        while let Some(gone) = before.next_if(|old| old.name < machine.name) {
            removed.push(gone.name.to_string());
        }
        before.next_if(|old| old.name == machine.name) != Some(machine)
    });
    removed.extend(before.map(|gone| gone.name.to_string()));
    removed
}
