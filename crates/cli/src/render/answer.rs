//! The answer before the tables: what was decided, why, and what would change it and when.

use super::evaluations::{YEAR, condition_is_normal};
use super::words::{count, path, relative};
use capi_policy_host::Time;
use capi_policy_host::decision::{Catalog, Condition, Evaluation, Row, Table, Threshold, Verdict};

/// Conditions that sum up the others, the one that says most first.
const SUMMARIES: &[&str] = &["Available", "Ready", "RemediationAllowed"];

/// Three sentences about one object.
pub struct Answer {
    /// What was decided.
    pub what: String,
    /// Why.
    pub why: String,
    /// What would change it, and when.
    pub change: String,
}

/// The answer about an object.
pub fn answer(evaluation: &Evaluation, catalog: &Catalog) -> Answer {
    let name = format!("{} {}", evaluation.kind, path(&evaluation.namespace, &evaluation.name));
    let leading = leading(evaluation);
    let what = match (&evaluation.error, &evaluation.threshold, leading) {
        (Some(error), _, _) => format!("{name} could not be decided completely: {error}"),
        (None, Some(threshold), Some(_)) => format!("{name}: {}", checked(evaluation, threshold)),
        (None, _, Some(condition)) => format!("{name} {}", state(condition)),
        (None, _, None) => format!("{name} has no conditions to decide about"),
    };
    let why = leading.map(|condition| why(condition, evaluation, catalog)).unwrap_or_default();
    let mut change = vec![deadline(evaluation).unwrap_or_else(|| "nothing by itself".to_owned())];
    change.extend(leading.and_then(|condition| flip(condition, evaluation, catalog)));
    Answer { what, why, change: change.join("; ") }
}

/// The condition that says most about an object: of those that are not normal, else of all.
pub fn leading(evaluation: &Evaluation) -> Option<&Condition> {
    let rank = |condition: &&Condition| {
        SUMMARIES.iter().position(|name| *name == condition.condition_type).unwrap_or(SUMMARIES.len())
    };
    let abnormal = evaluation.conditions.iter().filter(|condition| !condition_is_normal(condition));
    abnormal.min_by_key(rank).or_else(|| evaluation.conditions.iter().min_by_key(rank))
}

/// `is not Ready (NotReady)`
fn state(condition: &Condition) -> String {
    let since = &condition.last_transition_time;
    let name = &condition.condition_type;
    match condition.status.as_str() {
        "True" => format!("is {name} ({}) since {since}", condition.reason),
        "False" => format!("is not {name} ({}) since {since}", condition.reason),
        _ => format!("may or may not be {name} ({}) since {since}", condition.reason),
    }
}

/// `2 of 5 machines are unhealthy, remediation is not allowed`
fn checked(evaluation: &Evaluation, threshold: &Threshold) -> String {
    let waiting = match threshold.waiting {
        0 => String::new(),
        waiting => format!(", {waiting} inside a timeout"),
    };
    let machines = count(usize::try_from(threshold.targets).unwrap_or(usize::MAX), "machine");
    let allowed = if threshold.allowed { "allowed" } else { "not allowed" };
    let done = match evaluation.actions.len() {
        0 => String::new(),
        actions => format!(", {} to do", count(actions, "action")),
    };
    format!("{} of {machines} unhealthy{waiting}; remediation is {allowed}{done}", threshold.unhealthy)
}

/// The message in one line, and the row behind it.
fn why(condition: &Condition, evaluation: &Evaluation, catalog: &Catalog) -> String {
    let message: Vec<_> = condition.message.lines().map(|line| line.trim().trim_start_matches("* ")).collect();
    let row = deciding(condition, evaluation, catalog).map(|(_, row)| format!("{}: {}", row.id, row.when));
    match (message.join("; "), row) {
        (message, None) => message,
        (message, Some(row)) if message.is_empty() => row,
        (message, Some(row)) => format!("{message} ({row})"),
    }
}

/// The moment at which time alone can change the decision.
pub fn next_change(evaluation: &Evaluation) -> Option<Time> {
    evaluation.next_change.filter(|next| next.since(evaluation.now) < YEAR)
}

/// The same in words, and for whom.
fn deadline(evaluation: &Evaluation) -> Option<String> {
    let next = next_change(evaluation)?;
    let waiting = evaluation.machines.iter().filter(|machine| machine.verdict == Verdict::Waiting);
    let turning: Vec<_> = waiting.filter(|machine| machine.deadline == Some(next)).map(|m| &*m.name).collect();
    let who = if turning.is_empty() { String::new() } else { format!(": {} unhealthy", turning.join(", ")) };
    Some(format!("{} ({next}){who}", relative(next, evaluation.now)))
}

/// What would turn a condition around, as far as its table says it.
pub fn flip(condition: &Condition, evaluation: &Evaluation, catalog: &Catalog) -> Option<String> {
    if let Some(threshold) = evaluation.threshold.as_ref().filter(|_| condition.condition_type == "RemediationAllowed")
    {
        return Some(threshold.flips.clone());
    }
    let (table, deciding) = deciding(condition, evaluation, catalog)?;
    let rows: Vec<_> = table.rows.iter().filter(|row| row.belongs_to(&evaluation.profile)).collect();
    let at = rows.iter().position(|row| row.id == deciding.id)?;
    let turned = if condition.status.as_str() == "True" { "False" } else { "True" };
    let (i, row) = rows.iter().enumerate().find(|(_, row)| row.outcome(&evaluation.profile).status == turned)?;
    // The first row that holds decides, so one further down needs those above it not to hold.
    let when = match (i > at, &*row.when) {
        (false, when) => when.to_owned(),
        (true, "otherwise") => format!("“{}” no longer holds", deciding.when),
        (true, when) => format!("“{}” no longer holds, and {when}", deciding.when),
    };
    Some(format!("{turned} when {when} ({})", row.id))
}

/// The row that decided a condition, and its table.
fn deciding<'c>(condition: &Condition, evaluation: &Evaluation, catalog: &'c Catalog) -> Option<(&'c Table, &'c Row)> {
    let mut tables = catalog.tables.iter().filter(|table| table.condition == condition.condition_type);
    tables.find_map(|table| {
        let row = table.rows.iter().find(|row| row.id == condition.row && row.belongs_to(&evaluation.profile))?;
        Some((table, row))
    })
}
