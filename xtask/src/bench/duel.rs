//! What `cargo xtask load --against upstream` measured, as a table for `docs/performance.md`.

use super::markdown::{number, table};
use anyhow::{Context, Result};
use serde::Deserialize;

/// No worse than Cluster API's controllers.
const NO_WORSE: (&str, f64) = ("at most 1", 1.0);
/// A third of what they take.
const THIRD: (&str, f64) = ("at most ⅓", 1.0 / 3.0);

/// What a run leaves behind.
#[derive(Deserialize)]
struct Duel {
    clusters: u32,
    machines: u32,
    contenders: Vec<Contender>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Contender {
    name: String,
    flags: String,
    decided_seconds: f64,
    writes: f64,
    decided: Usage,
    rates: Vec<AtRate>,
    end: Usage,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Usage {
    processor_seconds: f64,
    resident_kilobytes: f64,
    peak_kilobytes: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AtRate {
    rate: u32,
    changes: f64,
    p50: f64,
    p99: f64,
    writes: f64,
    processor_seconds: f64,
}

/// Reads the result of a run, and writes it down for people.
pub fn markdown(result: &str) -> Result<String> {
    let duel: Duel = serde_json::from_str(result).context("the result of the load")?;
    let [ours, theirs] = &duel.contenders[..] else { anyhow::bail!("expected two contenders") };
    let mut rows = vec![
        ["measured", &ours.name, &theirs.name, "ratio", "aim"].map(str::to_owned).to_vec(),
        row("until all is decided", " s", ours.decided_seconds, theirs.decided_seconds, NO_WORSE),
        row("processor time until then", " s", ours.decided.processor_seconds, theirs.decided.processor_seconds, THIRD),
        row("writes until then", "", ours.writes, theirs.writes, NO_WORSE),
        memory("resident then", ours.decided.resident_kilobytes, theirs.decided.resident_kilobytes),
    ];
    for (ours, theirs) in ours.rates.iter().zip(&theirs.rates) {
        let at = |what: &str| format!("{} changes a second: {what}", ours.rate);
        let per_change = |rate: &AtRate| rate.writes / rate.changes;
        rows.push(row(&at("p50"), " ms", ours.p50, theirs.p50, NO_WORSE));
        rows.push(row(&at("p99"), " ms", ours.p99, theirs.p99, NO_WORSE));
        rows.push(row(&at("processor time"), " s", ours.processor_seconds, theirs.processor_seconds, THIRD));
        rows.push(row(&at("writes per change"), "", per_change(ours), per_change(theirs), NO_WORSE));
    }
    rows.push(memory("resident at the end", ours.end.resident_kilobytes, theirs.end.resident_kilobytes));
    rows.push(memory("peak", ours.end.peak_kilobytes, theirs.end.peak_kilobytes));
    let all = duel.clusters * duel.machines;
    let flags = |contender: &Contender| format!("`{}`", contender.flags);
    Ok(format!(
        "{all} machines in {} clusters. {}: {}. {}: {}.\n\n{}",
        duel.clusters,
        ours.name,
        flags(ours),
        theirs.name,
        flags(theirs),
        table(&rows)
    ))
}

fn row(what: &str, unit: &str, ours: f64, theirs: f64, (aim, most): (&str, f64)) -> Vec<String> {
    let ratio = ours / theirs;
    let missed = if ratio > most { ", **not met**" } else { "" };
    let with_unit = |value| format!("{}{unit}", number(value));
    vec![what.to_owned(), with_unit(ours), with_unit(theirs), format!("{}{missed}", number(ratio)), aim.to_owned()]
}

fn memory(what: &str, ours: f64, theirs: f64) -> Vec<String> {
    row(&format!("memory, {what}"), " MB", ours / 1e3, theirs / 1e3, THIRD)
}

#[cfg(test)]
mod tests {
    use super::markdown;
    use serde_json::json;

    #[test]
    fn what_is_worse_than_the_aim_says_so() {
        let contender = |name: &str, factor: f64| {
            let usage = json!({ "processorSeconds": 10.0 * factor, "residentKilobytes": 1e5, "peakKilobytes": 2e5 });
            let rate = json!({
                "rate": 50, "changes": 1000, "p50": 100.0 * factor, "p99": 900.0, "writes": 4000, "processorSeconds": factor,
            });
            json!({
                "name": name, "flags": "--all", "decidedSeconds": 12.0, "writes": 7000, "decided": usage,
                "rates": [rate], "end": usage,
            })
        };
        let result =
            json!({ "clusters": 2, "machines": 500, "contenders": [contender("a", 0.25), contender("b", 1.0)] });
        let text = markdown(&result.to_string()).expect("a table");
        let line = |what: &str| {
            let line = text.lines().find(|line| line.contains(what)).expect("a row");
            line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join("; ")
        };
        assert!(text.starts_with("1000 machines in 2 clusters. a: `--all`. b: `--all`."), "{text}");
        assert_eq!(line("50 changes a second: p50"), "50 changes a second: p50; 25.0 ms; 100 ms; 0.25; at most 1");
        assert_eq!(line("writes per change"), "50 changes a second: writes per change; 4.00; 4.00; 1.00; at most 1");
        assert_eq!(line("memory, peak"), "memory, peak; 200 MB; 200 MB; 1.00, **not met**; at most ⅓");
        assert!(markdown("{}").is_err());
    }
}
