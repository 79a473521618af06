//! The lives of the machines side by side.

use crate::render::grid::{Cell, DIM, Grid, paint, plain, styled};
use crate::render::words::duration;
use capi_policy_controller::printable::printable;
use capi_policy_simulator::Plan;
use capi_policy_simulator::plan::{MachinePlan, Phase};

const BAR: usize = 60;

/// What a machine does, as a sign, and in words.
pub const SIGNS: &[(Phase, char, &str)] = &[
    (Phase::Booting, '░', "comes up"),
    (Phase::Available, '━', "available"),
    (Phase::Unavailable, '╌', "not available"),
    (Phase::Updating, '▒', "updated in place"),
    (Phase::Deleting, '✕', "in deletion"),
    (Phase::Gone, ' ', ""),
];

/// A line for each machine that is not available all the time; empty when all are.
pub fn timeline(plan: &Plan, width: usize) -> String {
    let moving: Vec<_> = plan.machines.iter().filter(|machine| moves(machine)).collect();
    if moving.is_empty() || plan.end <= plan.start {
        return String::new();
    }
    let mut grid = Grid::new(&["MACHINE", "", "", ""]);
    let axis = format!("now{:>1$}", format!("+{}", duration(plan.end.since(plan.start))), BAR - 3);
    grid.row(vec![Cell::default(), Cell::default(), styled(axis, DIM)]);
    for machine in &moving {
        let new = if machine.new { "new" } else { "" };
        grid.row(vec![plain(printable(&machine.name)), styled(new, DIM), plain(bar(plan, machine))]);
    }
    let steady = plan.machines.len() - moving.len();
    if steady > 0 {
        grid.text(styled(format!("and {steady} more, available all the time"), DIM));
    }
    let legend: Vec<_> =
        SIGNS.iter().filter(|(_, _, word)| !word.is_empty()).map(|(_, sign, word)| format!("{sign} {word}")).collect();
    format!("{}{}\n", grid.render(width), paint(&legend.join("   "), DIM))
}

/// Whether a machine does anything but stay available.
pub fn moves(machine: &MachinePlan) -> bool {
    machine.turns.iter().any(|turn| turn.phase != Phase::Available)
}

fn bar(plan: &Plan, machine: &MachinePlan) -> String {
    let span = plan.end.since(plan.start).max(1);
    let cells = i64::try_from(BAR).unwrap_or(1);
    let sign = |cell: i64| {
        let at = plan.start.plus(span.saturating_mul(cell) / cells);
        let phase = machine.at(at).unwrap_or(Phase::Gone);
        SIGNS.iter().find(|(known, _, _)| *known == phase).map_or(' ', |(_, sign, _)| *sign)
    };
    let bar: String = (0..cells).map(sign).collect();
    bar.trim_end().to_owned()
}
