//! Reads what `capi-policy bench -o json` and `go test -bench` print, by subject and engine.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What everything is compared with.
pub const NATIVE: &str = "native";
/// One instance for all evaluations, which take as long as they take.
pub const ENDLESS: &str = "component, warm, no deadline";
/// One instance for all evaluations.
pub const WARM: &str = "component, warm";
/// An instance for each evaluation, with the deadline on.
pub const FRESH: &str = "component, fresh";
/// Objects stay parsed, one machine changes.
pub const FLEET: &str = "fleet, one change";
/// The Go package on wasmtime, text in, text out.
pub const GO_JSON: &str = "Go package, JSON";
/// The same on wazero.
pub const GO_JSON_WAZERO: &str = "Go package on wazero, JSON";
/// The Go package on wasmtime, objects in, objects out.
pub const GO_OBJECTS: &str = "Go package, objects";
/// The same on wazero.
pub const GO_OBJECTS_WAZERO: &str = "Go package on wazero, objects";
/// The Go package's fleet on wasmtime: one machine in memory changes.
pub const GO_FLEET: &str = "Go package, fleet, one change";
/// The same on wazero.
pub const GO_FLEET_WAZERO: &str = "Go package on wazero, fleet, one change";
/// Loading the embedded policy into wasmtime.
pub const GO_LOAD: &str = "Go package, loading";
/// The same with wazero.
pub const GO_LOAD_WAZERO: &str = "Go package on wazero, loading";
/// Upstream's functions, with decoding and encoding.
pub const UPSTREAM_JSON: &str = "Cluster API, JSON";
/// Upstream's functions on objects in memory.
pub const UPSTREAM_OBJECTS: &str = "Cluster API, in memory";
/// Upstream's functions on the objects in memory that the Go package's fleet has.
pub const UPSTREAM_FLEET: &str = "Cluster API, in memory, one change";
/// How long a policy takes to be ready.
pub const START: &str = "start";

/// Which benchmark and which of its sides measures what, in the order in which it is shown.
const GO_ENGINES: [(&str, &str, &str); 11] = [
    ("JSON", "wasmtime", GO_JSON),
    ("JSON", "wazero", GO_JSON_WAZERO),
    ("Fleet", "wasmtime", GO_FLEET),
    ("Fleet", "wazero", GO_FLEET_WAZERO),
    ("Objects", "wasmtime", GO_OBJECTS),
    ("Objects", "wazero", GO_OBJECTS_WAZERO),
    ("Load", "wasmtime", GO_LOAD),
    ("Load", "wazero", GO_LOAD_WAZERO),
    ("JSON", "upstream", UPSTREAM_JSON),
    ("Objects", "upstream", UPSTREAM_OBJECTS),
    ("Fleet", "upstream", UPSTREAM_FLEET),
];

/// How one engine did on one subject.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Figure {
    /// What was evaluated, as in `MachineDeployment 1000`.
    pub subject: String,
    /// What evaluated it.
    pub engine: String,
    /// The median by the clock.
    #[serde(rename = "p50Micros")]
    pub clock: f64,
    /// The median of processor time.
    #[serde(rename = "processorMicros")]
    pub processor: f64,
    /// Size of the snapshot.
    #[serde(default)]
    pub bytes: f64,
    /// How large the policy's memory has grown.
    #[serde(rename = "memoryBytes")]
    pub memory: Option<f64>,
}

/// All that was measured, in the order in which it is shown.
#[derive(Debug, Default)]
pub struct Figures(pub Vec<Figure>);

impl Figures {
    /// Reads what the host printed.
    pub fn from_host(json: &str) -> Result<Self> {
        serde_json::from_str(json).map(Self).context("what `capi-policy bench -o json` printed")
    }

    /// Adds what `go test -bench` printed: the median where a benchmark ran several times.
    pub fn add_go(&mut self, text: &str) -> Result<()> {
        let mut runs: BTreeMap<(String, usize), Vec<Measured>> = BTreeMap::new();
        for line in text.lines() {
            if let Some((key, measured)) = go_line(line) {
                runs.entry(key).or_default().push(measured);
            }
        }
        ensure!(!runs.is_empty(), "`go test -bench` printed no results:\n{text}");
        for ((subject, engine), runs) in runs {
            let clock = median(runs.iter().map(|run| run.clock).collect());
            let processor = median(runs.iter().map(|run| run.processor).collect());
            // Go reports memory as a multiple of the text.
            let memory = runs.iter().find_map(|run| run.memory);
            let engine = GO_ENGINES[engine].2.to_owned();
            let figure = Figure { subject, engine, clock, processor, bytes: 1.0, memory };
            // After the others of its subject.
            let last = self.0.iter().rposition(|other| other.subject == figure.subject);
            self.0.insert(last.map_or(self.0.len(), |last| last + 1), figure);
        }
        Ok(())
    }

