//! Draws the figures as bars in SVG: processor time for 1,000 machines, from zero: twice as long is twice the time.

use super::figures::{ENDLESS, FLEET, FRESH, Figure, Figures, GO_JSON, NATIVE, UPSTREAM_JSON, UPSTREAM_OBJECTS, WARM};
use super::markdown::{number, subject, time};
use super::targets::KINDS;

/// What is drawn, from the policy to upstream, each with its label and its colour.
const BARS: [(&str, &str, &str); 8] = [
    (NATIVE, "native library", "other"),
    (ENDLESS, "component, warm, no deadline", "policy"),
    (WARM, "component, warm instance", "policy"),
    (FRESH, "component, fresh instance", "policy"),
    (FLEET, "fleet, one machine changed", "policy"),
    (GO_JSON, "Go package, JSON", "policy"),
    (UPSTREAM_JSON, "Cluster API's Go code, JSON", "upstream"),
    (UPSTREAM_OBJECTS, "Cluster API's Go code, in memory", "upstream"),
];

const WIDTH: f64 = 820.0;
/// Where bars begin, and how long the longest one is.
const LEFT: f64 = 270.0;
const LONGEST: f64 = 400.0;
const ROW: f64 = 24.0;
const HEAD: f64 = 44.0;

/// A card of its own colour, so that it can be read on any page.
const STYLE: &str = "\
  .card { fill: #ffffff; stroke: #d0d7de }
  text { font: 13px -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328 }
  .head { font-weight: 600; font-size: 14px }
  .value { fill: #59636e }
  .policy { fill: #2f6feb } .upstream { fill: #d4731a } .other { fill: #8b949e }
  @media (prefers-color-scheme: dark) {
    .card { fill: #0d1117; stroke: #3d444d }
    text { fill: #f0f6fc }
    .value { fill: #9198a1 }
  }
";

/// The picture.
pub fn svg(figures: &Figures) -> String {
    let mut y = 10.0;
    let mut body = Vec::new();
    for name in subjects() {
        let bars: Vec<_> = BARS.iter().filter_map(|bar| Some((bar, figures.get(&name, bar.0)?))).collect();
        let longest = bars.iter().map(|(_, figure)| figure.processor).fold(0.0, f64::max);
        body.push(format!("<text class=\"head\" x=\"20\" y=\"{:.0}\">{}</text>\n", y + 24.0, subject(&name)));
        y += HEAD;
        for ((_, label, class), figure) in bars {
            body.push(bar(y, label, class, figure.processor / longest * LONGEST, &value(figures, figure)));
            y += ROW;
        }
    }
    let (body, height) = (body.concat(), y + 46.0);
    let note = "Processor time of one evaluation of the same JSON, and how many times the native library's it is. Shorter is faster.";
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" height=\"{height:.0}\" role=\"img\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n\
         <rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"{:.0}\" height=\"{:.0}\" rx=\"6\"/>\n{body}\
         <text class=\"value\" x=\"20\" y=\"{:.0}\">{note}</text>\n</svg>\n",
        description(figures),
        WIDTH - 1.0,
        height - 1.0,
        height - 18.0,
    )
}

/// The picture in words, for those who can't see it.
pub fn description(figures: &Figures) -> String {
    let parts = subjects().filter_map(|name| {
        let native = |engine| figures.ratio(&name, engine, NATIVE).map(number);
        let (component, upstream) = (native(FRESH)?, native(UPSTREAM_JSON)?);
        Some(format!(
            "{}: the component takes {component} times the native library's processor time, Cluster API's Go code {upstream} times",
            subject(&name)
        ))
    });
    parts.collect::<Vec<_>>().join("; ")
}

fn subjects() -> impl Iterator<Item = String> {
    KINDS.iter().map(|kind| format!("{kind} 1000"))
}

fn value(figures: &Figures, figure: &Figure) -> String {
    let ratio = figures.ratio(&figure.subject, &figure.engine, NATIVE).map(number).unwrap_or_default();
    format!("{} · {ratio}×", time(figure.processor))
}

fn bar(y: f64, label: &str, class: &str, length: f64, value: &str) -> String {
    // What is hardly there can still be seen.
    let length = length.max(1.5);
    format!(
        "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{label}</text>\
         <rect class=\"{class}\" x=\"{LEFT}\" y=\"{y:.0}\" width=\"{length:.1}\" height=\"16\" rx=\"2\"/>\
         <text class=\"value\" x=\"{:.1}\" y=\"{:.0}\">{value}</text>\n",
        LEFT - 10.0,
        y + 13.0,
        LEFT + length + 8.0,
        y + 13.0,
    )
}

#[cfg(test)]
mod tests {
    use super::svg;
    use crate::bench::figures::tests::figures;

    #[test]
    fn bars_are_as_long_as_their_times() {
        let text = svg(&figures());
        let widths = ["33.3", "50.0", "66.7", "400.0"].map(|width| format!("width=\"{width}\" height=\"16\""));
        for width in widths {
            assert!(text.contains(&width), "{width} in {text}");
        }
        assert!(text.contains(">48.0 ms · 12.0×</text>"));
    }
}
