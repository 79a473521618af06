//! Limits that the host keeps, and what it does where the machine has little to give.

mod policies;

use capi_policy_host::{Engine, EngineError, ErrorCode, Limits, PolicyEngine};
use policies::{SNAPSHOT, load_hostile, load_real, real, uncached};
use std::process::Command;
use std::thread;

#[test]
fn a_snapshot_that_is_too_large_is_refused_before_it_is_copied() {
    let limits = Limits { snapshot_bytes: 50, ..Limits::default() };
    let engine = PolicyEngine::load(real(), &uncached(limits)).expect("the policy");
    let error = engine.evaluate(SNAPSHOT).expect_err("too large");
    assert!(matches!(&error, EngineError::Malformed { code, .. } if *code == ErrorCode::TooLarge), "{error:?}");
    assert_eq!(error.to_string(), format!("snapshot: expected at most 50 bytes, found {}", SNAPSHOT.len()));
}

#[test]
fn a_snapshot_as_deep_as_is_allowed_fits_the_policys_stack() {
    let deep = |levels: usize| {
        let (open, close) = (r#"{"a":"#.repeat(levels), "}".repeat(levels));
        format!(
            r#"{{"now":"2025-01-01T00:00:00Z","machineHealthCheck":{{"metadata":{{"name":"mhc"}}}},"remediationTemplate":{{"spec":{{"template":{{"spec":{open}1{close}}}}}}}}}"#
        )
    };
    let engine = load_real();
    engine.evaluate(&deep(95)).expect("a decision");
    let error = engine.evaluate(&deep(200)).expect_err("too deep");
    assert!(matches!(&error, EngineError::Malformed { code, .. } if *code == ErrorCode::TooDeep), "{error:?}");
}

#[test]
fn more_threads_than_instances_take_turns() {
    let limits = Limits { concurrency: 2, ..Limits::default() };
    let engine = PolicyEngine::load(real(), &uncached(limits)).expect("the policy");
    let wanted = engine.evaluate(SNAPSHOT).expect("a decision");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert_eq!(engine.evaluate(SNAPSHOT).expect("a decision"), wanted);
                }
            });
        }
    });
}

#[test]
fn good_and_hostile_policies_run_side_by_side() {
    let (good, hostile) = (load_real(), load_hostile("loops").expect("loads"));
    thread::scope(|scope| {
        let looping = scope.spawn(|| hostile.evaluate(SNAPSHOT));
        for _ in 0..50 {
            good.evaluate(SNAPSHOT).expect("a decision");
        }
        let error = looping.join().expect("no panic").expect_err("no answer");
        assert!(matches!(error, EngineError::Timeout { .. }), "{error:?}");
    });
}

#[test]
fn with_little_address_space_instances_come_without_a_pool() {
    assert!(load_real().about().pooled());
    // The same program once more, with less address space than one pooled instance would reserve.
    let itself = std::env::current_exe().expect("this program");
    let output = Command::new("sh")
        .args(["-c", r#"ulimit -v 3000000; exec "$0" --exact --ignored --nocapture short_of_address_space"#])
        .arg(itself)
        .output()
        .expect("sh");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[ignore = "run by the test above, with little address space"]
fn short_of_address_space() {
    let engine = load_real();
    assert!(!engine.about().pooled());
    assert!(engine.evaluate(SNAPSHOT).expect("a decision").contains("NotDeleting"));
}
