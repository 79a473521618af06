//! What changes between two profiles, grouped by its cause.

use super::values::{Difference, compare, text};
use crate::question::Question;
use capi_policy_host::decision::Catalog;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// What changes between two profiles.
#[derive(Serialize)]
pub struct Impact {
    /// The profile in use.
    pub from: String,
    /// The profile to come.
    pub to: String,
    /// How many objects were decided about.
    pub objects: usize,
    /// How many of them are decided otherwise.
    pub changed: usize,
    /// Why, those that change most objects first.
    pub causes: Vec<Cause>,
}

/// Decisions that change for the same reason.
#[derive(Serialize)]
pub struct Cause {
    /// The kind of the objects.
    pub kind: String,
    /// What changes: a condition's type, or a field.
    pub what: String,
    /// The row that decides under the second profile; empty for fields.
    pub row: String,
    /// When that row decides, in words.
    pub when: String,
    /// How many objects change.
    pub count: usize,
    /// Which, and how.
    pub changes: Vec<Change>,
}

/// One decision that changes.
#[derive(Serialize)]
pub struct Change {
    /// `namespace/name`.
    pub object: String,
    /// The decision under the profile in use.
    pub before: String,
    /// The decision under the one to come.
    pub after: String,
}

impl Impact {
    /// Compares the decisions about every object.
    pub fn of(
        catalog: &Catalog,
        from: &str,
        to: &str,
        questions: &[Question],
        before: &[Value],
        after: &[Value],
    ) -> Self {
        let mut causes: BTreeMap<(String, String, String), Vec<Change>> = BTreeMap::new();
        let mut changed = 0_usize;
        for ((question, old), new) in questions.iter().zip(before).zip(after) {
            let found = changes(question, old, new);
            changed = changed.saturating_add(usize::from(!found.is_empty()));
            for (what, row, change) in found {
                causes.entry((question.kind.clone(), what, row)).or_default().push(change);
            }
        }
        let mut causes: Vec<Cause> = causes
            .into_iter()
            .map(|((kind, what, row), changes)| Cause {
                kind,
                what,
                when: when(catalog, &row),
                row,
                count: changes.len(),
                changes,
            })
            .collect();
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.count));
        Self { from: from.to_owned(), to: to.to_owned(), objects: questions.len(), changed, causes }
    }
}

/// What changes about an object: what, the row that decides so, and how.
fn changes(question: &Question, old: &Value, new: &Value) -> Vec<(String, String, Change)> {
    let path = if question.namespace.is_empty() {
        question.name.clone()
    } else {
        format!("{}/{}", question.namespace, question.name)
    };
    let change = |before: String, after: String| Change { object: path.clone(), before, after };
    let mut found = Vec::new();
    let list = |decision: &Value| decision["conditions"].as_array().cloned().unwrap_or_default();
    let (olds, news) = (list(old), list(new));
    let types = olds.iter().chain(&news).filter_map(|condition| condition["type"].as_str());
    let types: std::collections::BTreeSet<_> = types.collect();
    for name in types {
        let of = |conditions: &[Value]| conditions.iter().find(|c| c["type"] == name).cloned().unwrap_or_default();
        let (a, b) = (of(&olds), of(&news));
        if text(&a) != text(&b) {
            let row = b["row"].as_str().unwrap_or_default().to_owned();
            found.push((name.to_owned(), row, change(text(&a), text(&b))));
        }
    }
    // Conditions have been compared, and when to come back follows from them.
    let rest = |decision: &Value| {
        let mut decision = decision.clone();
        for field in ["conditions", "profile", "nextChange", "requeueAfterSeconds"] {
            if let Some(fields) = decision.as_object_mut() {
                fields.remove(field);
            }
        }
        decision
    };
    let mut differences = Vec::new();
    compare("", &rest(old), &rest(new), &mut differences);
    found.extend(differences.into_iter().map(|Difference { path, old, new }| (path, String::new(), change(old, new))));
    found
}

/// When a row decides, in words.
fn when(catalog: &Catalog, row: &str) -> String {
    let rows = catalog.tables.iter().flat_map(|table| &table.rows);
    rows.into_iter().find(|known| known.id == row).map(|known| known.when.clone()).unwrap_or_default()
}
