//! `capi-policy forecast`.

use super::Answer;
use super::evaluate::{Answers, Output, format};
use super::input::Subjects;
use super::moment;
use crate::render::bars::{nothing, timeline};
use crate::render::width;
use crate::render::words::printable_strings;
use anyhow::{Context, Result};
use capi_policy_host::decision::Forecast;

const EXAMPLES: &str = "\
Examples:
  capi-policy forecast -A --until 1h
  capi-policy forecast -f fleet.yaml -f nodes.yaml
  capi-policy forecast -f fleet.yaml -f nodes.yaml --until 2026-01-15T18:00:00Z mhc
  capi-policy forecast -f snapshot.json --until 7d -o json";

/// Show the decisions to come if nothing but time changes
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(flatten)]
    subjects: Subjects,
    /// How far to look: a duration like 90m, 2h, 7d, or a time
    #[arg(long, default_value = "2h", value_name = "DURATION|TIME")]
    until: String,
    /// How to show it
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    output: Output,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        moment::parse_until(&self.until, moment::present())?;
        let engine = self.subjects.policy.load()?;
        self.subjects.input.each(&engine, |questions| {
            let answers = Answers::foresee(&engine, questions, |question| {
                let now = moment::parse(question.snapshot["now"].as_str().unwrap_or_default())?;
                Ok(moment::parse_until(&self.until, now)?.to_string())
            });
            let text = match self.output {
                _ if answers.values.is_empty() => String::new(),
                Output::Table => {
                    let read =
                        |value| serde_json::from_value(printable_strings(value)).context("the policy's forecast");
                    show(&answers.values.iter().map(read).collect::<Result<Vec<Forecast>>>()?)
                }
                structured => format(&answers.values, structured)?,
            };
            Ok((text, answers))
        })
    }
}

fn show(forecasts: &[Forecast]) -> String {
    let (quiet, moving): (Vec<_>, Vec<_>) = forecasts.iter().partition(|forecast| forecast.moments.is_empty());
    let mut parts: Vec<_> = moving.into_iter().map(|forecast| timeline(forecast, width())).collect();
    parts.push(nothing(&quiet));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}
