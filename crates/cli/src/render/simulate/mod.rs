//! Days for people: the answer first, then a timeline and what happened; several side by side as a table.

pub mod timeline;

use super::grid::{BOLD, Cell, DIM, GREEN, Grid, YELLOW, paint, plain, styled};
use super::words::{count, duration};
use capi_policy_controller::printable::printable;
use capi_policy_simulator::day::{Blocked, Day, Event};
use capi_policy_simulator::property::Demand;
use capi_policy_simulator::report::Report;
use std::fmt::Write;

/// More lines of one kind than this are summed up.
const MOST_LINES: usize = 8;
/// More events than this are left to JSON.
const MOST_EVENTS: usize = 60;

/// Everything.
pub fn table(results: &[Report<'_>], demands: &[Demand], width: usize) -> String {
    let mut text = match results {
        [Report { name, days, .. }] if days.len() == 1 => days.iter().map(|day| one(name, day, width)).collect(),
        [one] => many(one, width),
        several => compared(several, width),
    };
    for demand in demands {
        for result in results {
            let failing = result.days.iter().filter(|day| !demand.is_met(day)).count();
            let (answer, style) = match failing {
                0 => (format!("met on {}", count(result.days.len(), "day")), GREEN),
                failing => (format!("not met on {failing} of {}", count(result.days.len(), "day")), YELLOW),
            };
            let of = if results.len() > 1 { format!(" ({})", result.name) } else { String::new() };
            let _ = writeln!(text, "{}{of}: {}", paint(&demand.to_string(), BOLD), paint(&answer, style));
        }
    }
    text
}

fn one(name: &str, day: &Day, width: usize) -> String {
    let name = if name.is_empty() { "day" } else { name };
    let mut text = format!("{} (seed {})\n", paint(&printable(name), BOLD), day.seed);
    let mut grid = Grid::new(&["", "…"]).indented(2);
    let mut line = |label: &str, text: String| {
        if !text.is_empty() {
            grid.row(vec![styled(label, DIM), plain(printable(&text))]);
        }
    };
    line("replaced", format!("{} of {}", day.replaced, day.machines));
    line("needlessly", format!("{}, which would have recovered by themselves", day.needless));
    if day.rolled_out > 0 {
        line("rolled out", day.rolled_out.to_string());
    }
    let missing = hours(day.missing_machine_seconds);
    line("below capacity", format!("{}, {missing} machine hours missing", duration(day.below_seconds)));
    lines(&mut line, "blocked", &day.blocked);
    lines(&mut line, "owner waits", &day.held);
    for storm in day.storms.iter().take(MOST_LINES) {
        let until = if storm.until == storm.from { String::new() } else { format!(" to {}", at(storm.until)) };
        line("storm", format!("{} machines replaced at {}{until}", storm.machines, at(storm.from)));
    }
    for again in day.loops.iter().take(MOST_LINES) {
        line("loop", format!("{} replaced {} times", again.slot, again.replaced));
    }
    if day.loops.len() > MOST_LINES {
        line("", format!("and {} more loops", day.loops.len() - MOST_LINES));
    }
    if day.starved > 0 {
        line("starved", format!("{} could not recover, and nobody replaced them for an hour", day.starved));
    }
    if day.quorum_lost_seconds > 0 {
        line("no quorum", duration(day.quorum_lost_seconds));
    }
    text.push_str(&grid.render(width));
    text.push('\n');
    text.push_str(&timeline::timeline(std::slice::from_ref(day), width));
    text + &events(day, width)
}

fn lines(line: &mut impl FnMut(&str, String), label: &str, blocked: &[Blocked]) {
    for each in blocked.iter().take(MOST_LINES) {
        let ended = match each.until {
            Some(until) => format!("until {}, ended by: {}", at(until), each.ended_by),
            None => "until the end".to_owned(),
        };
        line(label, format!("{} from {} {ended} ({})", each.by, at(each.from), each.why));
    }
    if blocked.len() > MOST_LINES {
        line("", format!("and {} more times", blocked.len() - MOST_LINES));
    }
}

fn at(seconds: i64) -> String {
    format!("+{}", duration(seconds))
}

fn hours(seconds: i64) -> String {
    format!("{}.{}", seconds / 3_600, seconds % 3_600 / 360)
}

fn events(day: &Day, width: usize) -> String {
    let alike = |a: &Event, b: &Event| kind_of(a) == kind_of(b);
    let groups: Vec<&[Event]> = day.events.chunk_by(alike).collect();
    if groups.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&["IN", "WHERE", "WHAT…", "BY", "ROW"]);
    for (event, others) in groups.iter().take(MOST_EVENTS).filter_map(|group| group.split_first()) {
        let others = if others.is_empty() { String::new() } else { format!(" (and {})", count(others.len(), "other")) };
        grid.row(vec![
            plain(duration(event.at)),
            plain(printable(&event.cluster)),
            plain(format!("{}{others}", printable(&event.what))),
            styled(printable(&event.by), DIM),
            styled(&event.row, DIM),
        ]);
    }
    let mut text = format!("\n{}", grid.render(width));
    let rest: usize = groups.iter().skip(MOST_EVENTS).map(|group| group.len()).sum();
    if rest > 0 {
        let _ = writeln!(text, "… and {rest} more: -o json has them all");
    }
    text
}

