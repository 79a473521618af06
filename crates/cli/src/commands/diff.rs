//! `capi-policy diff`.

use super::Answer;
use super::input::{self, InputArgs};
use super::policy;
use crate::render::grid::{BOLD, DIM, Grid, paint, plain};
use crate::render::words::count;
use crate::render::{print, width};
use anyhow::{Result, bail};
use capi_policy_host::Engine;
use serde_json::Value;
use std::collections::BTreeSet;

const EXAMPLES: &str = "\
Examples:
  capi-policy diff --policy old.wasm --policy new.wasm -f fleet.yaml
  capi-policy diff --policy oci://registry.example/capi-policy:0.1.0 --policy dist/capi_policy.wasm \\
    -f tests/conformance/v1.14/Machine.jsonl.gz

Exit code 1 when any decision differs.";

/// Compare the decisions of two policies on the same objects, before one replaces the other
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The policies: first the one in use, then the one to come
    #[arg(long, required = true, value_name = "FILE|oci://…")]
    policy: Vec<String>,
    #[command(flatten)]
    input: InputArgs,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let [old, new] = self.policy.as_slice() else {
            bail!(
                "expected --policy twice, first the policy in use, then the one to come; found {}",
                self.policy.len()
            );
        };
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
                let at = question.snapshot["now"].as_str().unwrap_or_default();
                text.push(format!("{} {}\n", paint(&question.label(), BOLD), paint(&format!("at {at}"), DIM)));
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

/// One value that differs.
struct Difference {
    path: String,
    old: String,
    new: String,
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
        grid.row(vec![plain(path), plain(old), plain(new)]);
    }
    grid.render(width()) + "\n"
}

fn compare(path: &str, old: &Value, new: &Value, differences: &mut Vec<Difference>) {
    match (old, new) {
        _ if old == new => {}
        (Value::Object(a), Value::Object(b)) => {
            let fields: BTreeSet<_> = a.keys().chain(b.keys()).collect();
            for field in fields {
                let path = if path.is_empty() { field.clone() } else { format!("{path}.{field}") };
                compare(&path, &old[field], &new[field], differences);
            }
        }
        (Value::Array(a), Value::Array(b)) => match (names(a), names(b)) {
            (Some(in_a), Some(in_b)) => {
                let all: BTreeSet<_> = in_a.iter().chain(&in_b).collect();
                for name in all {
                    let find = |names: &[String], list: &[Value]| {
                        names.iter().position(|n| n == name).and_then(|i| list.get(i).cloned()).unwrap_or_default()
                    };
                    compare(&format!("{path}[{name}]"), &find(&in_a, a), &find(&in_b, b), differences);
                }
            }
            _ => differences.push(Difference { path: path.to_owned(), old: text(old), new: text(new) }),
        },
        _ => differences.push(Difference { path: path.to_owned(), old: text(old), new: text(new) }),
    }
}

/// What the items of a list are called, where all have names of their own.
fn names(list: &[Value]) -> Option<Vec<String>> {
    let name = |item: &Value| {
        let parts = ["type", "name", "machine"].iter().filter_map(|field| item[field].as_str());
        Some(parts.collect::<Vec<_>>().join(" ")).filter(|name| !name.is_empty())
    };
    let all: Vec<String> = list.iter().map(name).collect::<Option<_>>()?;
    (all.iter().collect::<BTreeSet<_>>().len() == all.len()).then_some(all)
}

/// A value in a cell: conditions in a line, everything else as JSON.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Object(fields) if fields.contains_key("reason") && fields.contains_key("status") => {
            let field = |name: &str| value[name].as_str().unwrap_or_default();
            format!("{} {} {}", field("status"), field("reason"), field("message")).trim_end().to_owned()
        }
        other => other.to_string(),
    }
}
