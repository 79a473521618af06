//! A plan for people: what it means for each owner, a timeline, and every step.

pub mod svg;
pub mod timeline;

use super::grid::{BOLD, Cell, DIM, GREEN, Grid, YELLOW, paint, plain, styled};
use super::words::{count, duration, path};
use capi_policy_controller::printable::printable;
use capi_policy_simulator::Plan;
use capi_policy_simulator::plan::OwnerPlan;
use std::fmt::Write;

/// The whole plan.
pub fn table(plan: &Plan, width: usize) -> String {
    let mut text: String = plan.owners.iter().map(|owner| of_owner(plan, owner, width) + "\n").collect();
    let picture = timeline::timeline(plan, width);
    if !picture.is_empty() {
        text.push_str(&(picture + "\n"));
    }
    text.push_str(&steps(plan, width));
    let _ = writeln!(text, "\n{}", paint("Assumed", BOLD));
    let mut grid = Grid::new(&["", "…"]).indented(2);
    for assumption in &plan.assumptions {
        grid.row(vec![styled("-", DIM), plain(printable(assumption))]);
    }
    text.push_str(&grid.render(width));
    text
}

fn of_owner(plan: &Plan, owner: &OwnerPlan, width: usize) -> String {
    let name = format!("{} {}", owner.owner.kind, path(&owner.owner.namespace, &owner.owner.name));
    let (answer, style) = match (owner.done, owner.moves()) {
        (true, false) => ("nothing to do".to_owned(), GREEN),
        (true, true) => (format!("done after {}", duration(owner.end.since(plan.start))), GREEN),
        (false, false) => ("nothing happens, and it is not what it should be".to_owned(), YELLOW),
        (false, true) => (format!("stops after {}, not done", duration(owner.end.since(plan.start))), YELLOW),
    };
    let mut grid = Grid::new(&["", "…"]).indented(2);
    let mut line = |label: &str, text: String| {
        if !text.is_empty() {
            grid.row(vec![styled(label, DIM), plain(printable(&text))]);
        }
    };
    let remediated: Vec<_> = owner.replaced.iter().filter(|machine| machine.remediated).collect();
    let others: Vec<_> = owner.replaced.iter().filter(|machine| !machine.remediated).collect();
    let names = |machines: &[&capi_policy_simulator::plan::Replaced]| {
        machines.iter().map(|machine| machine.machine.clone()).collect::<Vec<_>>()
    };
    line("remediates", in_order(&names(&remediated)));
    line(if owner.created.is_empty() { "deletes" } else { "replaces" }, in_order(&names(&others)));
    line("updates in place", in_order(&owner.updated));
    line("creates", in_order(&owner.created));
    line("machines", machines(owner));
    line("available", available(owner));
    line("etcd", etcd(owner));
    for stop in &owner.stops {
        let row = if stop.row.is_empty() { String::new() } else { format!(" ({})", stop.row) };
        line("stops", format!("{}: {}{row}", stop.object, stop.why));
    }
    format!("{}: {}\n{}", paint(&printable(&name), BOLD), paint(&answer, style), grid.render(width))
}

fn in_order(machines: &[String]) -> String {
    match machines {
        [] => String::new(),
        [one] => one.clone(),
        several => format!("{} in this order: {}", count(several.len(), "machine"), several.join(", ")),
    }
}

fn machines(owner: &OwnerPlan) -> String {
    let machines = &owner.machines;
    let limit = machines.allowed.map(|allowed| format!(" (the strategy allows {allowed})")).unwrap_or_default();
    format!("{} now, at most {}{limit}, {} at the end", machines.before, machines.most, machines.after)
}

fn available(owner: &OwnerPlan) -> String {
    let available = &owner.available;
    let limit = available.allowed.map(|allowed| format!(" (the strategy wants {allowed})")).unwrap_or_default();
    format!("{} now, never fewer than {}{limit}, {} at the end", available.before, available.lowest, available.after)
}

fn etcd(owner: &OwnerPlan) -> String {
    let Some(etcd) = &owner.etcd else { return String::new() };
    let members = format!("{} with a vote now, {} at the end", count(etcd.before, "member"), etcd.after);
    if etcd.quorum_held {
        let margin = usize::try_from(etcd.lowest_margin).unwrap_or(0);
        format!("{members}, never below quorum: at the worst moment {margin} more could fail")
    } else {
        format!("{members}; quorum is lost: {} healthy members are missing at the worst moment", -etcd.lowest_margin)
    }
}

fn steps(plan: &Plan, width: usize) -> String {
    if plan.steps.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&["IN", "AT", "WHAT", "BY", "WHY…", "ROW"]);
    let mut last = None;
    for step in &plan.steps {
        let first = |text: String| if last == Some(step.time) { Cell::default() } else { plain(text) };
        let by = step.by.as_ref().map(|by| format!("{} {}", by.kind, by.name)).unwrap_or_default();
        grid.row(vec![
            first(duration(step.time.since(plan.start))),
            first(step.time.to_string()),
            plain(printable(&step.change.line())),
            plain(printable(&by)),
            styled(printable(&step.why), DIM),
            styled(&step.row, DIM),
        ]);
        last = Some(step.time);
    }
    grid.render(width)
}
