//! A day in a few lines of blocks; of many days, the worst at each time.

use crate::render::grid::{DIM, paint};
use crate::render::words::duration;
use capi_policy_simulator::day::{Day, PARTS, Part};
use capi_policy_simulator::report::worst;

const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const LABEL: usize = 12;

/// Capacity, machines marked and replaced, and when remediation was blocked.
pub fn timeline(days: &[Day], width: usize) -> String {
    let Some(first) = days.first() else { return String::new() };
    let parts = worst(days);
    let columns = width.saturating_sub(LABEL + 12).clamp(12, PARTS);
    let machines = parts.iter().map(|part| part.wanted).max().unwrap_or(0);
    let line = |label: &str, height: &dyn Fn(&Part) -> i64, most: i64, note: String| {
        let blocks: String = (0..columns).map(|column| block(part_of(&parts, column, columns, height), most)).collect();
        format!("  {label:LABEL$}{blocks} {}\n", paint(&note, DIM))
    };
    let lowest = parts.iter().map(|part| part.working).min().unwrap_or(0);
    let marked = parts.iter().map(|part| part.marked).max().unwrap_or(0);
    let replaced: i64 = parts.iter().map(|part| i64::try_from(part.replaced).unwrap_or(0)).max().unwrap_or(0);
    let axis = format!("+{}", duration(first.seconds));
    let mut text = format!("  {:LABEL$}0{axis:>1$}\n", "", columns.saturating_sub(1));
    text.push_str(&line(
        "not working",
        &|part| part.wanted - part.working,
        machines.max(1),
        format!("{lowest} of {machines}"),
    ));
    text.push_str(&line("marked", &|part| part.marked, machines.max(1), format!("at most {marked}")));
    let most = replaced.max(1);
    text.push_str(&line(
        "replaced",
        &|part| i64::try_from(part.replaced).unwrap_or(0),
        most,
        format!("at most {replaced}"),
    ));
    text.push_str(&line("blocked", &|part| i64::from(part.blocked), 1, String::new()));
    text
}

fn part_of(parts: &[Part], column: usize, columns: usize, height: &dyn Fn(&Part) -> i64) -> i64 {
    let (from, to) = (column * parts.len() / columns, ((column + 1) * parts.len()).div_ceil(columns));
    parts.get(from..to.min(parts.len())).into_iter().flatten().map(height).max().unwrap_or(0)
}

/// Something that is there at all is seen.
fn block(value: i64, most: i64) -> char {
    let eighths = (value.max(0) * 8 + most - 1) / most.max(1);
    BLOCKS[usize::try_from(eighths).unwrap_or(0).min(8)]
}
