//! Prints figures and targets as Markdown tables, which people can read in a terminal too.

use super::figures::{
    Figures, GO_FLEET, GO_FLEET_WAZERO, GO_JSON, GO_JSON_WAZERO, GO_OBJECTS, GO_OBJECTS_WAZERO, NATIVE, START,
    UPSTREAM_FLEET, UPSTREAM_JSON, UPSTREAM_OBJECTS,
};
use super::targets::{Bound, KINDS, Target};

/// Every figure, with the ratio to the native library.
pub fn figures(figures: &Figures) -> String {
    let mut rows = vec![["work", "engine", "processor time", "times native", "clock"].map(str::to_owned).to_vec()];
    let mut last = "";
    for figure in &figures.0 {
        let subject = if figure.subject == last { String::new() } else { subject(&figure.subject) };
        last = &figure.subject;
        let ratio = figures.ratio(&figure.subject, &figure.engine, NATIVE).map(number).unwrap_or_default();
        // Compiling uses more threads than the one whose time is known.
        let processor = if figure.subject == START { String::new() } else { time(figure.processor) };
        rows.push(vec![subject, figure.engine.clone(), processor, ratio, time(figure.clock)]);
    }
    table(&rows)
}

/// The Go package on both runtimes beside upstream's code.
pub fn go(figures: &Figures) -> String {
    let head = ["in and out", "work", "wasmtime", "wazero", "upstream", "upstream / wasmtime", "upstream / wazero"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let ways = [
        ("fleet, one machine changes", GO_FLEET, GO_FLEET_WAZERO, UPSTREAM_FLEET),
        ("JSON", GO_JSON, GO_JSON_WAZERO, UPSTREAM_JSON),
        ("Go objects, no fleet", GO_OBJECTS, GO_OBJECTS_WAZERO, UPSTREAM_OBJECTS),
    ];
    for (way, wasmtime, wazero, upstream) in ways {
        for ours in figures.0.iter().filter(|figure| figure.engine == wasmtime) {
            let of =
                |engine| figures.get(&ours.subject, engine).map(|figure| time(figure.processor)).unwrap_or_default();
            let over = |engine| figures.ratio(&ours.subject, upstream, engine).map(number).unwrap_or_default();
            let mut row = vec![way.to_owned(), subject(&ours.subject)];
            row.extend([of(wasmtime), of(wazero), of(upstream), over(wasmtime), over(wazero)]);
            rows.push(row);
        }
    }
    table(&rows)
}

/// Every target, with what was measured for each kind.
pub fn targets(targets: &[Target]) -> String {
    beside(&["measured with 1,000 machines", "target", KINDS[0], KINDS[1]], targets)
}

/// Targets that are measured once.
pub fn single(targets: &[Target]) -> String {
    beside(&["simulated", "target", "measured"], targets)
}

fn beside(head: &[&str], targets: &[Target]) -> String {
    let mut rows = vec![head.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>()];
    for target in targets {
        let bound = match target.bound {
            Bound::AtMost(most) => format!("at most {}{}", bound(most), target.unit),
            Bound::AtLeast(least) => format!("at least {}{}", bound(least), target.unit),
        };
        let mut row = vec![target.what.to_owned(), bound];
        row.extend(target.measured.iter().map(|value| cell(*value, target)));
        row.resize(head.len(), String::new());
        rows.push(row);
    }
    table(&rows)
}

/// A bound as it was promised, or three digits of one that was computed.
fn bound(value: f64) -> String {
    if (value * 10.0).fract() == 0.0 { value.to_string() } else { number(value) }
}

fn cell(value: Option<f64>, target: &Target) -> String {
    match value {
        None => "not measured".to_owned(),
        Some(value) if target.bound.met(value) => format!("{}{}", number(value), target.unit),
        Some(value) => format!("{}{}, **not met**", number(value), target.unit),
    }
}

/// `MachineDeployment, 1,000 machines` of `MachineDeployment 1000`.
pub fn subject(name: &str) -> String {
    match name.split_once(' ').and_then(|(kind, size)| Some((kind, size.parse::<u32>().ok()?))) {
        Some((kind, size)) if size >= 1_000 => format!("{kind}, {},{:03} machines", size / 1_000, size % 1_000),
        Some((kind, size)) => format!("{kind}, {size} machines"),
        None => name.to_owned(),
    }
}

/// Microseconds with a unit that fits.
pub fn time(micros: f64) -> String {
    let (value, unit) = match micros {
        m if m < 1e3 => (m, "µs"),
        m if m < 1e6 => (m / 1e3, "ms"),
        m => (m / 1e6, "s"),
    };
    format!("{} {unit}", number(value))
}

/// Three digits that matter.
pub fn number(value: f64) -> String {
    let digits = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.0995 => 2,
        _ => 3,
    };
    format!("{value:.digits$}")
}

/// Cells in, aligned columns out; the first row is the head.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<_> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut lines: Vec<_> = rows
        .iter()
        .map(|row| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!(" {cell:<width$} |"));
            format!("|{}\n", cells.collect::<String>())
        })
        .collect();
    let rule: Vec<_> = widths.iter().map(|width| "-".repeat(width + 2)).collect();
    lines.insert(1, format!("|{}|\n", rule.join("|")));
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::{figures, number, subject, targets, time};
    use crate::bench::figures::tests::figures as example;
    use crate::bench::instructions::tests::instructions;
    use crate::bench::targets::all;

    #[test]
    fn numbers_have_three_digits() {
        let all = [0.0123, 0.25, 1.0, 12.345, 99.96, 1234.5].map(number);
        assert_eq!(all, ["0.012", "0.25", "1.00", "12.3", "100", "1234"]);
        assert_eq!([12.5, 1_250.0, 2e6].map(time), ["12.5 µs", "1.25 ms", "2.00 s"]);
        let names = ["MachineDeployment 10", "MachineDeployment 10000", "Machine Updating"].map(subject);
        assert_eq!(names, ["MachineDeployment, 10 machines", "MachineDeployment, 10,000 machines", "Machine Updating"]);
    }

    #[test]
    fn every_figure_has_a_row() {
        let text = figures(&example());
        let row = |engine: &str| {
            let line = text.lines().find(|line| line.contains(engine)).expect("a row");
            line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(row("| native "), "MachineDeployment, 1,000 machines; native; 4.00 ms; 1.00; 4.10 ms");
        assert_eq!(row("Cluster API, JSON"), "Cluster API, JSON; 48.0 ms; 12.0; 50.0 ms");
        assert_eq!(row("fresh instance"), "start; fresh instance; 12.5 µs");
    }

    #[test]
    fn a_target_that_is_missed_says_so() {
        let mut missed = all(&example(), &instructions());
        missed[1].measured = vec![Some(2.5), Some(1.9)];
        let text = targets(&missed);
        assert!(text.contains("| 2.50, **not met** | 1.90 "), "{text}");
        assert!(text.contains("at most 20 µs"), "{text}");
    }
}
