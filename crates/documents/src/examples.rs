//! One real example for each row: a case of `tests/cases`, what is decided about it, and when time alone changes that.

use crate::cases::{Case, CaseFile};
use crate::markdown::{cell, table};
use capi_policy::table::TableDescription;
use capi_policy::text::go_duration;
use capi_policy::time::Time;
use capi_policy::{evaluate_json, forecast_json};
use serde_json::Value;
use std::path::Path;

/// The cases of the project.
pub struct Examples {
    cases: Vec<Case>,
}

/// How far ahead an example is followed.
const HORIZON: &str = "2100-01-01T00:00:00Z";

impl Examples {
    /// Reads `tests/cases` below the folder of the project.
    ///
    /// # Panics
    ///
    /// When a file there holds no cases.
    pub fn read(root: &Path) -> Self {
        let files = CaseFile::read_all(&root.join("tests/cases"));
        Self { cases: files.into_iter().flat_map(|file| file.cases).collect() }
    }

    /// The examples of a table.
    pub fn of(&self, description: &TableDescription) -> String {
        let lines = description.rows.iter().filter_map(|row| {
            let of_row = || self.cases.iter().filter(|case| case.row.as_deref() == Some(row.id));
            let case = of_row().find(|case| !case.want.contains_key("invalid")).or_else(|| of_row().next())?;
            let (outcome, next) = case.decide(description.condition, row.id);
            let profile = case.input.get("profile").and_then(Value::as_str);
            let note = profile.map_or(case.note.clone(), |profile| format!("{} ({profile})", case.note));
            Some(vec![row.id.to_owned(), cell(&note), cell(&outcome), next])
        });
        table(&["row", "example", "outcome", "time alone changes it"], lines)
    }
}

impl Case {
    fn decide(&self, condition: &str, row: &str) -> (String, String) {
        let snapshot = self.snapshot().to_string();
        let evaluation: Value = match evaluate_json(&snapshot) {
            Ok(text) => serde_json::from_str(&text).unwrap_or_default(),
            Err(error) => return (error.to_string(), String::new()),
        };
        (outcome(&evaluation, row), next_change(&snapshot, &evaluation, condition, row))
    }
}

/// The first moment at which the condition that the row decided changes without anything else changing.
fn next_change(snapshot: &str, evaluation: &Value, condition: &str, row: &str) -> String {
    let Ok(forecast) = forecast_json(snapshot, HORIZON) else { return String::new() };
    let forecast: Value = serde_json::from_str(&forecast).unwrap_or_default();
    let machine = machine_of(evaluation, row);
    for moment in forecast["moments"].as_array().into_iter().flatten() {
        for change in moment["changes"].as_array().into_iter().flatten() {
            let about = |name: &str| change["what"] == name && (machine.is_empty() || change["subject"] == *machine);
            if about(condition) {
                let to = change["row"].as_str().unwrap_or_default();
                let at = moment["at"].as_str().and_then(Time::parse);
                let now = evaluation["now"].as_str().and_then(Time::parse);
                let left = at.zip(now).map_or(0, |(at, now)| at.since(now));
                return format!("after {}: {to}", go_duration(left));
            }
        }
    }
    String::new()
}

/// What the row set or did, in one line.
fn outcome(evaluation: &Value, row: &str) -> String {
    let of_machines = evaluation["machines"].as_array().into_iter().flatten();
    let conditions = of_machines.clone().chain([evaluation]).filter_map(|object| object["conditions"].as_array());
    if let Some(condition) = conditions.flatten().find(|condition| condition["row"] == row) {
        let text = |field: &str| condition[field].as_str().unwrap_or_default().to_owned();
        let message = text("message");
        let line = format!("{}={} {}", text("type"), text("status"), text("reason"));
        return if message.is_empty() { line } else { format!("{line}: {message}") };
    }
    let machine = machine_of(evaluation, row);
    let verdict = of_machines.clone().find(|m| m["name"] == *machine || m["remediationRow"] == row);
    let actions = evaluation["actions"].as_array().into_iter().flatten().filter(|action| {
        let about = [&action["machine"], &action["name"]];
        !machine.is_empty() && about.iter().any(|name| **name == *machine)
    });
    let actions: Vec<_> = actions.filter_map(|action| action["type"].as_str()).collect();
    let verdict = verdict.and_then(|machine| machine["verdict"].as_str());
    let error = evaluation["error"].as_str().map(|error| format!("error: {error}"));
    let about = verdict.map(|verdict| format!("Machine {machine} is {verdict}"));
    let done = (!actions.is_empty()).then(|| actions.join(", "));
    [about, done, error].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The machine that a row decided about, for rows that are about machines.
fn machine_of(evaluation: &Value, row: &str) -> String {
    let mut explanations = evaluation["explanations"].as_array().into_iter().flatten();
    let found = explanations.find(|explanation| explanation["row"] == row);
    found.and_then(|explanation| explanation["machine"].as_str()).unwrap_or_default().to_owned()
}
