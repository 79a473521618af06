//! Whatever a policy does, the host gets a typed error, and the next evaluation goes on.

mod policies;

use capi_policy_host::{Engine, EngineError, Limits, PolicyEngine};
use policies::{SNAPSHOT, component, load_hostile, load_real, real, tight, uncached};
use std::sync::LazyLock;

static REAL: LazyLock<PolicyEngine> = LazyLock::new(load_real);

/// The error of a hostile policy when it is asked, twice; and then the real policy is asked.
fn asked(name: &str) -> EngineError {
    let engine = load_hostile(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    let first = engine.evaluate(SNAPSHOT).expect_err(name);
    let second = engine.evaluate(SNAPSHOT).expect_err(name);
    assert_eq!(first.to_string(), second.to_string());
    assert!(REAL.evaluate(SNAPSHOT).expect("a decision").contains("NotDeleting"));
    first
}

fn refused(policy: &[u8]) -> EngineError {
    PolicyEngine::from_bytes(policy, &uncached(tight())).err().expect("a refusal")
}

#[test]
fn a_policy_that_loops_runs_out_of_time() {
    let error = asked("loops");
    assert!(matches!(error, EngineError::Timeout { limit } if Some(limit) == tight().timeout), "{error:?}");
}

#[test]
fn without_a_deadline_the_answer_is_the_same() {
    let endless =
        PolicyEngine::load(real(), &uncached(Limits { timeout: None, ..Limits::default() })).expect("a policy");
    let answers = [&endless, &*REAL].map(|policy| policy.evaluate(SNAPSHOT).expect("an answer"));
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn a_policy_that_loops_before_it_is_asked_is_not_loaded() {
    let error = load_hostile("loops_at_start").err().expect("a refusal");
    assert!(matches!(error, EngineError::Timeout { .. }), "{error:?}");
}

#[test]
fn a_policy_that_allocates_without_end_meets_its_limit() {
    let error = asked("allocates");
    assert!(matches!(error, EngineError::MemoryLimit { limit } if limit == tight().memory_bytes), "{error:?}");
}

#[test]
fn a_policy_that_wants_too_much_from_the_start_is_not_loaded() {
    let error = load_hostile("starts_large").err().expect("a refusal");
    assert!(matches!(error, EngineError::MemoryLimit { .. }), "{error:?}");
}

#[test]
fn a_policy_that_grows_its_table_meets_its_limit() {
    let error = asked("grows_table");
    assert!(matches!(error, EngineError::TableLimit { limit } if limit == tight().table_elements), "{error:?}");
}

#[test]
fn a_policy_that_traps_is_reported() {
    let error = asked("traps");
    assert!(matches!(&error, EngineError::Trap { detail, .. } if detail.contains("unreachable")), "{error:?}");
}

#[test]
fn a_policy_that_runs_out_of_stack_is_reported() {
    let error = asked("recurses");
    assert!(matches!(&error, EngineError::Trap { detail, .. } if detail.contains("stack")), "{error:?}");
}

#[test]
fn an_answer_that_breaks_the_rules_is_an_invalid_answer() {
    for name in ["bad_utf8", "out_of_bounds", "wild_pointer", "bad_case", "not_json", "error_not_json", "long_answer"] {
        let error = asked(name);
        assert!(matches!(error, EngineError::InvalidAnswer { .. }), "{name}: {error:?}");
    }
}

#[test]
fn a_typed_answer_that_breaks_the_rules_is_an_invalid_answer() {
    let engine = load_hostile("endless_list").expect("loads");
    let error = engine.evaluate_machine(SNAPSHOT).expect_err("no memory holds it");
    assert!(matches!(error, EngineError::InvalidAnswer { .. }), "{error:?}");
}

#[test]
fn an_allocator_that_breaks_the_rules_is_an_invalid_answer() {
    let error = asked("bad_allocator");
    assert!(matches!(error, EngineError::InvalidAnswer { .. }), "{error:?}");
}

#[test]
fn a_policy_of_another_major_version_is_refused_with_the_versions_that_fit() {
    assert_eq!(
        refused(&component("next_major")).to_string(),
        "the policy implements capi:policy@1.0.0, but this host runs versions ^0.2.0 (0.2.0 and later, before 0.3.0): use a policy and a host of the same release, or build the policy anew with `cargo xtask artifact`"
    );
}

#[test]
fn a_policy_that_imports_something_is_refused_by_name() {
    assert_eq!(
        refused(&component("imports")).to_string(),
        "not a policy: a policy imports nothing, but it imports wasi:clocks/wall-clock@0.2.0"
    );
}

#[test]
fn what_is_not_a_policy_is_refused() {
    let core_module = wat::parse_str("(module)").expect("a module");
    let empty = wat::parse_str("(component)").expect("a component");
    for bytes in [&component("half"), &core_module, &empty, &b"#!/bin/sh".to_vec(), &Vec::new()] {
        let error = refused(bytes);
        assert!(matches!(error, EngineError::NotAPolicy { .. }), "{error:?}");
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = PolicyEngine::load("no/such/policy.wasm", &uncached(tight())).err().expect("a refusal");
    assert_eq!(error.to_string(), "could not read the policy no/such/policy.wasm");
}

#[test]
fn every_evaluation_has_an_instance_of_its_own() {
    let engine = load_hostile("remembers").expect("loads");
    for _ in 0..3 {
        assert_eq!(engine.evaluate(SNAPSHOT).expect("an answer"), r#"{"seen":1}"#);
    }
    let mut session = engine.session().expect("an instance");
    assert_eq!(session.evaluate(SNAPSHOT).expect("an answer"), r#"{"seen":1}"#);
    assert_eq!(session.evaluate(SNAPSHOT).expect("an answer"), r#"{"seen":2}"#);
}

#[test]
fn a_session_does_not_outlive_a_trap() {
    let engine = load_hostile("traps").expect("loads");
    let mut session = engine.session().expect("an instance");
    session.evaluate(SNAPSHOT).expect_err("a trap");
    let error = session.evaluate(SNAPSHOT).expect_err("a broken instance");
    assert!(matches!(error, EngineError::Trap { .. }), "{error:?}");
}
