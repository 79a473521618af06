//! A plan as a picture: a bar for each machine, how many are available below, and what happens when.

use super::timeline::moves;
use crate::render::words::{duration, path};
use capi_policy_simulator::Plan;
use capi_policy_simulator::plan::{MachinePlan, Phase};
use std::fmt::Write;

const LEFT: i64 = 220;
const RIGHT: i64 = 40;
const ACROSS: i64 = 640;
const LINE: i64 = 22;
const TOP: i64 = 56;
const TICKS: i64 = 6;

/// Colours that people with any colour vision tell apart, and patterns of light and dark beside them.
const COLOURS: &[(Phase, &str, &str)] = &[
    (Phase::Booting, "#9ecae1", "comes up"),
    (Phase::Available, "#2b7a3f", "available"),
    (Phase::Unavailable, "#b8b8b8", "not available"),
    (Phase::Updating, "#e6a817", "updated in place"),
    (Phase::Deleting, "#b3392f", "in deletion"),
];

/// The picture.
pub fn svg(plan: &Plan) -> String {
    let machines: Vec<_> = plan.machines.iter().filter(|machine| moves(machine)).collect();
    let lines = i64::try_from(machines.len()).unwrap_or(0);
    let height = TOP + LINE * (lines + 4);
    let width = LEFT + ACROSS + RIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" role=\"img\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        escaped(&title(plan))
    );
    text(&mut svg, 16, 24, "font-size=\"15\" font-weight=\"600\"", &title(plan));
    axis(&mut svg, plan, lines);
    for (i, machine) in machines.iter().enumerate() {
        bar(&mut svg, plan, machine, TOP + LINE * i64::try_from(i).unwrap_or(0));
    }
    legend(&mut svg, TOP + LINE * (lines + 2));
    svg + "</svg>\n"
}

fn title(plan: &Plan) -> String {
    let owners: Vec<_> = plan
        .owners
        .iter()
        .filter(|owner| owner.moves() || !owner.done)
        .map(|owner| {
            let after = duration(owner.end.since(plan.start));
            let answer = if owner.done { format!("done after {after}") } else { format!("stops after {after}") };
            let name = path(&owner.owner.namespace, &owner.owner.name);
            format!("{} {name}: {answer}, never fewer than {} available", owner.owner.kind, owner.available.lowest)
        })
        .collect();
    if owners.is_empty() { "nothing to do".to_owned() } else { owners.join("; ") }
}

fn x(plan: &Plan, time: capi_policy::time::Time) -> i64 {
    LEFT + time.since(plan.start).max(0).saturating_mul(ACROSS) / span(plan)
}

fn span(plan: &Plan) -> i64 {
    plan.end.since(plan.start).max(1)
}

fn axis(svg: &mut String, plan: &Plan, lines: i64) {
    let bottom = TOP + LINE * lines;
    for tick in 0..=TICKS {
        let (at, seconds) = (LEFT + ACROSS * tick / TICKS, span(plan) * tick / TICKS);
        let _ = writeln!(svg, "<line x1=\"{at}\" y1=\"{}\" x2=\"{at}\" y2=\"{bottom}\" stroke=\"#e4e4e4\"/>", TOP - 6);
        let label = if tick == 0 { "now".to_owned() } else { format!("+{}", duration(seconds)) };
        text(svg, at, bottom + 16, "text-anchor=\"middle\" fill=\"#555555\"", &label);
    }
}

fn bar(svg: &mut String, plan: &Plan, machine: &MachinePlan, top: i64) {
    let name = if machine.new { format!("{} (new)", machine.name) } else { machine.name.clone() };
    text(svg, LEFT - 10, top + 14, "text-anchor=\"end\"", &name);
    for (i, turn) in machine.turns.iter().enumerate() {
        let Some((_, colour, word)) = COLOURS.iter().find(|(phase, _, _)| *phase == turn.phase) else { continue };
        let until = machine.turns.get(i + 1).map_or(plan.end, |next| next.time);
        let (from, to) = (x(plan, turn.time), x(plan, until));
        let _ = writeln!(
            svg,
            "<rect x=\"{from}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\" fill=\"{colour}\"><title>{}: {word}</title></rect>",
            top + 3,
            (to - from).max(1),
            LINE - 6,
            escaped(&machine.name)
        );
    }
}

fn legend(svg: &mut String, top: i64) {
    for (i, (_, colour, word)) in COLOURS.iter().enumerate() {
        let left = 16 + 150 * i64::try_from(i).unwrap_or(0);
        let _ = writeln!(svg, "<rect x=\"{left}\" y=\"{top}\" width=\"14\" height=\"14\" rx=\"2\" fill=\"{colour}\"/>");
        text(svg, left + 20, top + 12, "fill=\"#333333\"", word);
    }
}

fn text(svg: &mut String, x: i64, y: i64, style: &str, text: &str) {
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" {style}>{}</text>", escaped(text));
}

fn escaped(text: &str) -> String {
    let clean: String = text.chars().filter(|letter| !letter.is_control()).collect();
    clean.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
