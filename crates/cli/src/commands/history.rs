//! `capi-policy history`: why was this machine deleted?

use super::Answer;
use crate::render::print;
use crate::render::words::{path, printable_strings};
use anyhow::{Context, Result, bail};
use capi_policy_controller::decision_log_files;
use capi_policy_controller::printable::printable;
use jiff::Timestamp;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Tell what was decided about a machine, from decision logs, also after the machine is gone
#[derive(clap::Args)]
pub struct Options {
    /// The decision log that `watch --decision-log` wrote; rotated files beside it are read too; may be repeated, one for
    /// each replica
    #[arg(short, long = "file", required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The machine, as NAME or NAMESPACE/NAME
    machine: String,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let mut story = Story::new(&self.machine);
        let mut records: Vec<Value> = Vec::new();
        for file in self.files.iter().flat_map(|file| decision_log_files(file)) {
            read(&file, story.machine, &mut records).with_context(|| file.display().to_string())?;
        }
        let time = |record: &Value| record["time"].as_str().and_then(|time| time.parse::<Timestamp>().ok());
        records.sort_by_key(time);
        for record in &records {
            story.read(&indented(printable_strings(record)));
        }
        story.end();
        if story.text.is_empty() {
            let files: Vec<_> = self.files.iter().map(|file| file.display().to_string()).collect();
            bail!("{} has no decision about machine {}", files.join(", "), self.machine);
        }
        print(&format!("Machine {}\n{}", printable(&self.machine), story.text))?;
        Ok(Answer::Fine)
    }
}

/// Reads the records of a log that may be about a machine: all of them would not fit into memory.
fn read(file: &Path, machine: &str, records: &mut Vec<Value>) -> io::Result<()> {
    for line in BufReader::new(File::open(file)?).split(b'\n') {
        let line = line?;
        // The last line may be cut short by a crash, within a character too.
        let line = String::from_utf8_lossy(&line);
        if line.contains(machine) || line.contains("\"record\":\"result\"") {
            records.extend(serde_json::from_str::<Value>(&line).ok());
        }
    }
    Ok(())
}

/// What has been told so far.
struct Story<'a> {
    namespace: Option<&'a str>,
    machine: &'a str,
    text: String,
    /// The last verdict, so that only changes are told.
    verdict: String,
    conditions: Vec<(String, String)>,
    /// What was about to be done, by id, and has no result yet.
    intents: BTreeMap<String, String>,
    /// Results that the decision's own record repeats.
    told: BTreeSet<String>,
}

impl<'a> Story<'a> {
    fn new(machine: &'a str) -> Self {
        let (namespace, machine) = machine.split_once('/').map_or((None, machine), |(n, m)| (Some(n), m));
        Self {
            namespace,
            machine,
            text: String::new(),
            verdict: String::new(),
            conditions: Vec::new(),
            intents: BTreeMap::new(),
            told: BTreeSet::new(),
        }
    }

    fn read(&mut self, record: &Value) {
        if self.namespace.is_some_and(|namespace| record["namespace"] != *namespace) {
            return;
        }
        let (lines, what) = match text(&record["record"]) {
            "intent" if self.is_about(record) => (self.intent(record), "intent"),
            "result" if self.intents.remove(text(&record["intent"])).is_some() => {
                let line = outcome(record);
                self.told.insert(line.clone());
                (line, "result")
            }
            "intent" | "result" => return,
            _ => (self.decision(record), "decision"),
        };
        if !lines.is_empty() {
            let who = path(text(&record["namespace"]), text(&record["name"]));
            let (time, kind, id) = (text(&record["time"]), text(&record["kind"]), text(&record["id"]));
            let _ = write!(self.text, "\n{time}  {kind} {who}  ({what} {id})\n{lines}");
        }
    }

    /// What has no result by now has none.
    fn end(&mut self) {
        for line in self.intents.values() {
            let _ = write!(self.text, "\n  {line}: no result is recorded, so it may have been done or not\n");
        }
    }

