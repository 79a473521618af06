//! `tests/cases/**.yaml`: one named test per case, and one per row of every table, so that a row no case reaches fails.
//! `tests/cases/**.facts`: what the explanations of these cases show to people; `ACCEPT_FACTS=1` writes them.

mod case_file;

use capi_policy::catalog;
use case_file::{Case, CaseFile, Want};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = case_file::read_all(&folder);
    let covered: BTreeSet<String> = files.iter().flat_map(|file| &file.cases).filter_map(|c| c.row.clone()).collect();
    let mut trials: Vec<_> = files.iter().map(|file| facts_trial(&folder, file)).collect();
    let fields = Arc::new(fields(&files));
    trials.extend(files.into_iter().flat_map(|file| case_trials(file, &fields)));
    for table in catalog::tables() {
        for row in table.rows {
            let reached = covered.contains(row.id);
            trials.push(Trial::test(format!("row {} decides a case", row.id), move || {
                if reached { Ok(()) } else { Err("no case in tests/cases has this row".into()) }
            }));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// The paths of the fields that evaluations have: a case that wants another one is mistaken.
fn fields(files: &[CaseFile]) -> BTreeSet<String> {
    let cases = files.iter().flat_map(|file| &file.cases);
    let evaluations = cases.filter_map(|case| capi_policy::evaluate_json(&case.snapshot().to_string()).ok());
    let objects = evaluations.filter_map(|text| serde_json::from_str::<Map<String, Value>>(&text).ok());
    objects.flat_map(|evaluation| paths(&evaluation)).collect()
}

/// The path of every field, whatever its depth: `machines.conditions.reason`.
fn paths(object: &Map<String, Value>) -> BTreeSet<String> {
    let below = |value: &Value| match value {
        Value::Object(inner) => paths(inner),
        Value::Array(items) => items.iter().filter_map(Value::as_object).flat_map(paths).collect(),
        _ => BTreeSet::new(),
    };
    let with_inner = |(field, value): (&String, &Value)| {
        let inner = below(value).into_iter().map(|path| format!("{field}.{path}"));
        inner.chain([field.clone()]).collect::<Vec<_>>()
    };
    object.iter().flat_map(with_inner).collect()
}

/// Conditions that are wanted without status, reason or message: a rule that got these wrong would pass.
fn incomplete_conditions(field: &str, wanted: &Value) -> Vec<String> {
    let inner = match wanted {
        Value::Object(object) => object.iter().flat_map(|(field, value)| incomplete_conditions(field, value)).collect(),
        Value::Array(items) => items.iter().flat_map(|item| incomplete_conditions("", item)).collect(),
        _ => Vec::new(),
    };
    let conditions = wanted.as_array().filter(|_| field.ends_with("onditions")).into_iter().flatten();
    let typed = conditions.filter(|condition| condition["type"].is_string());
    let lacking = typed.flat_map(|condition| {
        let lacks = |field: &&str| condition[*field].is_null();
        let fields = ["status", "reason", "message"].into_iter().filter(lacks);
        fields.map(|field| format!("{field} of the wanted condition {} is missing", condition["type"]))
    });
    lacking.chain(inner).collect()
}

fn case_trials(file: CaseFile, fields: &Arc<BTreeSet<String>>) -> Vec<Trial> {
    let name = file.name.clone();
    let fields = Arc::clone(fields);
    file.cases
        .into_iter()
        .map(move |case| {
            let title = format!("{name}: {}", case.note);
            let fields = Arc::clone(&fields);
            Trial::test(title, move || check(&case.snapshot(), case.row.as_deref(), &case.want, &fields))
        })
        .collect()
}

fn facts_trial(folder: &Path, file: &CaseFile) -> Trial {
    let now: String = file.cases.iter().map(facts).collect();
    let path = folder.join(&file.name).with_extension("facts");
    Trial::test(format!("{}: facts", file.name), move || {
        if std::env::var_os("ACCEPT_FACTS").is_some() {
            return Ok(std::fs::write(&path, now)?);
        }
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        let (mut known, mut now) = (known.lines(), now.lines());
        loop {
            match (known.next(), now.next()) {
                (None, None) => return Ok(()),
                (was, is) if was == is => {}
                (was, is) => return Err(format!("was {was:?}, is {is:?}; ACCEPT_FACTS=1 accepts all that is").into()),
            }
        }
    })
}

/// What the deciding table of a case looked at.
fn facts(case: &Case) -> String {
    let Some((table, _)) = case.row.as_ref().and_then(|row| row.rsplit_once('-')) else { return String::new() };
    let evaluation: Value = match capi_policy::evaluate_json(&case.snapshot().to_string()) {
        Ok(evaluation) => serde_json::from_str(&evaluation).expect("JSON"),
        Err(error) => return format!("{}: {error}\n", case.note),
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let explanations = evaluation["explanations"].as_array().into_iter().flatten();
    let lines = explanations.filter(|explanation| explanation["table"] == table).map(|explanation| {
        let facts = explanation["facts"].as_array().into_iter().flatten();
        let facts: Vec<_> = facts.map(|fact| format!("{}: {}", text(&fact["name"]), fact["value"])).collect();
        let row = [text(&explanation["machine"]), text(&explanation["row"])].join(" ");
        format!("  {}: {}\n", row.trim(), facts.join(", "))
    });
    [format!("{}\n", case.note)].into_iter().chain(lines).collect()
}

fn check(snapshot: &Value, row: Option<&str>, want: &Want, fields: &BTreeSet<String>) -> Result<(), Failed> {
    let answer = capi_policy::evaluate_json(&snapshot.to_string());
    let evaluation: Value = match (&want.error, answer) {
        (Some(wanted), Err(error)) if error.to_string() == *wanted => return Ok(()),
        (Some(wanted), Err(error)) => return Err(format!("error\n  wanted: {wanted}\n  got:    {error}").into()),
        (Some(wanted), Ok(_)) => return Err(format!("wanted the error {wanted:?}, got an evaluation").into()),
        (None, answer) => serde_json::from_str(&answer?)?,
    };
    let unknown = paths(&want.evaluation).into_iter().filter(|field| !fields.contains(field));
    let mut differences: Vec<_> =
        unknown.map(|field| format!("no evaluation has a field {field}, so nothing would be compared")).collect();
    for (field, wanted) in &want.evaluation {
        differences.extend(incomplete_conditions(field, wanted));
        case_file::differences(field, wanted, &evaluation[field], &mut differences);
    }
    if let Some(row) = row {
        let decided = case_file::rows(&evaluation);
        if !decided.contains(row) {
            differences.push(format!("row {row} did not decide; these did: {decided:?}"));
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n").into()) }
}
