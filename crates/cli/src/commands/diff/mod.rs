//! `capi-policy diff`, also called `upgrade-impact`.

mod impact;
mod report;
mod settled;
mod values;

use self::impact::Impact;
use self::report::Output;
use self::values::{Difference, compare};
use super::Answer;
use super::input::{self, InputArgs};
use super::policy;
use crate::render::grid::{BOLD, DIM, Grid, paint, plain};
use crate::render::words::count;
use crate::render::{print, width};
use anyhow::{Result, bail};
use capi_policy_controller::printable::printable;
use capi_policy_host::Engine;
use serde_json::Value;

const EXAMPLES: &str = "\
Examples:
  What changes when Cluster API is upgraded?
    capi-policy upgrade-impact --profile cluster-api-v1.13 --profile cluster-api-v1.14 -f fleet.yaml
    capi-policy upgrade-impact --profile cluster-api-v1.13 --profile cluster-api-v1.14 -f fleet.yaml -o markdown

  What changes with another policy?
    capi-policy diff --policy old.wasm --policy new.wasm -f fleet.yaml
    capi-policy diff --policy oci://registry.example/capi-policy:0.1.0 --policy dist/capi_policy.wasm \\
      -f tests/conformance/v1.14/Machine.jsonl.gz

With two profiles, decisions about Machines are passed on to the decisions that read them, as controllers would do, and
what changes is grouped by its cause: the row that decides under the second profile. Exit code 1 when any decision differs.";

/// Compare decisions on the same objects: of two profiles, before an upgrade of Cluster API, or of two policies
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The policy; twice to compare two: first the one in use, then the one to come
    #[arg(long, value_name = "FILE|oci://…")]
    policy: Vec<String>,
    #[command(flatten)]
    input: InputArgs,
    /// How to show what changes between two profiles
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    output: Output,
    /// Show every object that changes, not only examples
    #[arg(short, long)]
    all: bool,
}

impl Options {
    pub fn run(mut self) -> Result<Answer> {
        let profiles = self.input.take_profiles();
        match (profiles.as_slice(), self.policy.as_slice()) {
            ([from, to], []) => self.profiles(&policy::PolicyArgs::default().reference()?, from, to),
            ([from, to], [one]) => self.profiles(one, from, to),
            ([], [old, new]) => self.policies(old, new),
            ([profile], [old, new]) => {
                self.input.set_profile(profile);
                self.policies(old, new)
            }
            _ => bail!(
                "expected --profile twice or --policy twice, first what is in use, then what is to come; found {} and {}",
                count(profiles.len(), "profile"),
                self.policy.len()
            ),
        }
    }

    fn profiles(&self, reference: &str, from: &str, to: &str) -> Result<Answer> {
        let engine = policy::load(reference)?;
        let catalog = policy::catalog(&engine)?;
        let questions = self.input.questions(&engine)?;
        let (before, after) = (settled::decide(&engine, &questions, from), settled::decide(&engine, &questions, to));
        let impact = Impact::of(&catalog, from, to, &questions, &before, &after);
        print(&report::write(&impact, self.output, self.all)?)?;
        Ok(if impact.changed == 0 { Answer::Fine } else { Answer::Differences })
    }

    fn policies(&self, old: &str, new: &str) -> Result<Answer> {
        let (a, b) = (policy::load(old)?, policy::load(new)?);
        let (known, other) = (policy::catalog(&a)?, policy::catalog(&b)?);
        let questions = self.input.questions(if known.kinds().len() >= other.kinds().len() { &a } else { &b })?;
        let mut text = Vec::new();
        let mut different = 0;
        for question in &questions {
            let snapshot = input::text(question, false);
            let mut differences = Vec::new();
            compare("", &answer(&a, &snapshot), &answer(&b, &snapshot), &mut differences);
            if !differences.is_empty() {
                different += 1;
                let at = printable(question.snapshot["now"].as_str().unwrap_or_default());
                text.push(format!(
                    "{} {}\n",
                    paint(&printable(&question.label()), BOLD),
                    paint(&format!("at {at}"), DIM)
                ));
                text.push(show(differences));
            }
        }
        let versions = format!("{} {} and {} {}", known.name, known.version, other.name, other.version);
        text.push(match different {
            0 => format!("{versions}: the same decisions about {}\n", count(questions.len(), "object")),
            _ => format!("{versions}: other decisions about {different} of {}\n", count(questions.len(), "object")),
        });
        print(&text.concat())?;
        Ok(if different == 0 { Answer::Fine } else { Answer::Differences })
    }
}

/// The decision, or why there is none, which is a decision too.
fn answer(engine: &dyn Engine, snapshot: &str) -> Value {
    match engine.evaluate(snapshot) {
        Ok(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        Err(error) => Value::String(format!("no answer: {error}")),
    }
}

fn show(differences: Vec<Difference>) -> String {
    let mut grid = Grid::new(&["WHAT", "BEFORE…", "AFTER…"]).indented(2);
    for Difference { path, old, new } in differences {
        grid.row([path, old, new].iter().map(|text| plain(printable(text))).collect());
    }
    grid.render(width()) + "\n"
}
