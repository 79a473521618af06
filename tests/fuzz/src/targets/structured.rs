//! Snapshots that can often be evaluated: what has to hold for every decision.

use crate::evaluation::{decision, difference};
use crate::snapshot::from_bytes;
use capi_policy::{Evaluation, Snapshot, evaluate, evaluate_json, forecast};
use serde_json::Value;

/// Decisions of made snapshots.
pub fn snapshot(bytes: &[u8]) {
    let value = from_bytes(bytes);
    let text = value.to_string();
    let Ok(snapshot) = Snapshot::parse(&text) else { return };
    let evaluation = match evaluate(&snapshot) {
        Ok(evaluation) => evaluation,
        Err(error) => return assert_eq!(evaluate_json(&text), Err(error)),
    };
    is_written_as_serde_json_would(&text, &evaluation);
    explaining_changes_nothing(&snapshot, &evaluation);
    order_changes_nothing(value, &evaluation);
    time_changes_only_what_was_foretold(&snapshot, &evaluation, bytes.last().copied().unwrap_or(0));
}

/// Explanations show machines in the order of the snapshot, and clocks.
fn unexplained(evaluation: &Evaluation) -> Value {
    decision(&Evaluation { explanations: Vec::new(), ..evaluation.clone() })
}

fn is_written_as_serde_json_would(text: &str, evaluation: &Evaluation) {
    let written = evaluate_json(text).expect("the same evaluation again");
    let read: Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(read, serde_json::to_value(evaluation).expect("JSON"));
}

fn explaining_changes_nothing(snapshot: &Snapshot<'_>, evaluation: &Evaluation) {
    let mut other = snapshot.clone();
    other.explain = !snapshot.explain;
    let mut other = evaluate(&other).expect("the same evaluation again");
    other.explanations.clone_from(&evaluation.explanations);
    assert_eq!(&other, evaluation);
}

/// Lists of objects have no order. Lists of conditions have one where a type is there twice, so they stay.
fn order_changes_nothing(mut value: Value, evaluation: &Evaluation) {
    for list in ["machines", "machineSets", "machineDeployments", "nodes"] {
        if let Some(list) = value[list].as_array_mut() {
            list.reverse();
        }
    }
    let text = value.to_string();
    let reversed = Snapshot::parse(&text).expect("a snapshot as before");
    let reversed = evaluate(&reversed).expect("an evaluation as before");
    assert_eq!(difference(&unexplained(&reversed), &unexplained(evaluation)), None, "in another order");
}

fn time_changes_only_what_was_foretold(snapshot: &Snapshot<'_>, evaluation: &Evaluation, part: u8) {
    let until = snapshot.now.plus(6 * 3_600);
    let Ok(forecast) = forecast(snapshot, until) else { return };
    assert_eq!(difference(&unexplained(evaluation), &decision(&forecast.now)), None, "in a forecast");
    assert!(forecast.moments.is_sorted_by(|a, b| a.at < b.at), "moments out of order");
    let horizon =
        if forecast.complete { until.plus(1) } else { forecast.moments.last().map_or(snapshot.now, |m| m.at) };
    let (mut from, mut at_from) = (snapshot.now, unexplained(evaluation));
    for end in forecast.moments.iter().map(|moment| moment.at).chain([horizon]).take(20) {
        let length = end.since(from);
        let at = |moment| {
            let mut later = snapshot.clone();
            later.now = moment;
            evaluate(&later).map(|later| unexplained(&later))
        };
        if length > 0 {
            for moment in [from.plus((length - 1) * i64::from(part) / 255), end.plus(-1)] {
                let then = at(moment).expect("an evaluation as before");
                assert_eq!(difference(&at_from, &then), None, "from {from} to {moment}, before {end}");
            }
        }
        let Ok(next) = at(end) else { return };
        (from, at_from) = (end, next);
    }
}
