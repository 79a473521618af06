//! `capi-policy simulate`.

mod link;
mod work;

use self::work::Run;
use super::Answer;
use super::evaluate;
use super::moment;
use crate::objects::{self, Document};
use crate::render::simulate as render;
use crate::render::{note, print, width};
use anyhow::{Context, Result, anyhow, bail};
use capi_policy_simulator::Scenario;
use capi_policy_simulator::day::{Seeds, Terms, shrink};
use capi_policy_simulator::property::Demand;
use capi_policy_simulator::report::{Report, svg};
use serde_json::Value;
use std::path::PathBuf;

const MOST_THREADS: i64 = 1_024;
const EXAMPLES: &str = "\
Examples:
  What does a zone outage do to this fleet?
    capi-policy simulate scenarios/zone-outage.yaml

  Which threshold should the health check have? The same 200 days under each of them:
    capi-policy simulate scenarios/zone-outage.yaml --seeds 1..200 --compare
    capi-policy simulate scenarios/zone-outage.yaml --seeds 1..200 \\
      --compare=healthChecks.workers.unhealthyLessThanOrEqualTo=20%,40%,100%

  Is there a day on which more than a fifth of the machines is replaced, or etcd loses its quorum?
    capi-policy simulate scenarios/zone-outage.yaml --seeds 1..1000 --never 'replaced > 20%' --always quorum

  The same outage on your own fleet:
    capi-policy simulate scenarios/zone-outage.yaml -f fleet.yaml -f nodes.yaml

  As a picture: capi-policy simulate scenarios/zone-outage.yaml -o svg > day.svg

A day is the policy's decisions carried out on a model of machines, in virtual time. The same seed is the same day, on
every machine and with any number of threads. It reads no cluster and changes none. Exit code 1: a demand is not met.";

/// Rehearse a bad day: what health checks and owners do to a fleet in virtual time, and which setting is best
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The day: a file in YAML or JSON; see `scenarios/` for some
    #[arg(value_name = "SCENARIO")]
    scenario: PathBuf,
    /// Start from these objects instead of the scenario's own fleet; may be repeated, `-` is standard input
    #[arg(short, long, value_name = "FILE|FOLDER|-")]
    filename: Vec<PathBuf>,
    /// When the day starts, with -f; the present if not given
    #[arg(long, value_name = "TIME", requires = "filename")]
    now: Option<String>,
    /// Which days: a number, or the first and the last
    #[arg(long, default_value = "1", value_name = "N|FIRST..LAST")]
    seeds: Seeds,
    /// Run the same days under each variant of the scenario's `compare`, or under each value of a field
    #[arg(long, value_name = "PATH=VALUE,VALUE", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    compare: Vec<String>,
    /// What must not happen, as 'replaced > 20%'; may be repeated
    #[arg(long, value_name = "PROPERTY")]
    never: Vec<String>,
    /// What must hold, as 'quorum'; may be repeated
    #[arg(long, value_name = "PROPERTY")]
    always: Vec<String>,
    /// How many threads to use; as many as there are processors if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: Option<u16>,
    /// Where the playground is, for the links to a failing day; `cargo xtask playground` serves it at the default
    #[arg(long, default_value = "http://127.0.0.1:8080/", value_name = "URL")]
    playground: String,
    /// How to show it
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    output: Output,
}

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Output {
    /// For people: the answer, a timeline, and what happened
    Table,
    /// The timeline alone
    Timeline,
    /// A picture
    Svg,
    /// One line for each day
    Csv,
    /// Everything
    Json,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let mut scenario = self.read()?;
        let given = self.given()?;
        if given.is_some() {
            let now = self.now.as_deref().map_or_else(|| Ok(moment::present()), moment::parse)?;
            scenario = scenario.starting(now).context("--now")?;
        }
        let demands = scenario.demands(&self.never, &self.always).map_err(|invalid| anyhow!("--{invalid}"))?;
        let variants = scenario.variants(&self.compare, given.as_deref()).with_context(|| self.named())?;
        let events = self.seeds.is_one() && variants.len() == 1;
        let run = Run { given: given.as_deref(), events, threads: self.threads(), progress: !self.seeds.is_one() };
        let days = run.days(&variants, &self.seeds)?;
        let named = variants.iter().zip(&days);
        let results: Vec<_> = named.map(|((name, scenario), days)| Report::new(name, scenario, days)).collect();
        print(&match self.output {
            Output::Table => render::table(&results, &demands, width()),
            Output::Timeline => results.iter().map(|result| render::timeline::timeline(result.days, width())).collect(),
            Output::Svg => svg(&results),
            Output::Csv => render::csv(&results),
            Output::Json => evaluate::json(&results)?,
        })?;
        let mut answer = Answer::Fine;
        for demand in &demands {
            for result in &results {
                let failing = result.days.iter().find(|day| !demand.is_met(day));
                let Some(day) = failing else { continue };
                answer = Answer::Differences;
                self.show_smallest(result.scenario, given.as_deref(), day.seed, demand)?;
            }
        }
        Ok(answer)
    }

    fn read(&self) -> Result<Scenario> {
        let text = std::fs::read_to_string(&self.scenario).with_context(|| self.named())?;
        let value: Value = serde_saphyr::from_str(&text).with_context(|| self.named())?;
        Scenario::read(&value).with_context(|| self.named())
    }

    fn named(&self) -> String {
        self.scenario.display().to_string()
    }

    fn given(&self) -> Result<Option<Vec<Value>>> {
        if self.filename.is_empty() {
            return Ok(None);
        }
        let mut given = Vec::new();
        for document in objects::read(&self.filename)? {
            match document {
                Document::Object(object) => given.push(object),
                Document::Snapshot(_) | Document::Case(_) => bail!("-f takes objects, as kubectl prints them"),
            }
        }
        Ok(Some(given))
    }

    fn threads(&self) -> usize {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(available, usize::from)
    }

    /// A day on which a demand is not met, as small as it can be, and links to it and to its objects.
    fn show_smallest(&self, scenario: &Scenario, given: Option<&[Value]>, seed: u64, demand: &Demand) -> Result<()> {
        let terms = Terms { scenario, given, events: false };
        let small = shrink(terms, seed, demand)?;
        let yaml = evaluate::yaml(&small.scenario)?;
        let terms = Terms { scenario: &small.scenario, ..terms };
        let objects = terms.objects_at(seed, small.day.turning_point().unwrap_or(0))?;
        note(&format!(
            "{demand}: not met on day {seed}; the smallest scenario that shows it, after {} runs:\n{yaml}\
             the day in the playground: {}\nits objects when it begins: {}",
            small.runs,
            link::to_day(&self.playground, &yaml, seed, given),
            link::to_objects(&self.playground, &objects),
        ));
        Ok(())
    }
}
