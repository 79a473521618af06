//! Days as a picture: for each variant, capacity at the worst of its days, replacements, and when remediation was blocked.

use super::{Report, worst};
use crate::day::Day;
use crate::scenario::Span;
use std::fmt::Write;

const LEFT: i64 = 24;
const ACROSS: i64 = 864;
const HEIGHT: i64 = 120;
const GAP: i64 = 64;
const TOP: i64 = 24;
/// Class and colour.
const MISSING: (&str, &str) = ("missing", "#b3392f");
const WORKING: (&str, &str) = ("working", "#2b7a3f");
const REPLACED: (&str, &str) = ("replaced", "#e6a817");
const BLOCKED: (&str, &str) = ("blocked", "#5b5b5b");

/// The picture. Colours are attributes, and what they mean is a class, so that a page with other colours can set them.
pub fn svg(results: &[Report<'_>]) -> String {
    let charts = i64::try_from(results.len()).unwrap_or(0);
    let (width, height) = (LEFT * 2 + ACROSS, TOP + charts * (HEIGHT + GAP) + 32);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" role=\"img\">\n<title>Simulated days</title>\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (i, result) in results.iter().enumerate() {
        chart(&mut svg, result, TOP + i64::try_from(i).unwrap_or(0) * (HEIGHT + GAP));
    }
    let legend = [(WORKING, "working"), (MISSING, "missing"), (REPLACED, "replaced"), (BLOCKED, "remediation blocked")];
    for (i, ((class, colour), label)) in legend.iter().enumerate() {
        let x = LEFT + 150 * i64::try_from(i).unwrap_or(0);
        let y = height - 26;
        let _ =
            writeln!(svg, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>");
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{label}</text>", x + 18, height - 16);
    }
    svg + "</svg>\n"
}

fn chart(svg: &mut String, result: &Report<'_>, top: i64) {
    let parts = worst(result.days);
    let most = parts.iter().map(|part| part.wanted).max().unwrap_or(1).max(1);
    let wide = ACROSS / i64::try_from(parts.len()).unwrap_or(1).max(1);
    let sum = |of: fn(&Day) -> u64| result.days.iter().map(of).sum::<u64>();
    let title = format!(
        "{}: {}, {} replaced, {} needlessly",
        result.name,
        if result.days.len() == 1 { "1 day".to_owned() } else { format!("{} days", result.days.len()) },
        sum(|day| day.replaced),
        sum(|day| day.needless)
    );
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"600\">{}</text>", top + 6, escaped(&title));
    let base = top + 18 + HEIGHT;
    let mut bar = |x: i64, y: i64, height: i64, (class, colour): (&str, &str)| {
        if height > 0 {
            let _ = writeln!(
                svg,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{height}\" fill=\"{colour}\"/>"
            );
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
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\" class=\"axis\" fill=\"#5b5b5b\">0</text>", base + 22);
    let (x, y) = (LEFT + ACROSS, base + 22);
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" class=\"axis\" fill=\"#5b5b5b\" text-anchor=\"end\">+{}</text>",
        Span(seconds)
    );
}

fn escaped(text: &str) -> String {
    // XML has no way to write them.
    let text: String = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
