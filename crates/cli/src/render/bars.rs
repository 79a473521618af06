//! A forecast as a table of moments and a bar for each machine.

use super::evaluations::{verdict, verdict_style};
use super::grid::{BOLD, Cell, DIM, Grid, paint, plain, styled};
use super::words::{count, duration, path, relative};
use capi_policy_host::Time;
use capi_policy_host::decision::{Change, Forecast, Verdict};

const BAR: usize = 48;

/// One forecast.
pub fn timeline(forecast: &Forecast, width: usize) -> String {
    let now = &forecast.now;
    let mut text = format!("{}\n", paint(&format!("{} {}", now.kind, path(&now.namespace, &now.name)), BOLD));
    text.push_str(&bars(forecast, width));
    let mut grid = Grid::new(&["IN", "AT", "SUBJECT", "WHAT", "BECOMES…", "ROW"]).indented(2);
    for moment in &forecast.moments {
        for (i, change) in moment.changes.iter().enumerate() {
            let first = |text: String| if i == 0 { plain(text) } else { Cell::default() };
            grid.row(vec![
                first(duration(moment.at.since(now.now))),
                first(moment.at.to_string()),
                plain(&change.subject),
                plain(&change.what),
                plain(becomes(change)),
                styled(&change.row, DIM),
            ]);
        }
    }
    text.push_str(&grid.render(width));
    if !forecast.complete {
        text.push_str("  … and more: the forecast stops after this many moments\n");
    }
    text
}

/// The line about objects that stay as they are.
pub fn nothing(quiet: &[&Forecast]) -> String {
    let names: Vec<_> =
        quiet.iter().map(|f| format!("{} {}", f.now.kind, path(&f.now.namespace, &f.now.name))).collect();
    match names.as_slice() {
        [] => String::new(),
        [name] => format!("{name} does not change by itself in that time\n"),
        names => format!("{} do not change by themselves in that time\n", count(names.len(), "object")),
    }
}

fn becomes(change: &Change) -> String {
    match (&change.from, &change.to) {
        (Some(from), Some(to)) if change.what == "verdict" => format!("{} → {}", verdict(from), verdict(to)),
        (_, Some(to)) => to.clone(),
        (Some(from), None) => format!("gone: {from}"),
        (None, None) => String::new(),
    }
}

/// One bar for each machine that is checked, from now to the end of the forecast.
fn bars(forecast: &Forecast, width: usize) -> String {
    let (start, end) = (forecast.now.now, forecast.until);
    let machines: Vec<_> = forecast.now.machines.iter().filter(|machine| machine.verdict != Verdict::Skipped).collect();
    if machines.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&["MACHINE", "NOW", "", ""]).indented(2);
    let axis = format!("now{:>1$}", format!("+{}", duration(end.since(start))), BAR - 3);
    grid.row(vec![Cell::default(), Cell::default(), styled(axis, DIM)]);
    for machine in machines {
        let turns: Vec<(Time, &str)> = forecast
            .moments
            .iter()
            .flat_map(|moment| moment.changes.iter().map(move |change| (moment.at, change)))
            .filter(|(_, change)| change.subject == machine.name && change.what == "verdict")
            .filter_map(|(at, change)| Some((at, change.to.as_deref()?)))
            .collect();
        let (now, last) = (machine.verdict.as_str(), turns.last());
        let then = last.map(|(at, to)| format!("{} {}", verdict(to), relative(*at, start))).unwrap_or_default();
        grid.row(vec![
            plain(&machine.name),
            styled(verdict(now), verdict_style(now)),
            styled(bar(now, &turns, start, end), verdict_style(last.map_or(now, |(_, to)| to))),
            plain(then),
        ]);
    }
    let legend = "  ─ healthy   ░ waiting   █ unhealthy   · open\n";
    format!("{}{}\n", grid.render(width), paint(legend.trim_end(), DIM))
}

fn bar(verdict: &str, turns: &[(Time, &str)], start: Time, end: Time) -> String {
    let span = end.since(start).max(1);
    (0..BAR)
        .map(|cell| {
            // The end of the cell decides, so that a turn in the last moment is seen.
            let cell = i64::try_from(cell + 1).unwrap_or(i64::MAX);
            let at = start.plus(span.saturating_mul(cell) / i64::try_from(BAR).unwrap_or(1));
            let now = turns.iter().rev().find(|(turn, _)| *turn <= at).map_or(verdict, |(_, to)| to);
            match now {
                "healthy" => '─',
                "waiting" => '░',
                "unhealthy" => '█',
                _ => '·',
            }
        })
        .collect()
}
