//! `capi-policy history`: why was this machine deleted?

use super::Answer;
use crate::render::print;
use crate::render::words::path;
use anyhow::{Context, Result, bail};
use capi_policy_controller::decision_log_files;
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// Tell what was decided about a machine, from a decision log, also after the machine is gone
#[derive(clap::Args)]
pub struct Options {
    /// The decision log that `watch --decision-log` wrote; rotated files beside it are read too
    #[arg(short, long, value_name = "FILE")]
    file: PathBuf,
    /// The machine, as NAME or NAMESPACE/NAME
    machine: String,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let mut story = Story::new(&self.machine);
        for file in decision_log_files(&self.file) {
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            for line in text.lines() {
                // The last line may be cut short by a crash.
                if let Ok(record) = serde_json::from_str(line) {
                    story.read(&record);
                }
            }
        }
        if story.text.is_empty() {
            bail!("{} has no decision about machine {}", self.file.display(), self.machine);
        }
        print(&format!("Machine {}\n{}", self.machine, story.text))?;
        Ok(Answer::Fine)
    }
}

/// What has been told so far.
struct Story<'a> {
    namespace: Option<&'a str>,
    machine: &'a str,
    text: String,
    /// The last verdict, so that only changes are told.
    verdict: String,
    conditions: Vec<(String, String)>,
}

impl<'a> Story<'a> {
    fn new(machine: &'a str) -> Self {
        let (namespace, machine) = machine.split_once('/').map_or((None, machine), |(n, m)| (Some(n), m));
        Self { namespace, machine, text: String::new(), verdict: String::new(), conditions: Vec::new() }
    }

    fn read(&mut self, record: &Value) {
        if self.namespace.is_none_or(|namespace| record["namespace"] == *namespace) {
            let lines = if record["kind"] == "Machine" && record["name"] == *self.machine {
                self.conditions(&record["conditions"])
            } else {
                let judged = list(&record["machines"]).find(|judged| judged["name"] == *self.machine).cloned();
                judged.map(|judged| self.judged(record, &judged)).unwrap_or_default()
            };
            let lines = lines + &self.written(record);
            if !lines.is_empty() {
                let who = path(text(&record["namespace"]), text(&record["name"]));
                let (time, kind, id) = (text(&record["time"]), text(&record["kind"]), text(&record["id"]));
                let _ = write!(self.text, "\n{time}  {kind} {who}  (decision {id})\n{lines}");
            }
        }
    }

    /// What a health check says about the machine.
    fn judged(&mut self, record: &Value, judged: &Value) -> String {
        let mut lines = String::new();
        let verdict = format!("{} {}", text(&judged["verdict"]), text(&judged["cause"]));
        if verdict != self.verdict {
            let _ = writeln!(lines, "  judged {} by row {}", verdict.trim_end(), text(&judged["row"]));
            if let Some(deadline) = judged["deadline"].as_str().filter(|_| judged["verdict"] == "waiting") {
                let _ = writeln!(lines, "  unhealthy from {deadline} on, if nothing changes");
            }
            if judged["verdict"] == "unhealthy" {
                let threshold = &record["threshold"];
                let allowed = if threshold["allowed"] == true { "allowed" } else { "not allowed" };
                let _ = writeln!(
                    lines,
                    "  remediation {allowed}: {} of {} machines not healthy, limit {}",
                    threshold["counted"], threshold["targets"], threshold["limit"]
                );
            }
            self.verdict = verdict;
        }
        lines + &self.conditions(&judged["conditions"])
    }

    /// Conditions that say something new.
    fn conditions(&mut self, conditions: &Value) -> String {
        let mut lines = String::new();
        for condition in list(conditions) {
            let kind = text(&condition["type"]).to_owned();
            let message = text(&condition["message"]).replace('\n', "\n      ");
            let said = format!("{} {} {message}", text(&condition["status"]), text(&condition["reason"]));
            let known = self.conditions.iter_mut().find(|(known, _)| *known == kind);
            if known.as_ref().is_some_and(|(_, before)| *before == said) {
                continue;
            }
            let _ = writeln!(lines, "  {kind}: {} (row {})", said.trim_end(), text(&condition["row"]));
            match known {
                Some((_, before)) => *before = said,
                None => self.conditions.push((kind, said)),
            }
        }
        lines
    }

    /// What was done about the machine.
    fn written(&self, record: &Value) -> String {
        let object = |written: &Value| text(&written["object"]).rsplit('/').next().unwrap_or_default().to_owned();
        let about = |written: &&Value| written["what"] != "apply" && object(written) == self.machine;
        let mut lines = String::new();
        for written in list(&record["written"]).filter(about) {
            let (what, result) = (text(&written["what"]), text(&written["result"]));
            let _ = writeln!(lines, "  {what} {}: {result} {}", text(&written["object"]), text(&written["detail"]));
        }
        lines
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
