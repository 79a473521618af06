//! Any bytes: evaluated or refused, the same each time, and what comes out is JSON.

use capi_policy::{Snapshot, evaluate_json, forecast_json};
use serde_json::Value;

/// `evaluate_json` on anything.
pub fn evaluate(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let answer = evaluate_json(text);
    assert_eq!(answer, evaluate_json(text), "two answers");
    is_json(text, answer.map_err(|error| error.json()));
    if let Ok(snapshot) = Snapshot::parse(text) {
        assert_eq!(snapshot.validate(), Ok(()));
    }
}

/// `forecast_json` on anything; the first line is the horizon.
pub fn forecast(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some((until, text)) = text.split_once('\n') else { return };
    let answer = forecast_json(text, until);
    is_json(text, answer.map_err(|error| error.json()));
}

/// An answer is an object. Numbers pass through as they were written, so one that `serde_json` finds too large in the
/// answer has to be in the question.
fn is_json(text: &str, answer: Result<String, String>) {
    let (Ok(answer) | Err(answer)) = answer;
    match serde_json::from_str::<Value>(&answer) {
        Ok(value) => assert!(value.is_object(), "no object: {answer}"),
        Err(error) => assert!(serde_json::from_str::<Value>(text).is_err(), "{error}: {answer}"),
    }
}
