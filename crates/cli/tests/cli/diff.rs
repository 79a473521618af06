use crate::command::{NOW, fleet, path, policy, run};
use std::fs;

/// The policy with another text of the same length in it, as a later version might have.
fn changed_policy(folder: &std::path::Path) -> String {
    let mut bytes = fs::read(policy()).expect("the policy");
    let (old, new) = (b"TooManyUnhealthy", b"TooFewAreHealthy");
    let places: Vec<_> =
        bytes.windows(old.len()).enumerate().filter(|(_, window)| window == old).map(|(i, _)| i).collect();
    assert!(!places.is_empty());
    for place in places {
        bytes[place..place + new.len()].copy_from_slice(new);
    }
    let file = folder.join("changed.wasm");
    fs::write(&file, bytes).expect("a file");
    file.display().to_string()
}

#[test]
fn a_policy_decides_as_it_does() {
    run(&["diff", "--policy", &policy(), "--policy", &policy(), "-f", &fleet(), "--now", NOW])
        .says(0, &["the same decisions about 21 objects"]);
}

#[test]
fn each_decision_that_differs_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let changed = changed_policy(folder.path());
    let run = run(&["diff", "--policy", &policy(), "--policy", &changed, "-f", &fleet(), "--now", NOW]);
    run.says(
        1,
        &[
            "MachineHealthCheck prod/blue-gpu",
            "conditions[RemediationAllowed].reason  TooManyUnhealthy  TooFewAreHealthy",
            "other decisions about 1 of 21 objects",
        ],
    );
    assert!(!run.stdout.contains("MachineDeployment"), "{}", run.stdout);
}

#[test]
fn a_corpus_can_be_compared_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let corpus = path("tests/conformance/v1.13/MachineHealthCheck.jsonl.gz");
    run(&["diff", "--policy", &policy(), "--policy", &changed_policy(folder.path()), "-f", &corpus])
        .says(1, &["TooFewAreHealthy", "of 250 objects"]);
}

#[test]
fn two_policies_are_needed() {
    run(&["diff", "--policy", &policy(), "-f", &fleet()]).says(2, &["expected --profile twice or --policy twice"]);
}