/// What has to be the same of events that are shown in one line, as ten machines of a zone that is cut off.
fn kind_of(event: &Event) -> (i64, &str, String, &str, &str) {
    let what = if event.machine.is_empty() { event.what.clone() } else { event.what.replacen(&event.machine, "", 1) };
    (event.at, &event.cluster, what, &event.by, &event.row)
}

fn many(result: &Report<'_>, width: usize) -> String {
    let mut text = format!("{}: {}\n", paint(&printable(result.name), BOLD), count(result.days.len(), "day"));
    let mut grid = Grid::new(&["", "MEDIAN", "9 OF 10", "WORST", "ON DAYS"]).indented(2);
    for column in &result.summary.columns {
        let value = |value: i64| plain(if column.seconds { duration(value) } else { value.to_string() });
        let days = plain(column.days.to_string());
        grid.row(vec![plain(column.name), value(column.median), value(column.p90), value(column.worst), days]);
    }
    text.push_str(&grid.render(width));
    text.push('\n');
    text + &timeline::timeline(result.days, width)
}

/// The table that decides: a line for each variant, the median and the worst of each figure.
fn compared(results: &[Report<'_>], width: usize) -> String {
    let days = results.first().map_or(0, |result| result.days.len());
    let mut text = format!("The same {} under each, median and worst\n", count(days, "day"));
    let titles = ["", "REPLACED", "NEEDLESS", "STARVED", "STORMS", "LOOPS", "BELOW", "MISSING", "BLOCKED", "NO QUORUM"];
    let mut grid = Grid::new(&titles).indented(2);
    for result in results {
        let mut cells: Vec<Cell> = vec![plain(printable(result.name))];
        for column in &result.summary.columns {
            let value = |value: i64| if column.seconds { duration(value) } else { value.to_string() };
            let both = if column.median == column.worst {
                value(column.median)
            } else {
                format!("{} / {}", value(column.median), value(column.worst))
            };
            cells.push(if column.worst == 0 { styled(both, DIM) } else { plain(both) });
        }
        grid.row(cells);
    }
    text.push_str(&grid.render(width));
    text.push_str(&paint(
        "  BELOW: time below the capacity that is wanted. MISSING: that time, for each machine that is missing.\n",
        DIM,
    ));
    text
}

/// One line for each day.
pub fn csv(results: &[Report<'_>]) -> String {
    let mut text =
        "variant,seed,machines,replaced,needless,rolledOut,starved,storms,loops,belowSeconds,missingMachineSeconds,\
                    blockedSeconds,quorumLostSeconds\n"
            .to_owned();
    for result in results {
        for day in result.days {
            let _ = writeln!(
                text,
                "\"{}\",{},{},{},{},{},{},{},{},{},{},{},{}",
                result.name.replace('"', "\"\""),
                day.seed,
                day.machines,
                day.replaced,
                day.needless,
                day.rolled_out,
                day.starved,
                day.storms.len(),
                day.loops.len(),
                day.below_seconds,
                day.missing_machine_seconds,
                day.blocked_seconds,
                day.quorum_lost_seconds
            );
        }
    }
    text
}
