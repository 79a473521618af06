//! `capi-policy explain`.

use super::Answer;
use super::evaluate::{Answers, Output, format};
use super::input::Subjects;
use super::policy;
use crate::render::explanation::explanation;
use crate::render::width;
use anyhow::Result;

const EXAMPLES: &str = "\
Examples:
  capi-policy explain -n prod mhc/workers
  capi-policy explain -f fleet.yaml -f nodes.yaml mhc/workers
  capi-policy explain -f snapshot.json

▶ marks the row that decided, ✗ rows above it whose guard did not hold; the first row that holds decides.";

/// Show how each decision was made: table, deciding row, facts, deadline, and what would flip it
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(flatten)]
    subjects: Subjects,
    /// How to show it
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    output: Output,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let engine = self.subjects.policy.load()?;
        let catalog = policy::catalog(&engine)?;
        self.subjects.input.each(&engine, |questions| {
            let answers = Answers::ask(&engine, questions, true);
            let text = match self.output {
                _ if answers.values.is_empty() => String::new(),
                Output::Table => {
                    let evaluations = answers.evaluations()?;
                    let all: Vec<_> = evaluations.iter().map(|one| explanation(one, &catalog, width())).collect();
                    all.join("\n")
                }
                structured => format(&answers.values, structured)?,
            };
            Ok((text, answers))
        })
    }
}