    /// Something is about to be done about the machine, and why.
    fn intent(&mut self, record: &Value) -> String {
        let line = format!("{} {}", text(&record["what"]), text(&record["object"]));
        self.intents.insert(text(&record["id"]).to_owned(), line.clone());
        let why = &record["why"];
        let judged = if why["machine"].is_object() { &why["machine"] } else { why };
        let reasons = if judged.is_object() { self.judged(why, &judged.clone()) } else { String::new() };
        format!("{reasons}  about to {line}\n")
    }

    fn decision(&mut self, record: &Value) -> String {
        let lines = if record["kind"] == "Machine" && record["name"] == *self.machine {
            self.conditions(&record["conditions"])
        } else {
            let judged = list(&record["machines"]).find(|judged| judged["name"] == *self.machine).cloned();
            judged.map(|judged| self.judged(record, &judged)).unwrap_or_default()
        };
        lines + &self.written(record)
    }

    fn is_about(&self, record: &Value) -> bool {
        text(&record["object"]).rsplit('/').next() == Some(self.machine)
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
            let [status, reason, message] = ["status", "reason", "message"].map(|field| text(&condition[field]));
            let said = format!("{status} {reason} {message}");
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
    fn written(&mut self, record: &Value) -> String {
        let about = list(&record["written"]).filter(|written| written["what"] != "apply" && self.is_about(written));
        let lines: Vec<String> = about.map(outcome).collect();
        lines.into_iter().filter(|line| !self.told.remove(line)).collect()
    }
}

/// What came of something.
fn outcome(written: &Value) -> String {
    let part = |field: &str| text(&written[field]);
    format!("  {} {}: {} {}\n", part("what"), part("object"), part("result"), part("detail"))
}

/// Lines within a text stay below it: none may look like a record of its own.
fn indented(value: Value) -> Value {
    match value {
        Value::String(text) => text.replace('\n', "\n      ").into(),
        Value::Array(items) => items.into_iter().map(indented).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, indented(value))).collect(),
        other => other,
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Story, indented, read};
    use crate::render::words::printable_strings;
    use serde_json::json;
    use std::fs;

    #[test]
    fn a_log_that_a_crash_has_cut_within_a_character_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("decisions.jsonl");
        let mut text = b"{\"name\":\"m1\"}\n{\"name\":\"m2\"}\nnonsense about m1\n{\"name\":\"m1 \xc3".to_vec();
        fs::write(&path, &text).expect("a file");
        let mut records = Vec::new();
        read(&path, "m1", &mut records).expect("a log");
        assert_eq!(records, [json!({ "name": "m1" })]);
        text.extend(b"\xbc\"}");
        fs::write(&path, &text).expect("a file");
        read(&path, "m1", &mut records).expect("a log");
        assert_eq!(records[1..], [json!({ "name": "m1" }), json!({ "name": "m1 \u{fc}" })]);
    }

    #[test]
    fn no_text_looks_like_a_record() {
        let detail = "no\n2026-01-01T00:00:00Z  Machine ns/m1  (decision 0)\n\u{1b}]8;;https://evil\u{7}x";
        let written =
            json!({ "what": "deleteMachine", "object": "Machine ns/m1", "result": "invalid", "detail": detail });
        let condition = json!({ "type": "Ready", "status": "True", "reason": "a\nb", "message": "c\n\u{9b}2Jd" });
        let record = json!({
            "time": "2026-02-02T00:00:00Z", "kind": "Machine", "namespace": "ns", "name": "m1", "id": "1",
            "conditions": [condition], "written": [written],
        });
        let mut story = Story::new("ns/m1");
        story.read(&indented(printable_strings(&record)));
        let records: Vec<_> = story.text.lines().filter(|line| !line.starts_with(' ') && !line.is_empty()).collect();
        assert_eq!(records, ["2026-02-02T00:00:00Z  Machine ns/m1  (decision 1)"], "{}", story.text);
        assert!(!story.text.contains(['\u{1b}', '\u{9b}', '\u{7}']), "{}", story.text);
    }
}
