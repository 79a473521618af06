//! `tests/cases/**.yaml`: one named test per case, and one per row of every table, so that a row no case reaches fails.

mod case_file;

use capi_policy::catalog;
use case_file::{CaseFile, Want};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = case_file::read_all(&folder);
    let covered: BTreeSet<String> = files.iter().flat_map(|file| &file.cases).filter_map(|c| c.row.clone()).collect();
    let mut trials: Vec<_> = files.into_iter().flat_map(case_trials).collect();
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

fn case_trials(file: CaseFile) -> Vec<Trial> {
    let name = file.name.clone();
    file.cases
        .into_iter()
        .map(move |case| {
            let title = format!("{name}: {}", case.note);
            Trial::test(title, move || check(&case.snapshot(), case.row.as_deref(), &case.want))
        })
        .collect()
}

fn check(snapshot: &Value, row: Option<&str>, want: &Want) -> Result<(), Failed> {
    let answer = capi_policy::evaluate_json(&snapshot.to_string());
    let evaluation: Value = match (&want.error, answer) {
        (Some(wanted), Err(error)) if error.to_string() == *wanted => return Ok(()),
        (Some(wanted), Err(error)) => return Err(format!("error\n  wanted: {wanted}\n  got:    {error}").into()),
        (Some(wanted), Ok(_)) => return Err(format!("wanted the error {wanted:?}, got an evaluation").into()),
        (None, answer) => serde_json::from_str(&answer?)?,
    };
    let mut differences = Vec::new();
    for (field, wanted) in &want.evaluation {
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
