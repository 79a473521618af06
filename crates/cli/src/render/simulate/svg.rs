//! Days as a picture: for each variant, capacity at the worst of its days, replacements, and when remediation was blocked.

use super::Result;
use super::timeline::worst;
use crate::render::words::{count, duration};
use std::fmt::Write;

const LEFT: i64 = 24;
const ACROSS: i64 = 864;
const HEIGHT: i64 = 120;
const GAP: i64 = 64;
const TOP: i64 = 24;
const MISSING: &str = "#b3392f";
const WORKING: &str = "#2b7a3f";
const REPLACED: &str = "#e6a817";
const BLOCKED: &str = "#5b5b5b";

/// The picture.
pub fn svg(results: &[Result<'_>]) -> String {
    let charts = i64::try_from(results.len()).unwrap_or(0);
    let (width, height) = (LEFT * 2 + ACROSS, TOP + charts * (HEIGHT + GAP) + 32);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" role=\"img\">\n<title>Simulated days</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (i, result) in results.iter().enumerate() {
        chart(&mut svg, result, TOP + i64::try_from(i).unwrap_or(0) * (HEIGHT + GAP));
    }
    let legend = [(WORKING, "working"), (MISSING, "missing"), (REPLACED, "replaced"), (BLOCKED, "remediation blocked")];
    for (i, (colour, label)) in legend.iter().enumerate() {
        let x = LEFT + 150 * i64::try_from(i).unwrap_or(0);
        let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>", height - 26);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{label}</text>", x + 18, height - 16);
    }
    svg + "</svg>\n"
}

fn chart(svg: &mut String, result: &Result<'_>, top: i64) {
    let parts = worst(&result.days);
    let most = parts.iter().map(|part| part.wanted).max().unwrap_or(1).max(1);
    let wide = ACROSS / i64::try_from(parts.len()).unwrap_or(1).max(1);
    let sum = |of: fn(&capi_policy_simulator::day::Day) -> u64| result.days.iter().map(of).sum::<u64>();
    let title = format!(
        "{}: {}, {} replaced, {} needlessly",
        result.name,
        count(result.days.len(), "day"),
        sum(|day| day.replaced),
        sum(|day| day.needless)
    );
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"600\">{}</text>", top + 6, escaped(&title));
    let base = top + 18 + HEIGHT;
    let mut bar = |x: i64, y: i64, height: i64, colour: &str| {
        if height > 0 {
            let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{height}\" fill=\"{colour}\"/>");
        }
    };
    for (i, part) in parts.iter().enumerate() {
        let x = LEFT + wide * i64::try_from(i).unwrap_or(0);
        let scaled = |machines: i64| machines.clamp(0, most) * HEIGHT / most;
        let working = scaled(part.working);
        bar(x, base - working, working, WORKING);
        let wanted = scaled(part.wanted);
        bar(x, base - wanted, wanted - working, MISSING);
        let replaced = scaled(i64::try_from(part.replaced).unwrap_or(0));
        bar(x, base - replaced, replaced, REPLACED);
        bar(x, base + 2, if part.blocked { 6 } else { 0 }, BLOCKED);
    }
    let seconds = result.days.first().map_or(0, |day| day.seconds);
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\" fill=\"#5b5b5b\">0</text>", base + 22);
    let (x, y) = (LEFT + ACROSS, base + 22);
    let _ =
        writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"#5b5b5b\" text-anchor=\"end\">+{}</text>", duration(seconds));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
