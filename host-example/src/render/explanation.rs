//! Why: each table with the deciding row marked, the facts, the clocks and the arithmetic.

use super::evaluations::{target, verdict, verdict_style};
use super::grid::{BOLD, DIM, GREEN, Grid, RED, YELLOW, plain, styled};
use super::words::{duration, path, relative, spaced};
use crate::decision::{Catalog, Check, Evaluation, Explanation, Outcome, Table, Threshold};

/// Everything behind one evaluation.
pub fn explanation(evaluation: &Evaluation, catalog: &Catalog, width: usize) -> String {
    let name = path(&evaluation.namespace, &evaluation.name);
    let mut text = heading(&format!("{} {name}", evaluation.kind), &format!("at {}, profile {}", evaluation.now, evaluation.profile));
    if let Some(error) = &evaluation.error {
        text.push_str(&format!("\n{} {error}\n", super::grid::paint("error", RED)));
    }
    for explanation in &evaluation.explanations {
        let table = catalog.table(&explanation.table);
        text.push_str(&one_table(explanation, table, evaluation, width));
    }
    text.push_str(&machines(evaluation, width));
    if let Some(threshold) = &evaluation.threshold {
        text.push_str(&arithmetic(threshold));
    }
    for action in &evaluation.actions {
        text.push_str(&format!("\n→ {} {}\n", super::grid::paint(&action.kind, BOLD), target(action)));
    }
    match evaluation.next_change {
        Some(next) => text.push_str(&format!("\nDeadline: can change by itself {} ({next}).\n", relative(next, evaluation.now))),
        None => text.push_str("\nDeadline: none; only a change of the objects changes this.\n"),
    }
    text
}

fn heading(title: &str, rest: &str) -> String {
    format!("{} {}\n", super::grid::paint(title, BOLD), super::grid::paint(rest, DIM))
}

fn one_table(explanation: &Explanation, table: Option<&Table>, evaluation: &Evaluation, width: usize) -> String {
    let Some(table) = table else {
        return format!("\n{}: decided by {}, which the catalog does not list\n", explanation.table, explanation.row);
    };
    let about = if explanation.machine.is_empty() { String::new() } else { format!(" of Machine {}", explanation.machine) };
    let mut text = format!("\n{}\n", super::grid::paint(&format!("{}{about}", table.condition), BOLD));
    let mut grid = Grid::new(&["", "ROW", "WHEN", "STATUS", "REASON", "MESSAGE…"]).indented(2);
    for row in &table.rows {
        let Outcome { status, reason, message } = row.outcome(&evaluation.profile);
        let looked_at = explanation.trace.iter().find(|step| step.row == row.id).map(|step| step.holds);
        let (mark, style) = match looked_at {
            Some(true) => ("▶", BOLD),
            Some(false) => ("✗", DIM),
            None => ("", DIM),
        };
        let cells = [mark, &row.id, &row.when, status, reason, message];
        grid.row(cells.into_iter().map(|cell| styled(cell, style)).collect());
    }
    text.push_str(&grid.render(width));
    let facts: Vec<_> = explanation.facts.iter().map(|fact| format!("{} = {}", fact.name, fact.value)).collect();
    if !facts.is_empty() {
        let mut grid = Grid::new(&["", "…"]).indented(2);
        grid.row(vec![styled("because", DIM), plain(facts.join(", "))]);
        text.push_str(&grid.render(width));
    }
    let decided = evaluation.conditions.iter().chain(evaluation.machines.iter().filter(|m| m.name == explanation.machine).flat_map(|m| &m.conditions));
    if let Some(condition) = decided.into_iter().find(|c| c.kind == table.condition && c.row == explanation.row) {
        let message = if condition.message.is_empty() { String::new() } else { format!(": {}", condition.message) };
        let mut grid = Grid::new(&["", "…"]).indented(2);
        grid.row(vec![styled("so", DIM), plain(format!("{} {}{message}", condition.status, condition.reason))]);
        text.push_str(&grid.render(width));
    }
    text
}

fn machines(evaluation: &Evaluation, width: usize) -> String {
    if evaluation.machines.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&["MACHINE", "VERDICT", "CAUSE", "SINCE", "CLOCK", "DEADLINE", "CHECKS…"]).indented(2);
    for machine in &evaluation.machines {
        let moment = |time: Option<_>| time.map(|time| relative(time, evaluation.now)).unwrap_or_default();
        let checks: Vec<_> = machine.checks.iter().map(check).collect();
        grid.row(vec![
            plain(&machine.name),
            styled(verdict(&machine.verdict), verdict_style(&machine.verdict)),
            plain(machine.cause.as_deref().unwrap_or_default()),
            plain(moment(machine.since)),
            plain(machine.clock.as_deref().map(spaced).unwrap_or_default()),
            plain(moment(machine.deadline)),
            plain(checks.join("; ")),
        ]);
    }
    format!("\n{}\n{}", super::grid::paint("Machines", BOLD), grid.render(width))
}

fn check(check: &Check) -> String {
    let timeout = duration(check.timeout_seconds);
    if check.kind.is_empty() { format!("{} within {timeout}", check.on) } else { format!("{} {}={} for {timeout}", check.on, check.kind, check.status) }
}

fn arithmetic(t: &Threshold) -> String {
    let source = if t.source == "default" { "not set, so 100%".to_owned() } else { format!("{} {}", t.source, t.configured) };
    let bounds = match t.min {
        Some(min) => format!("{min} <= {} <= {}", t.counted, t.limit),
        None => format!("{} <= {}", t.counted, t.limit),
    };
    let (answer, style) = if t.allowed { ("allowed", GREEN) } else { ("not allowed", YELLOW) };
    format!(
        "\n{}\n  {} targets - {} healthy = {} that count ({} unhealthy, {} waiting, {} open)\n  limit {} ({source})\n  {bounds}? remediation is {}; {}\n",
        super::grid::paint("Threshold", BOLD),
        t.targets, t.healthy, t.counted, t.unhealthy, t.waiting, t.not_evaluated, t.limit,
        super::grid::paint(answer, style), t.flips,
    )
}
