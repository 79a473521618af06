//! What holds for every snapshot: order means nothing, twice is the same, nothing panics, messages stay short, and a
//! forecast misses no moment.

use capi_policy::time::Time;
use capi_policy::{Snapshot, evaluate, evaluate_json, forecast};
use capi_policy_corpus::{Case, read_all, without_times};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError};
use serde_json::Value;
use std::path::Path;
use std::sync::LazyLock;

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let cases = read_all(&folder).expect("the corpus").into_iter();
    cases.filter(|case| evaluate_json(&case.snapshot().to_string()).is_ok()).collect()
});

/// The same in every run, unless `cargo xtask soak` chooses another and prints it.
fn seed() -> u64 {
    std::env::var("PROPERTIES_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(2026)
}

/// A snapshot of the corpus, under either profile.
fn snapshots() -> impl Strategy<Value = Value> {
    (0..CASES.len(), any::<bool>())
        .prop_map(|(i, documented)| {
            let mut snapshot = CASES[i].snapshot();
            snapshot["profile"] = if documented { "documented" } else { "cluster-api-v1.13" }.into();
            // Facts that decide nothing may change at any moment.
            snapshot["explain"] = false.into();
            snapshot
        })
        .prop_filter("the documents refuse what Cluster API answers with an error", |snapshot| {
            evaluate_json(&snapshot.to_string()).is_ok()
        })
}

/// Shuffles the lists of objects and of conditions that have no meaningful order.
fn shuffled(value: &Value, mut seed: u64) -> Value {
    fn walk(value: &mut Value, seed: &mut u64, field: &str) {
        match value {
            Value::Object(map) => map.iter_mut().for_each(|(field, value)| walk(value, seed, field)),
            Value::Array(list) => {
                if matches!(
                    field,
                    "machines" | "nodes" | "machineSets" | "machineDeployments" | "conditions" | "ownerReferences"
                ) {
                    for i in (1..list.len()).rev() {
                        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                        let j = usize::try_from(*seed >> 33).unwrap_or(0) % (i + 1);
                        list.swap(i, j);
                    }
                }
                for value in list {
                    walk(value, seed, "");
                }
            }
            _ => {}
        }
    }
    let mut value = value.clone();
    walk(&mut value, &mut seed, "");
    value
}

/// An evaluation without what depends on when it was made, and without the rows: another row may say the same.
fn decision(snapshot: &Snapshot<'_>) -> Value {
    let mut value = serde_json::to_value(evaluate(snapshot).expect("an evaluation")).expect("JSON");
    without_times(&mut value);
    value
}

/// The same, in an order that does not follow the object's own.
fn sorted(mut evaluation: Value) -> Value {
    if let Some(conditions) = evaluation["conditions"].as_array_mut() {
        conditions.sort_by_key(|c| c["type"].to_string());
    }
    for machine in evaluation["machines"].as_array_mut().into_iter().flatten() {
        if let Some(conditions) = machine["conditions"].as_array_mut() {
            conditions.sort_by_key(|c| c["type"].to_string());
        }
    }
    evaluation
}

fn parsed(text: &str) -> Result<Value, TestCaseError> {
    let answer = evaluate_json(text).map_err(|error| TestCaseError::fail(error.to_string()))?;
    serde_json::from_str(&answer).map_err(|error| TestCaseError::fail(error.to_string()))
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, rng_seed: RngSeed::Fixed(seed()), ..Config::with_cases(150) })]

    #[test]
    fn order_changes_nothing(snapshot in snapshots(), seed: u64) {
        let (one, other) = (parsed(&snapshot.to_string())?, parsed(&shuffled(&snapshot, seed).to_string())?);
        prop_assert_eq!(sorted(one), sorted(other));
    }

    #[test]
    fn evaluating_twice_gives_the_same_bytes(snapshot in snapshots()) {
        let text = snapshot.to_string();
        prop_assert_eq!(evaluate_json(&text), evaluate_json(&text));
    }

    #[test]
    fn arbitrary_text_does_not_panic(text in any::<String>()) {
        prop_assert!(evaluate_json(&text).is_err());
    }

    #[test]
    fn a_damaged_snapshot_does_not_panic(snapshot in snapshots(), at in any::<prop::sample::Index>(), byte in 0_u8..128) {
        let mut bytes = snapshot.to_string().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(text) = String::from_utf8(bytes) {
            let _ = evaluate_json(&text);
        }
    }

    #[test]
    fn messages_are_bounded(snapshot in snapshots()) {
        let longest = longest_message(&snapshot);
        let evaluation = parsed(&snapshot.to_string())?;
        for condition in evaluation["conditions"].as_array().into_iter().flatten() {
            let lines = condition["message"].as_str().unwrap_or_default();
            // Three messages with their names, and a line about the rest per kind and priority; summaries have one per condition.
            prop_assert!(lines.len() <= 32 * (longest + 300), "{} bytes: {lines}", lines.len());
        }
    }

    #[test]
    fn nothing_changes_between_two_moments_of_a_forecast(snapshot in snapshots(), part in 0.0..1.0_f64) {
        let text = snapshot.to_string();
        let snapshot = Snapshot::parse(&text).expect("a snapshot");
        let until = snapshot.now.plus(6 * 3_600);
        let Ok(forecast) = forecast(&snapshot, until) else { return Ok(()) };
        let mut from = snapshot.now;
        let mut at_from = decision(&snapshot);
        let ends: Vec<Time> = forecast.moments.iter().map(|moment| moment.at).chain([until.plus(1)]).collect();
        for end in ends {
            #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "any moment in between will do")]
            let between = from.plus(((end.since(from) - 1) as f64 * part) as i64);
            for moment in [between, end.plus(-1)] {
                let mut later = snapshot.clone();
                later.now = moment;
                prop_assert_eq!(&at_from, &decision(&later), "{} and {}", from, moment);
            }
            let mut later = snapshot.clone();
            later.now = end;
            (from, at_from) = (end, decision(&later));
        }
    }
}

