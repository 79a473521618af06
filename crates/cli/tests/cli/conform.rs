use crate::command::{path, run};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

fn corpus(kind: &str) -> String {
    path(&format!("tests/conformance/v1.14/{kind}.jsonl.gz"))
}

fn lines(kind: &str, number: usize) -> Vec<String> {
    let file = File::open(corpus(kind)).expect("the corpus");
    BufReader::new(flate2::read::MultiGzDecoder::new(file))
        .lines()
        .take(number)
        .map(|line| line.expect("a line"))
        .collect()
}

fn write(folder: &Path, lines: &[String]) -> String {
    let path = folder.join("cases.jsonl");
    let mut file = File::create(&path).expect("a file");
    for line in lines {
        writeln!(file, "{line}").expect("a line");
    }
    path.display().to_string()
}

#[test]
fn the_component_agrees_with_the_whole_corpus_of_both_releases() {
    let run = run(&["conform", "--profile", "cluster-api-v1.13", &path("tests/conformance/v1.13")]);
    assert_eq!((run.code, run.stdout.lines().last()), (Some(0), Some("1500 passed, 0 failed")), "{}", run.stdout);
    let newest = crate::command::run(&["conform", &path("tests/conformance/v1.14")]);
    let last = newest.stdout.lines().last().unwrap_or_default();
    assert!(newest.code == Some(0) && last.ends_with(" passed, 0 failed"), "{}", newest.stdout);
}

#[test]
fn the_library_can_be_asked_instead() {
    let run = run(&["conform", &path("tests/conformance/v1.14/Machine.jsonl.gz"), "--engine", "native", "-j", "1"]);
    assert_eq!((run.code, &*run.stdout), (Some(0), "250 passed, 0 failed\n"));
}

#[test]
fn a_case_that_differs_is_shown_and_fails_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut lines = lines("MachineDeployment", 3);
    let mut case: serde_json::Value = serde_json::from_str(&lines[1]).expect("a case");
    let id = case["id"].as_str().expect("an id").to_owned();
    case["expected"]["conditions"][0]["reason"] = "SomethingElse".into();
    lines[1] = case.to_string();
    let run = run(&["conform", &write(folder.path(), &lines)]);
    run.says(1, &[&format!("✗ {id}"), "conditions[Available].reason", "- SomethingElse"]);
    assert_eq!(run.stdout.lines().last(), Some("2 passed, 1 failed"));
}

#[test]
fn families_and_conditions_that_are_not_compared_fail_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut lines = lines("MachineSet", 2);
    lines.push(
        r#"{"id":"p-1","kind":"MachinePlan","now":"2026-01-01T00:00:00Z","input":{},"expected":{"conditions":[]}}"#
            .to_owned(),
    );
    let mut case: serde_json::Value = serde_json::from_str(&lines[0]).expect("a case");
    case["expected"]["conditions"]
        .as_array_mut()
        .expect("conditions")
        .push(serde_json::json!({ "type": "Levitating", "status": "True" }));
    lines[0] = case.to_string();
    let run = run(&["conform", &write(folder.path(), &lines)]);
    run.says(1, &["MachinePlan: a family that can't be compared", "conditions[Levitating]"]);
    assert_eq!(run.stdout.lines().last(), Some("1 passed, 2 failed"));
}

#[test]
fn a_case_that_cannot_be_evaluated_fails_and_the_others_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut lines = lines("Machine", 2);
    lines.push(
        r#"{"id":"m-1","kind":"Machine","now":"yesterday","input":{"machine":{}},"expected":{"conditions":[]}}"#
            .to_owned(),
    );
    run(&["conform", &write(folder.path(), &lines)])
        .says(1, &["✗ m-1", "no answer: now: expected RFC 3339", "2 passed, 1 failed"]);
}

#[test]
fn what_is_no_corpus_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let broken = write(folder.path(), &["{".to_owned()]);
    run(&["conform", &broken]).says(2, &["cases.jsonl:1"]);
    run(&["conform", &path("Cargo.toml")]).says(2, &["expected a corpus, a file that ends in .jsonl or .jsonl.gz"]);
    run(&["conform", "nowhere.jsonl"]).says(2, &["nowhere.jsonl"]);
}
