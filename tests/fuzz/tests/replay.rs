//! Every saved input once more, and a moment of fuzzing so that the targets themselves keep working.

use capi_policy_fuzz::driver::{self, Limit};
use capi_policy_fuzz::{TARGETS, here, saved};

/// Of each target. So many, and no time: a test that tries other inputs on another machine could fail there first.
const EXECUTIONS: u64 = 300;

#[test]
fn saved_inputs_break_no_promise() {
    for target in TARGETS {
        for (name, input) in saved(target.name) {
            assert_eq!(driver::tried(target, &input), Ok(()), "{}/{name}", target.name);
        }
    }
}

#[test]
fn every_target_has_saved_inputs_and_every_saved_input_a_target() {
    for target in TARGETS {
        assert!(!saved(target.name).is_empty(), "corpus/{} is empty", target.name);
    }
    for folder in here().join("corpus").read_dir().expect("the corpus") {
        let name = folder.expect("an entry").file_name();
        assert!(TARGETS.iter().any(|target| *target.name == *name), "corpus/{} has no target", name.display());
    }
}

#[test]
fn a_few_mutants_of_each_target_find_nothing() {
    for target in TARGETS {
        let seeds: Vec<_> = saved(target.name).into_iter().map(|(_, input)| input).collect();
        let report = driver::run(target, &seeds, Limit::Executions(EXECUTIONS), 1);
        assert!(report.findings.is_empty(), "{}: {:?}", target.name, report.findings);
    }
}

#[test]
fn a_broken_promise_is_found() {
    let broken = capi_policy_fuzz::Target { name: "broken", run: |input| assert!(input.len() < 3, "long"), text: true };
    let report = driver::run(&broken, &[b"long".to_vec()], Limit::Executions(1_000), 1);
    let (input, said) = report.findings.first().expect("a finding");
    assert!(input.len() >= 3 && said.contains("long"), "{said}");
}