fn longest_message(value: &Value) -> usize {
    match value {
        Value::Object(map) => map.values().map(longest_message).max().unwrap_or(0),
        Value::Array(list) => list.iter().map(longest_message).max().unwrap_or(0),
        Value::String(text) => text.len(),
        _ => 0,
    }
}

fn field_of(kind: &str) -> String {
    kind[..1].to_lowercase() + &kind[1..]
}

/// The snapshot after a controller has written down what was decided.
fn written_down(snapshot: &Value, kind: &str, evaluation: &Value) -> Value {
    let mut snapshot = snapshot.clone();
    let object = &mut snapshot[field_of(kind)];
    write_conditions(object, &evaluation["conditions"]);
    for (field, value) in evaluation["status"].as_object().into_iter().flatten() {
        match field.as_str() {
            "controlPlaneInitialized" => object["status"]["initialization"][field] = value.clone(),
            _ => object["status"][field] = value.clone(),
        }
    }
    for machine in evaluation["machines"].as_array().into_iter().flatten() {
        let mut machines = snapshot["machines"].as_array_mut().into_iter().flatten();
        let written = machines.find(|other| other["metadata"]["name"] == machine["name"]).expect("a machine");
        write_conditions(written, &machine["conditions"]);
    }
    snapshot
}

/// As server-side apply does: what is there is replaced, what is new comes last.
fn write_conditions(object: &mut Value, conditions: &Value) {
    let mut stored = object["status"]["conditions"].as_array().cloned().unwrap_or_default();
    for condition in conditions.as_array().into_iter().flatten() {
        match stored.iter_mut().find(|other| other["type"] == condition["type"]) {
            Some(other) => *other = condition.clone(),
            None => stored.push(condition.clone()),
        }
    }
    object["status"]["conditions"] = stored.into();
}

fn pause(conditions: &Value) -> Option<(&Value, &Value)> {
    let paused = conditions.as_array()?.iter().find(|condition| condition["type"] == "Paused")?;
    Some((&paused["status"], &paused["reason"]))
}

/// A controller that has written a decision need not decide again, unless it noted a pause or its end: Cluster API does
/// that first, and looks at the rest when it comes back.
#[test]
fn what_was_written_down_is_decided_again() {
    for (case, profile) in CASES.iter().flat_map(|case| [(case, "documented"), (case, "cluster-api-v1.13")]) {
        let mut snapshot = case.snapshot();
        snapshot["profile"] = profile.into();
        let Ok(mut first) = parsed(&snapshot.to_string()) else { continue };
        let stored = &snapshot[field_of(&case.kind)]["status"]["conditions"];
        if pause(stored) != pause(&first["conditions"]) {
            snapshot = written_down(&snapshot, &case.kind, &first);
            first = parsed(&snapshot.to_string()).expect("an evaluation");
        }
        let again = parsed(&written_down(&snapshot, &case.kind, &first).to_string()).expect("an evaluation");
        let [first, again] = [first, again].map(|mut evaluation| {
            without_times(&mut evaluation);
            // They tell of the change.
            evaluation["events"] = Value::Null;
            sorted(evaluation)
        });
        assert_eq!(first, again, "{} {profile}", case.id);
    }
}
