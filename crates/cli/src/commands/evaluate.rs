//! `capi-policy evaluate`.

use super::Answer;
use super::input::{self, Subjects};
use crate::question::Question;
use crate::render::evaluations::{Detail, table};
use crate::render::grid::RED;
use crate::render::words::printable_strings;
use crate::render::{print, width};
use anyhow::{Context, Result, bail};
use capi_policy_controller::printable::{hidden, printable, printable_json};
use capi_policy_host::Engine;
use capi_policy_host::decision::Evaluation;
use serde::Serialize;
use serde_json::Value;

const EXAMPLES: &str = "\
Examples:
  capi-policy evaluate                        # the namespace that kubectl looks at
  capi-policy evaluate -A --watch
  capi-policy evaluate -n prod machine/md-0-x7k2p
  capi-policy evaluate -f fleet.yaml -f nodes.yaml
  kubectl get machines,machinedeployments -A -o json | capi-policy evaluate -f -
  capi-policy evaluate -f fleet.yaml --profile cluster-api -o json mhc/workers

One object is shown with all its conditions. Of several, conditions that are as they should be are only
counted and long messages are cut, unless --all is given. ROW is the row of the rule table that decided;
`capi-policy explain` shows it.";

/// Evaluate objects and show what was decided
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(flatten)]
    subjects: Subjects,
    /// How to show it
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    output: Output,
    /// Show every condition of every object, and messages in full
    #[arg(short, long)]
    all: bool,
    /// Print the questions instead of the answers: the snapshots that the policy is given, as JSON
    #[arg(long)]
    snapshots: bool,
}

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Output {
    /// For people
    Table,
    /// A list of evaluations
    Json,
    /// The same as YAML
    Yaml,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let engine = self.subjects.policy.load()?;
        if self.snapshots {
            let snapshots: Vec<_> = self.subjects.input.questions(&engine)?.into_iter().map(|q| q.snapshot).collect();
            print(&format(&snapshots, Output::Json)?)?;
            return Ok(Answer::Fine);
        }
        self.subjects.input.each(&engine, |questions| {
            let answers = Answers::ask(&engine, questions, false);
            let text = match self.output {
                _ if answers.values.is_empty() => String::new(),
                Output::Table => {
                    let detail = if self.all || questions.len() == 1 { Detail::Everything } else { Detail::Abnormal };
                    table(&answers.evaluations()?, detail, width())
                }
                structured => format(&answers.values, structured)?,
            };
            Ok((text, answers))
        })
    }
}

/// JSON or YAML.
pub fn format(values: &[Value], output: Output) -> Result<String> {
    Ok(match output {
        Output::Yaml => yaml(&values)?,
        _ => json(values)?,
    })
}

/// JSON for people and programs, without characters that must not reach a terminal.
pub fn json(value: &(impl Serialize + ?Sized)) -> Result<String> {
    Ok(printable_json(&serde_json::to_string_pretty(value)?).into_owned() + "\n")
}

/// YAML. Where it would hold characters that must not reach a terminal, it is written as JSON, which is YAML too.
pub fn yaml(value: &impl Serialize) -> Result<String> {
    let text = serde_saphyr::to_string(value)?;
    if text.contains(|c| hidden(c) && c != '\n') { json(value) } else { Ok(text) }
}

/// What a policy answered to many questions.
pub struct Answers {
    /// Evaluations, in the order of the questions.
    pub values: Vec<Value>,
    failed: Vec<String>,
}

impl Answers {
    /// Asks all questions; one that can't be answered does not keep the others back.
    pub fn ask(engine: &dyn Engine, questions: &[Question], explain: bool) -> Self {
        let mut answers = Self { values: Vec::new(), failed: Vec::new() };
        for question in questions {
            let answer = engine.evaluate(&input::text(question, explain)).map_err(anyhow::Error::from);
            answers.add(question, answer);
        }
        answers
    }

    /// The same for forecasts.
    pub fn foresee(engine: &dyn Engine, questions: &[Question], until: impl Fn(&Question) -> Result<String>) -> Self {
        let mut answers = Self { values: Vec::new(), failed: Vec::new() };
        for question in questions {
            let ask = |until: String| Ok(engine.forecast(&input::text(question, false), &until)?);
            answers.add(question, until(question).and_then(ask));
        }
        answers
    }

    fn add(&mut self, question: &Question, answer: Result<String>) {
        match answer.and_then(|text| serde_json::from_str(&text).context("the policy's answer")) {
            Ok(value) => self.values.push(value),
            Err(error) => self.failed.push(format!("{}: {error:#}", question.label())),
        }
    }

    /// The evaluations, as far as they are shown.
    pub fn evaluations(&self) -> Result<Vec<Evaluation>> {
        let read = |value: &Value| {
            serde_json::from_value(printable_strings(value))
                .context("the policy's answer has another form than expected")
        };
        self.values.iter().map(read).collect()
    }

    /// What could not be answered, for a screen that is drawn again and again.
    pub fn failures(&self) -> String {
        let style = RED;
        let lines = self.failed.iter().map(|failed| format!("{style}error:{style:#} {}\n", printable(failed)));
        lines.collect::<Vec<_>>().concat()
    }

    /// Fine, or an error that names what could not be answered.
    pub fn finish(self) -> Result<Answer> {
        match self.failed.as_slice() {
            [] => Ok(Answer::Fine),
            [one] => bail!("{one}"),
            many => bail!("{} objects could not be evaluated:\n  {}", many.len(), many.join("\n  ")),
        }
    }
}
