//! Why: each table with the deciding row marked, the facts, the clocks and the arithmetic.

use super::answer::{Answer, answer};
use super::evaluations::{YEAR, target, verdict, verdict_style};
use super::grid::{BOLD, DIM, GREEN, Grid, YELLOW, paint, plain, styled};
use super::owner::next_steps;
use super::words::{duration, path, relative, spaced};
use capi_policy_host::decision::{Catalog, Cause, Evaluation, Explanation, MatchedCheck, Outcome, Table, Threshold};

/// Everything behind one evaluation.
pub fn explanation(evaluation: &Evaluation, catalog: &Catalog, width: usize) -> String {
    let name = path(&evaluation.namespace, &evaluation.name);
    let circumstances = format!("at {}, profile {}", evaluation.now, evaluation.profile);
    let mut text =
        vec![format!("{} {}\n", paint(&format!("{} {name}", evaluation.kind), BOLD), paint(&circumstances, DIM))];
    text.push(in_short(&answer(evaluation, catalog), width));
    for alike in alike(&evaluation.explanations) {
        let table = alike.first().and_then(|explanation| catalog.table(&explanation.table));
        text.push(one_table(&alike, table, evaluation, width));
    }
    text.push(machines(evaluation, width));
    if let Some(threshold) = &evaluation.threshold {
        text.push(arithmetic(threshold));
    }
    text.push(next_steps(evaluation, width));
    for action in &evaluation.actions {
        text.push(format!("\n→ {} {}\n", paint(action.name(), BOLD), target(action)));
    }
    text.push(match evaluation.next_change.filter(|next| next.since(evaluation.now) < YEAR) {
        Some(next) => format!("\nDeadline: can change by itself {} ({next}).\n", relative(next, evaluation.now)),
        None => "\nDeadline: none; only a change of the objects changes this.\n".to_owned(),
    });
    text.concat()
}

/// The answer itself, before what led to it.
fn in_short(answer: &Answer, width: usize) -> String {
    let mut grid = Grid::new(&["", "…"]).indented(2);
    for (name, sentence) in [("what", &answer.what), ("why", &answer.why), ("changes", &answer.change)] {
        grid.row(vec![styled(name, DIM), plain(sentence)]);
    }
    grid.render(width)
}

/// Explanations that differ in the machine only, together; in the order in which the first of each comes.
fn alike(explanations: &[Explanation]) -> Vec<Vec<&Explanation>> {
    let mut groups: Vec<Vec<&Explanation>> = Vec::new();
    for explanation in explanations {
        let same = |group: &&mut Vec<&Explanation>| {
            group.first().is_some_and(|first| {
                (&first.table, &first.row, &first.facts) == (&explanation.table, &explanation.row, &explanation.facts)
            })
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(explanation),
            None => groups.push(vec![explanation]),
        }
    }
    groups
}

fn about(alike: &[&Explanation]) -> String {
    let names: Vec<&str> =
        alike.iter().map(|explanation| &*explanation.machine).filter(|name| !name.is_empty()).collect();
    match names.as_slice() {
        [] => String::new(),
        [name] => format!(" of Machine {name}"),
        [a, b, c, rest @ ..] if !rest.is_empty() => format!(" of Machines {a}, {b}, {c}, ... ({} more)", rest.len()),
        names => format!(" of Machines {}", names.join(", ")),
    }
}

fn one_table(alike: &[&Explanation], table: Option<&Table>, evaluation: &Evaluation, width: usize) -> String {
    let Some(explanation) = alike.first() else { return String::new() };
    let Some(table) = table else {
        return format!("\n{}: decided by {}, which the catalog does not list\n", explanation.table, explanation.row);
    };
    let mut text = format!("\n{}\n", paint(&format!("{}{}", table.condition, about(alike)), BOLD));
    let mut grid = Grid::new(&["", "ROW", "WHEN", "STATUS", "REASON", "MESSAGE…"]).indented(2);
    for row in table.rows.iter().filter(|row| row.belongs_to(&evaluation.profile)) {
        let Outcome { status, reason, message, act } = row.outcome(&evaluation.profile);
        let status = if status.is_empty() { act } else { status };
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
    let of_machines = evaluation.machines.iter().filter(|machine| machine.name == explanation.machine);
    let mut decided = evaluation.conditions.iter().chain(of_machines.flat_map(|machine| &machine.conditions));
    if let Some(condition) = decided.find(|c| c.condition_type == table.condition && c.row == explanation.row) {
        let message = if condition.message.is_empty() { String::new() } else { format!(": {}", condition.message) };
        let mut grid = Grid::new(&["", "…"]).indented(2);
        grid.row(vec![
            styled("so", DIM),
            plain(format!("{} {}{message}", condition.status.as_str(), condition.reason)),
        ]);
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
        let found = machine.verdict.as_str();
        let moment = |time: Option<_>| time.map(|time| relative(time, evaluation.now)).unwrap_or_default();
        let checks: Vec<_> = machine.checks.iter().map(check).collect();
        grid.row(vec![
            plain(&machine.name),
            styled(verdict(found), verdict_style(found)),
            plain(machine.cause.map(Cause::as_str).unwrap_or_default()),
            plain(moment(machine.since)),
            plain(machine.clock.map(|clock| spaced(clock.as_str())).unwrap_or_default()),
            plain(moment(machine.deadline)),
            plain(checks.join("; ")),
        ]);
    }
    format!("\n{}\n{}", paint("Machines", BOLD), grid.render(width))
}

fn check(check: &MatchedCheck) -> String {
    let timeout = duration(check.timeout_seconds);
    if check.condition_type.is_empty() {
        format!("{} within {timeout}", check.on)
    } else {
        format!("{} {}={} for {timeout}", check.on, check.condition_type, check.status)
    }
}

fn arithmetic(t: &Threshold) -> String {
    let source =
        if t.source == "default" { "not set, so 100%".to_owned() } else { format!("{} {}", t.source, t.configured) };
    let bounds = match t.min {
        Some(min) => format!("{min} <= {} <= {}", t.counted, t.limit),
        None => format!("{} <= {}", t.counted, t.limit),
    };
    let (answer, style) = if t.allowed { ("allowed", GREEN) } else { ("not allowed", YELLOW) };
    format!(
        "\n{}\n  {} targets - {} healthy = {} that count ({} unhealthy, {} waiting, {} open)\n  limit {} ({source})\n  {bounds}? remediation is {}; {}\n",
        paint("Threshold", BOLD),
        t.targets,
        t.healthy,
        t.counted,
        t.unhealthy,
        t.waiting,
        t.not_evaluated,
        t.limit,
        paint(answer, style),
        t.flips,
    )
}
