//! What changes between two profiles, for people and for programs: counts first, examples after.

use super::impact::{Cause, Impact};
use crate::render::grid::{BOLD, DIM, Grid, paint, plain};
use crate::render::width;
use crate::render::words::count;
use anyhow::Result;
use capi_policy_controller::printable::{printable, printable_json};
use std::fmt::Write;

/// So many examples of each cause are shown.
const EXAMPLES: usize = 3;

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Output {
    /// For people
    Table,
    /// For programs, with every object
    Json,
    /// For a change request
    Markdown,
}

/// The report.
pub fn write(impact: &Impact, output: Output, all: bool) -> Result<String> {
    Ok(match output {
        Output::Json => printable_json(&serde_json::to_string_pretty(impact)?).into_owned() + "\n",
        Output::Table => table(impact, all),
        Output::Markdown => markdown(impact, all)?,
    })
}

fn summary(impact: &Impact) -> String {
    let Impact { from, to, objects, changed, .. } = impact;
    match changed {
        0 => format!("{from} and {to}: the same decisions about {}", count(*objects, "object")),
        _ => format!("{from} and {to}: other decisions about {changed} of {}", count(*objects, "object")),
    }
}

fn table(impact: &Impact, all: bool) -> String {
    let mut text = paint(&summary(impact), BOLD) + "\n";
    if impact.causes.is_empty() {
        return text;
    }
    let mut grid = Grid::new(&["COUNT", "KIND", "WHAT", "ROW", "BECAUSE…"]).indented(2);
    for cause in &impact.causes {
        let cells = [&cause.count.to_string(), &cause.kind, &cause.what, &cause.row, &cause.when];
        grid.row(cells.into_iter().map(|text| plain(printable(text))).collect());
    }
    let _ = write!(text, "\n{}", grid.render(width()));
    for cause in &impact.causes {
        let _ = writeln!(text, "\n{} {}", paint(&title(cause), BOLD), paint(&count(cause.count, "object"), DIM));
        let mut grid = Grid::new(&["OBJECT", "BEFORE…", "AFTER…"]).indented(2);
        for change in cause.changes.iter().take(shown(cause, all)) {
            let cells = [&change.object, &change.before, &change.after];
            grid.row(cells.into_iter().map(|text| plain(printable(text))).collect());
        }
        text += &grid.render(width());
        text += &more(cause, all).map_or_else(String::new, |more| format!("  {}\n", paint(&more, DIM)));
    }
    text
}

fn markdown(impact: &Impact, all: bool) -> Result<String> {
    let mut text = format!("## What changes with Cluster API\n\n{}.\n", summary(impact));
    if impact.causes.is_empty() {
        return Ok(text);
    }
    writeln!(text, "\n| objects | kind | what | row | because |\n|---:|---|---|---|---|")?;
    for cause in &impact.causes {
        let Cause { kind, what, row, when, count, .. } = cause;
        writeln!(text, "| {count} | {kind} | {} | {row} | {} |", cell(what), cell(when))?;
    }
    for cause in &impact.causes {
        writeln!(text, "\n### {}\n\n| object | before | after |\n|---|---|---|", title(cause))?;
        for change in cause.changes.iter().take(shown(cause, all)) {
            writeln!(text, "| {} | {} | {} |", cell(&change.object), cell(&change.before), cell(&change.after))?;
        }
        if let Some(more) = more(cause, all) {
            writeln!(text, "\n{more}")?;
        }
    }
    Ok(text)
}

fn title(cause: &Cause) -> String {
    let because = if cause.when.is_empty() { String::new() } else { format!(": {}", cause.when) };
    printable(&format!("{} {}{because}", cause.kind, cause.what)).into_owned()
}

fn shown(cause: &Cause, all: bool) -> usize {
    if all { cause.changes.len() } else { EXAMPLES }
}

fn more(cause: &Cause, all: bool) -> Option<String> {
    let left = cause.changes.len().saturating_sub(shown(cause, all));
    (left > 0).then(|| format!("and {left} more; --all shows them"))
}

/// A text in a cell of a Markdown table.
fn cell(text: &str) -> String {
    printable(text).replace('|', "\\|").replace('\n', "<br>")
}
