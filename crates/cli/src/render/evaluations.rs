//! Evaluations as one table.

use super::grid::{BOLD, Cell, DIM, GREEN, Grid, RED, YELLOW, plain, styled};
use super::words::{count, duration, path, relative};
use anstyle::Style;
use capi_policy_host::decision::{Action, Condition, ConditionStatus, Evaluation, MachineEvaluation, Verdict};

/// Conditions whose normal status is False; that of all others is True.
const NORMALLY_FALSE: &[&str] =
    &["Deleting", "Paused", "Remediating", "RollingOut", "ScalingDown", "ScalingUp", "Updating"];

/// A change further away than this is not worth a line.
pub const YEAR: i64 = 31_536_000;

/// Lines of a message that are shown of several objects.
const TALLEST: usize = 2;

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Every condition.
    Everything,
    /// What is not normal; the rest is counted.
    Abnormal,
}

/// All evaluations in one table, then a line that counts.
pub fn table(evaluations: &[Evaluation], detail: Detail, width: usize) -> String {
    let (shown, quiet): (Vec<_>, Vec<_>) =
        evaluations.iter().partition(|e| detail == Detail::Everything || !is_normal(e));
    let grid = Grid::new(&["CONDITION", "STATUS", "REASON…", "MESSAGE…", "ROW"]).indented(2);
    let mut grid = if detail == Detail::Everything { grid } else { grid.clipped(TALLEST) };
    for evaluation in &shown {
        one(evaluation, detail, &mut grid);
    }
    let abnormal = evaluations.iter().filter(|evaluation| !is_normal(evaluation)).count();
    let mut text = if shown.is_empty() { String::new() } else { grid.render(width) + "\n" };
    text.push_str(&normal_by_kind(&quiet, width));
    let number = count(evaluations.len(), "object");
    match abnormal {
        0 => text + &number + ", all as they should be\n",
        _ => text + &format!("{number}, {abnormal} with something to look at\n"),
    }
}

fn one(evaluation: &Evaluation, detail: Detail, grid: &mut Grid) {
    let heading = format!("{} {}", evaluation.kind, path(&evaluation.namespace, &evaluation.name));
    grid.text(plain(""));
    grid.text(styled(heading, BOLD));
    if let Some(error) = &evaluation.error {
        grid.row(vec![styled("error", RED), plain(""), plain(""), plain(error), plain("")]);
    }
    let (shown, hidden): (Vec<_>, Vec<_>) =
        evaluation.conditions.iter().partition(|c| detail == Detail::Everything || !condition_is_normal(c));
    for condition in shown {
        grid.row(cells(plain(&condition.condition_type), condition));
    }
    if !hidden.is_empty() {
        grid.row(vec![styled(format!("{} more", hidden.len()), DIM), styled("ok", GREEN)]);
    }
    for machine in evaluation.machines.iter().filter(|m| detail == Detail::Everything || m.verdict != Verdict::Healthy)
    {
        machine_rows(machine, evaluation, grid);
    }
    for action in &evaluation.actions {
        grid.row(vec![styled("→ do", BOLD), plain(""), plain(action.name()), plain(target(action)), plain("")]);
    }
    if let Some(next) = evaluation.next_change.filter(|next| next.since(evaluation.now) < YEAR) {
        let when = format!("can change by itself {} ({next})", relative(next, evaluation.now));
        grid.row(vec![styled("next", DIM), plain(""), plain(""), styled(when, DIM), plain("")]);
    }
}

/// Objects about which there is nothing to say.
fn normal_by_kind(quiet: &[&Evaluation], width: usize) -> String {
    let mut kinds: Vec<(&str, Vec<String>)> = Vec::new();
    for evaluation in quiet {
        let name = path(&evaluation.namespace, &evaluation.name);
        match kinds.iter_mut().find(|(kind, _)| *kind == evaluation.kind) {
            Some((_, names)) => names.push(name),
            None => kinds.push((&evaluation.kind, vec![name])),
        }
    }
    let mut grid = Grid::new(&["", "", "…"]).indented(2);
    for (kind, names) in &kinds {
        grid.row(vec![plain(format!("{} {kind}", names.len())), styled("ok", GREEN), styled(names.join(", "), DIM)]);
    }
    if kinds.is_empty() { String::new() } else { format!("{}{}\n", "As they should be\n", grid.render(width)) }
}

fn cells(name: Cell, condition: &Condition) -> Vec<Cell> {
    vec![
        name,
        styled(condition.status.as_str(), status_style(condition)),
        plain(&condition.reason),
        plain(&condition.message),
        styled(&condition.row, DIM),
    ]
}

/// The verdict with the condition that says it, then the other conditions.
fn machine_rows(machine: &MachineEvaluation, evaluation: &Evaluation, grid: &mut Grid) {
    let (said, others): (Vec<_>, Vec<_>) =
        machine.conditions.iter().partition(|condition| condition.row == machine.row);
    let deadline = match (machine.verdict, machine.deadline) {
        (Verdict::Waiting, Some(deadline)) => format!("unhealthy {}", relative(deadline, evaluation.now)),
        (Verdict::Unhealthy, Some(deadline)) => format!("unhealthy for {}", duration(evaluation.now.since(deadline))),
        _ => String::new(),
    };
    let message = said.first().map(|condition| condition.message.clone()).unwrap_or_default();
    let cause = machine.cause.map(|cause| cause.as_str().to_owned());
    let reason = said.first().map(|condition| condition.reason.clone()).or(cause);
    let words: Vec<_> = [deadline, message].into_iter().filter(|text| !text.is_empty()).collect();
    grid.row(vec![
        plain(format!("· {}", machine.name)),
        styled(verdict(machine.verdict.as_str()), verdict_style(machine.verdict.as_str())),
        plain(reason.unwrap_or_default()),
        plain(words.join("\n")),
        styled(&machine.row, DIM),
    ]);
    for condition in others.into_iter().filter(|condition| !condition_is_normal(condition)) {
        grid.row(cells(styled(format!("    {}", condition.condition_type), DIM), condition));
    }
}

/// What an action is about.
pub fn target(action: &Action) -> String {
    match action {
        Action::SetOwnerReference { owner } => format!("{} {}", owner.kind, owner.name),
        Action::AddLabel { key, .. } => key.clone(),
        Action::CreateRemediationRequest { machine, .. } | Action::DeleteRemediationRequest { machine, .. } => {
            machine.clone()
        }
        Action::DeleteMachine { name, .. } => name.clone(),
        _ => String::new(),
    }
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

pub fn condition_is_normal(condition: &Condition) -> bool {
    let quiet = NORMALLY_FALSE.contains(&&*condition.condition_type);
    condition.status == if quiet { ConditionStatus::False } else { ConditionStatus::True }
}

/// The colour of a condition's status.
pub fn status_style(condition: &Condition) -> Style {
    match condition.status {
        _ if condition_is_normal(condition) => GREEN,
        ConditionStatus::False => RED,
        // Deleting, RollingOut and the like are under way, which is no failure.
        _ => YELLOW,
    }
}

fn is_normal(evaluation: &Evaluation) -> bool {
    evaluation.error.is_none()
        && evaluation.actions.is_empty()
        && evaluation.conditions.iter().all(condition_is_normal)
        && evaluation.machines.iter().all(|machine| matches!(machine.verdict, Verdict::Healthy | Verdict::Skipped))
}
