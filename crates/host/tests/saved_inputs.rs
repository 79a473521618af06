//! What fuzzing found worth keeping, through the component and the core module: no trap, the library's answer, and no
//! memory that is not given back.

#[path = "saved_inputs/core_module.rs"]
mod core_module;
mod policies;
#[allow(dead_code, reason = "only evaluations are compared here")]
mod typed_json;

use capi_policy::{Error, Kind, Snapshot, evaluate_json, forecast_json};
use capi_policy_fuzz::{saved, snapshot};
use capi_policy_host::{EngineError, Limits, PolicyEngine, Session};
use core_module::CoreModule;
use policies::{load_real, real, uncached};
use serde_json::Value;

const CALLS: usize = 100_000;

/// Saved snapshots: text as it is, and what the bytes of the others choose.
fn snapshots() -> Vec<(String, String)> {
    let text = |(name, input): (String, Vec<u8>)| Some((format!("evaluate/{name}"), String::from_utf8(input).ok()?));
    let made =
        |(name, input): (String, Vec<u8>)| (format!("snapshot/{name}"), snapshot::from_bytes(&input).to_string());
    let snapshots: Vec<_> =
        saved("evaluate").into_iter().filter_map(text).chain(saved("snapshot").into_iter().map(made)).collect();
    assert!(snapshots.len() > 20, "only {} snapshots", snapshots.len());
    snapshots
}

/// Saved questions about the future: horizon and snapshot.
fn forecasts() -> Vec<(String, String, String)> {
    let question = |(name, input): (String, Vec<u8>)| {
        let text = String::from_utf8(input).ok()?;
        let (until, snapshot) = text.split_once('\n')?;
        Some((format!("forecast/{name}"), until.to_owned(), snapshot.to_owned()))
    };
    saved("forecast").into_iter().filter_map(question).collect()
}

#[test]
fn the_component_answers_as_the_library_does() {
    let engine = load_real();
    let mut session = engine.session().expect("an instance");
    for (name, text) in snapshots() {
        assert_eq!(said(session.evaluate(&text)), library(evaluate_json(&text)), "{name}");
        let answers =
            [typed(&mut session, &text), typed_by_the_library(&text)].map(|answer| answer.map(|a| a.map(counted)));
        assert_eq!(answers[0], answers[1], "{name}: evaluator");
    }
    for (name, until, text) in forecasts() {
        assert_eq!(said(session.forecast(&text, &until)), library(forecast_json(&text, &until)), "{name}");
    }
}

#[test]
fn the_core_module_answers_as_the_library_does() {
    let mut module = CoreModule::load();
    for (name, text) in snapshots() {
        assert_eq!(module.evaluate(&text), evaluate_json(&text).map_err(|error| error.json()), "{name}");
    }
    for (name, until, text) in forecasts() {
        let answer = forecast_json(&text, &until).map_err(|error| error.json());
        assert_eq!(module.forecast(&text, &until), answer, "{name}");
    }
}

#[test]
fn a_core_module_gives_back_all_memory_in_100_000_calls() {
    let (mut module, snapshots) = (CoreModule::load(), snapshots());
    let mut call = |(_, text): &(String, String)| drop(module.evaluate(text));
    snapshots.iter().for_each(&mut call);
    snapshots.iter().for_each(&mut call);
    let before = module.memory_bytes();
    let mut call = |(_, text): &(String, String)| drop(module.evaluate(text));
    snapshots.iter().cycle().take(CALLS).for_each(&mut call);
    assert_eq!(module.memory_bytes(), before);
}

/// The same through the component, whose memory can't be looked at: it has little, and that is enough to the end.
#[test]
fn a_session_lives_on_little_memory_for_100_000_calls() {
    let limits = Limits { memory_bytes: 4 << 20, ..Limits::default() };
    let engine = PolicyEngine::load(real(), &uncached(limits)).expect("the policy");
    let mut session = engine.session().expect("an instance");
    for (name, text) in snapshots().iter().cycle().take(CALLS) {
        match session.evaluate(text) {
            Ok(_) | Err(EngineError::Malformed { .. }) => {}
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

fn said(answer: Result<String, EngineError>) -> Result<String, String> {
    answer.map_err(|error| error.to_string())
}

fn library(answer: Result<String, Error>) -> Result<String, String> {
    answer.map_err(|error| error.to_string())
}

/// The answer of `evaluator` as JSON; nothing for a snapshot without an object, which each function answers differently.
fn typed(session: &mut Session, text: &str) -> Option<Result<Value, String>> {
    Some(typed_json::evaluate(session, kind(text)?, text).map_err(|error| error.to_string()))
}

/// Counts are 32 bits wide across WIT, as replicas are in Kubernetes; what claims more is the largest of them.
fn counted(answer: Value) -> Value {
    match answer {
        Value::Number(number) if number.as_u64().is_some_and(|number| number > u32::MAX.into()) => u32::MAX.into(),
        Value::Array(items) => items.into_iter().map(counted).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, counted(value))).collect(),
        other => other,
    }
}

fn typed_by_the_library(text: &str) -> Option<Result<Value, String>> {
    kind(text)?;
    Some(library(evaluate_json(text)).map(|answer| serde_json::from_str(&answer).expect("JSON")))
}

fn kind(text: &str) -> Option<Kind> {
    Snapshot::parse(text).map_or(Some(Kind::Machine), |snapshot| snapshot.kind().ok())
}
