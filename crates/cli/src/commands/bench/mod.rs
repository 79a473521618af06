//! `capi-policy bench`.

mod baseline;
mod clock;
mod keeping;
mod measure;
mod start;
mod subjects;
mod warm;

use super::Answer;
use super::evaluate::Output;
use super::input::{self, Listing};
use super::moment;
use super::policy::PolicyArgs;
use crate::render::grid::{BOLD, Grid, plain, styled};
use crate::render::{note, print, width};
use anyhow::{Context, Result, bail};
use capi_policy_host::{Engine, NativeEngine, PolicyEngine};
use keeping::Keeping;
use measure::{Measurement, measure};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use subjects::Subject;
use warm::Warm;

/// The engine that gives every evaluation an instance of its own.
const FRESH: &str = "component, fresh";

const EXAMPLES: &str = "\
Examples:
  capi-policy bench
  capi-policy bench -f fleet.yaml -o json
  capi-policy bench --machines 10,500 --snapshots target/bench
  capi-policy bench --save before.json          then change something, then
  capi-policy bench --compare before.json --threshold 15

Component and native library take short turns, so that a busy machine slows both. Compare ratios rather than
times; they are those of processor time.";

/// Measure evaluations a second, component and native library side by side
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Your own objects, snapshots or corpus, instead of made-up ones and the start of a policy
    #[arg(short = 'f', long = "filename", value_name = "FILE|DIR|-")]
    files: Vec<PathBuf>,
    /// How many machines the made-up MachineDeployments and health checks have
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', default_values_t = [10, 1_000, 10_000], conflicts_with = "files")]
    machines: Vec<usize>,
    /// Write the made-up snapshots into a folder, to measure others on the same
    #[arg(long, value_name = "DIR", conflicts_with = "files")]
    snapshots: Option<PathBuf>,
    /// Seconds for each subject
    #[arg(long, default_value_t = 3.0, value_name = "SECONDS")]
    seconds: f64,
    /// How to show it
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    output: Output,
    /// Write the result to a file, for --compare
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Compare with a saved result; exit code 1 when something got slower
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// How many percent slower is too slow
    #[arg(long, default_value_t = 10.0, value_name = "PERCENT", requires = "compare")]
    threshold: f64,
    #[command(flatten)]
    policy: PolicyArgs,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        if !(self.seconds > 0.0 && self.seconds <= 3_600.0) {
            bail!("--seconds {}: expected more than 0 and at most 3600", self.seconds);
        }
        let before = self.compare.as_deref().map(baseline::read).transpose()?;
        let component = self.policy.load()?;
        let unlimited = self.policy.load_without_deadline()?;
        let (warm, endless) = (Warm::of(&component)?, Warm::of(&unlimited)?);
        let bytes = self.policy.bytes(&self.policy.reference()?)?;
        let keeping = if self.files.is_empty() { Some(Keeping::load(&bytes)?) } else { None };
        let mut engines: Vec<(&str, &dyn Engine)> = vec![
            ("native", &NativeEngine),
            ("component, warm, no deadline", &endless),
            ("component, warm", &warm),
            (FRESH, &component),
        ];
        engines.extend(keeping.iter().map(|keeping| ("fleet, one change", keeping as &dyn Engine)));
        let time = Duration::from_secs_f64(self.seconds);
        let mut measurements = Vec::new();
        for group in self.subjects(&component)?.chunk_by(Subject::compared) {
            for Subject { name, snapshot, .. } in group {
                note(&format!("{name} ({} KB)", snapshot.len() / 1_000));
            }
            let mut measured = measure(group, &engines, time)?;
            let fresh = measured.iter_mut().filter(|m| m.engine == FRESH);
            for (fresh, Subject { snapshot, .. }) in fresh.zip(group) {
                fresh.memory_bytes = Some(memory(&component, snapshot)?);
            }
            measurements.extend(measured);
        }
        if self.files.is_empty() {
            note("start");
            measurements.extend(start::measure(&bytes, &component, time)?);
        }
        if let Some(path) = &self.save {
            fs::write(path, serde_json::to_string_pretty(&measurements)?)
                .with_context(|| path.display().to_string())?;
        }
        print(&match self.output {
            Output::Table => table(&measurements),
            Output::Json => serde_json::to_string_pretty(&measurements)? + "\n",
            Output::Yaml => serde_saphyr::to_string(&measurements)?,
        })?;
        match before {
            Some(before) => baseline::compare(&before, &measurements, self.threshold),
            None => Ok(Answer::Fine),
        }
    }

    fn subjects(&self, engine: &PolicyEngine) -> Result<Vec<Subject>> {
        if self.files.is_empty() {
            let subjects = subjects::made_up(&self.machines);
            self.snapshots.as_deref().map(|folder| subjects::write(&subjects, folder)).transpose()?;
            return Ok(subjects);
        }
        let questions = input::read(&self.files, engine, &Listing::default(), &moment::present().to_string())?;
        Ok(questions
            .iter()
            .map(|question| Subject { name: question.label(), snapshot: input::text(question, false), sizes_of: None })
            .collect())
    }
}

/// How large a policy's memory has grown after one evaluation.
fn memory(policy: &PolicyEngine, snapshot: &str) -> Result<usize> {
    let mut session = policy.session()?;
    session.evaluate(snapshot)?;
    Ok(session.memory())
}

fn table(measurements: &[Measurement]) -> String {
    let mut grid = Grid::new(&["SUBJECT", "ENGINE", "EVALUATIONS/S", "P50", "P95", "P99", "PROCESSOR", "TIMES NATIVE"]);
    let mut last = "";
    for m in measurements {
        let subject = if m.subject == last { String::new() } else { m.subject.clone() };
        last = &m.subject;
        grid.row(vec![
            styled(subject, BOLD),
            plain(&m.engine),
            plain(format!("{:.0}", m.per_second)),
            plain(time(m.p50_micros)),
            plain(time(m.p95_micros)),
            plain(time(m.p99_micros)),
            plain(time(m.processor_micros)),
            plain(ratio(m.times_native)),
        ]);
    }
    grid.render(width())
}

/// Microseconds with a unit that fits.
fn time(micros: f64) -> String {
    if micros < 1_000.0 { format!("{micros:.1} µs") } else { format!("{:.2} ms", micros / 1_000.0) }
}

fn ratio(times: Option<f64>) -> String {
    times.map(|times| format!("{times:.2}")).unwrap_or_default()
}