    /// The figure of one engine on one subject.
    pub fn get(&self, subject: &str, engine: &str) -> Option<&Figure> {
        self.0.iter().find(|figure| figure.subject == subject && figure.engine == engine)
    }

    /// Processor time as a multiple of another engine's on the same subject.
    pub fn ratio(&self, subject: &str, engine: &str, other: &str) -> Option<f64> {
        Some(self.get(subject, engine)?.processor / self.get(subject, other)?.processor)
    }
}

/// What a line of `go test -bench` says, times in microseconds.
#[derive(Debug, PartialEq)]
struct Measured {
    clock: f64,
    processor: f64,
    memory: Option<f64>,
}

/// `BenchmarkJSON/MachineDeployment-10/wazero-2   100   5000 ns/op   4000 cpu-ns/op` as subject, engine and what was measured.
fn go_line(line: &str) -> Option<((String, usize), Measured)> {
    let mut words = line.split_whitespace();
    let mut name = words.next()?.strip_prefix("Benchmark")?.split('/');
    let (group, subject, side) = (name.next()?, name.next()?, name.next()?);
    let side = side.split('-').next()?;
    let engine = GO_ENGINES.iter().position(|(of, on, _)| (*of, *on) == (group, side))?;
    let words: Vec<_> = words.collect();
    let of = |unit: &str| {
        let at = words.iter().position(|word| *word == unit)?;
        words.get(at.checked_sub(1)?)?.parse::<f64>().ok()
    };
    let measured = Measured { clock: of("ns/op")? / 1e3, processor: of("cpu-ns/op")? / 1e3, memory: of("memory/JSON") };
    Some(((subject.replace('-', " "), engine), measured))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
pub mod tests {
    use super::{FRESH, Figures, GO_JSON, UPSTREAM_JSON, UPSTREAM_OBJECTS, go_line};

    pub const HOST: &str = r#"[
        { "subject": "MachineDeployment 1000", "engine": "native", "bytes": 2000000, "evaluations": 5, "p50Micros": 4100.0, "processorMicros": 4000.0, "timesNative": 1.0 },
        { "subject": "MachineDeployment 1000", "engine": "component, fresh", "bytes": 2000000, "evaluations": 5, "p50Micros": 6100.0, "processorMicros": 6000.0, "timesNative": 1.5, "memoryBytes": 5000000 },
        { "subject": "start", "engine": "fresh instance", "bytes": 500000, "evaluations": 5, "p50Micros": 12.5, "processorMicros": 12.0 }
    ]"#;

    pub const GO: &str = "goos: linux
BenchmarkJSON/MachineDeployment-1000/wasmtime-2         	     100	  9000000 ns/op	  8000000 cpu-ns/op
BenchmarkJSON/MachineDeployment-1000/wasmtime-2         	     100	  9900000 ns/op	  8800000 cpu-ns/op
BenchmarkJSON/MachineDeployment-1000/wasmtime-2         	     100	  8000000 ns/op	  7000000 cpu-ns/op
BenchmarkJSON/MachineDeployment-1000/upstream         	      20	 50000000 ns/op	  5.0 cpu-times-policy	 48000000 cpu-ns/op
PASS
";

    pub fn figures() -> Figures {
        let mut figures = Figures::from_host(HOST).expect("figures");
        figures.add_go(GO).expect("figures");
        figures
    }

    #[test]
    fn both_sides_come_together_by_subject() {
        let figures = figures();
        let engines: Vec<_> = figures.0.iter().map(|figure| &*figure.engine).collect();
        assert_eq!(engines, ["native", FRESH, GO_JSON, UPSTREAM_JSON, "fresh instance"]);
        let ratio = |engine| figures.ratio("MachineDeployment 1000", engine, "native").expect("a ratio").to_string();
        assert_eq!([ratio(FRESH), ratio(GO_JSON), ratio(UPSTREAM_JSON)], ["1.5", "2", "12"]);
        assert!(figures.ratio("MachineDeployment 1000", UPSTREAM_OBJECTS, "native").is_none());
    }

    #[test]
    fn lines_that_are_no_results_are_left_out() {
        for line in ["", "PASS", "BenchmarkJSON", "ok  \tbench\t3 s", "BenchmarkOther/a/wazero-2 1 5 ns/op 5 cpu-ns/op"]
        {
            assert_eq!(go_line(line), None, "{line}");
        }
        assert!(figures().add_go("PASS").is_err());
    }
}
