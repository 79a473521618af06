//! Evaluations as one table.

use super::grid::{BOLD, Cell, DIM, GREEN, Grid, RED, YELLOW, plain, styled};
use super::words::{count, path, relative};
use crate::decision::{Action, Condition, Evaluation, Machine};
use anstyle::Style;

/// Conditions that are at rest when they are False; all others are when they are True.
const AT_REST_WHEN_FALSE: &[&str] =
    &["Deleting", "Paused", "Remediating", "RollingOut", "ScalingDown", "ScalingUp", "Updating"];

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Every condition.
    Everything,
    /// What is not at rest; the rest is counted.
    Unrest,
}

/// All evaluations in one table, then a line that counts.
pub fn table(evaluations: &[Evaluation], detail: Detail, width: usize) -> String {
    let mut grid = Grid::new(&["CONDITION", "STATUS", "REASON…", "MESSAGE…", "ROW"]).indented(2);
    for evaluation in evaluations {
        one(evaluation, detail, &mut grid);
    }
    let unrest = evaluations.iter().filter(|evaluation| !at_rest(evaluation)).count();
    let summary = match unrest {
        0 => format!("\n{}, all as they should be\n", count(evaluations.len(), "object")),
        _ => format!("\n{}, {unrest} with something to look at\n", count(evaluations.len(), "object")),
    };
    grid.render(width) + &summary
}

fn one(evaluation: &Evaluation, detail: Detail, grid: &mut Grid) {
    let heading = format!("{} {}", evaluation.kind, path(&evaluation.namespace, &evaluation.name));
    grid.text(plain(""));
    grid.text(styled(heading, BOLD));
    if let Some(error) = &evaluation.error {
        grid.row(vec![styled("error", RED), plain(""), plain(""), plain(error), plain("")]);
    }
    let (shown, hidden): (Vec<_>, Vec<_>) =
        evaluation.conditions.iter().partition(|c| detail == Detail::Everything || !condition_at_rest(c));
    for condition in shown {
        grid.row(cells(plain(&condition.kind), condition));
    }
    if !hidden.is_empty() {
        let names: Vec<_> = hidden.iter().map(|condition| &*condition.kind).collect();
        let what = if hidden.len() == evaluation.conditions.len() { "as it should be" } else { "also as it should be" };
        grid.row(vec![styled(format!("+ {}", hidden.len()), DIM), styled("ok", GREEN), styled(what, DIM), styled(names.join(", "), DIM), plain("")]);
    }
    for machine in evaluation.machines.iter().filter(|m| detail == Detail::Everything || m.verdict != "healthy") {
        machine_rows(machine, evaluation, grid);
    }
    for action in &evaluation.actions {
        grid.row(vec![styled("→ do", BOLD), plain(""), plain(&action.kind), plain(target(action)), plain("")]);
    }
    if let Some(next) = evaluation.next_change {
        let when = format!("can change by itself {} ({next})", relative(next, evaluation.now));
        grid.row(vec![styled("next", DIM), plain(""), plain(""), styled(when, DIM), plain("")]);
    }
}

fn cells(name: Cell, condition: &Condition) -> Vec<Cell> {
    vec![
        name,
        styled(&condition.status, status_style(condition)),
        plain(&condition.reason),
        plain(&condition.message),
        styled(&condition.row, DIM),
    ]
}

fn machine_rows(machine: &Machine, evaluation: &Evaluation, grid: &mut Grid) {
    let deadline = match (&*machine.verdict, machine.deadline) {
        ("waiting", Some(deadline)) => format!("unhealthy {}", relative(deadline, evaluation.now)),
        ("unhealthy", Some(deadline)) => format!("since {}", relative(deadline, evaluation.now)),
        _ => String::new(),
    };
    grid.row(vec![
        plain(format!("· {}", machine.name)),
        styled(verdict(&machine.verdict), verdict_style(&machine.verdict)),
        plain(machine.cause.as_deref().unwrap_or_default()),
        plain(deadline),
        styled(&machine.row, DIM),
    ]);
    for condition in machine.conditions.iter().filter(|condition| !condition_at_rest(condition)) {
        grid.row(cells(styled(format!("    {}", condition.kind), DIM), condition));
    }
}

/// What an action is about.
pub fn target(action: &Action) -> String {
    let owner = action.owner.as_ref().map(|owner| format!("{} {}", owner.kind, owner.name));
    [action.machine.clone(), action.name.clone(), action.key.clone(), owner].into_iter().flatten().next().unwrap_or_default()
}

/// A verdict as a short word.
pub fn verdict(verdict: &str) -> &str {
    match verdict {
        "notEvaluated" => "open",
        other => other,
    }
}

pub fn verdict_style(verdict: &str) -> Style {
    match verdict {
        "healthy" => GREEN,
        "unhealthy" => RED,
        "waiting" => YELLOW,
        _ => DIM,
    }
}

pub fn condition_at_rest(condition: &Condition) -> bool {
    condition.status == if AT_REST_WHEN_FALSE.contains(&&*condition.kind) { "False" } else { "True" }
}

fn status_style(condition: &Condition) -> Style {
    match &*condition.status {
        _ if condition_at_rest(condition) => GREEN,
        "False" => RED,
        // Deleting, RollingOut and the like are under way, which is no failure.
        _ => YELLOW,
    }
}

fn at_rest(evaluation: &Evaluation) -> bool {
    evaluation.error.is_none()
        && evaluation.actions.is_empty()
        && evaluation.conditions.iter().all(condition_at_rest)
        && evaluation.machines.iter().all(|machine| matches!(&*machine.verdict, "healthy" | "skipped"))
}
