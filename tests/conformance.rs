//! The library gives the answers that Cluster API gave: one named test per recorded case.

use capi_policy_corpus::{Case, compare, read_all};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::path::Path;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let trials = read_all(&folder).expect("the corpus").into_iter().filter_map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn trial(case: Case) -> Option<Trial> {
    let computes: BTreeSet<String> = capi_policy::catalog::tables()
        .into_iter()
        .filter(|table| table.kind == case.kind || table.id == "PAUSED")
        .map(|table| table.condition.to_owned())
        .collect();
    if computes.len() == 1 {
        return None;
    }
    Some(Trial::test(case.id.clone(), move || check(&case, &computes)))
}

fn check(case: &Case, computes: &BTreeSet<String>) -> Result<(), Failed> {
    let evaluation = capi_policy::evaluate_json(&case.snapshot().to_string())?;
    let comparison = compare(case, &serde_json::from_str(&evaluation)?, computes);
    if comparison.differences.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = comparison
        .differences
        .iter()
        .map(|d| format!("{}\n  recorded: {}\n  computed: {}", d.path, d.recorded, d.computed))
        .collect();
    Err(lines.join("\n").into())
}
