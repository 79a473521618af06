//! How fast the reader is beside `serde_json`, on text as servers write it, as `kubectl -o json` prints it, and in the order of
//! Go's fields: `cargo run --release -p capi-policy-json --example speed`.

use capi_policy_json::{Skipped, Str, fields, read};
use serde::Deserialize;
use std::borrow::Cow;
use std::hint::black_box;
use std::time::{Duration, Instant};

fields! {
    /// A condition, read by the reader.
    struct Ours<'a> in order {
        "lastHeartbeatTime" => heartbeat: Skipped,
        "lastTransitionTime" => since: Str<'a>,
        "message" => message: Str<'a>,
        "observedGeneration" => generation: Option<i64>,
        "reason" => reason: Str<'a>,
        "status" => status: Str<'a>,
        "type" => condition_type: Str<'a>,
    }
}

/// The same, derived.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "read to be measured")]
struct Derived<'a> {
    #[serde(borrow)]
    last_transition_time: Cow<'a, str>,
    #[serde(borrow)]
    message: Cow<'a, str>,
    observed_generation: Option<i64>,
    #[serde(borrow)]
    reason: Cow<'a, str>,
    #[serde(borrow)]
    status: Cow<'a, str>,
    #[serde(borrow, rename = "type")]
    condition_type: Cow<'a, str>,
}

const CONDITIONS: usize = 20_000;

fn main() {
    let ordered = r#"{"lastHeartbeatTime":"2026-01-01T00:00:00Z","lastTransitionTime":"2026-01-01T00:00:00Z","message":"kubelet is posting ready status","reason":"KubeletReady","status":"True","type":"Ready"}"#;
    let of_go = r#"{"type":"Ready","status":"True","lastHeartbeatTime":"2026-01-01T00:00:00Z","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"KubeletReady","message":"kubelet is posting ready status"}"#;
    let indented = ordered.replace(",\"", ",\n                    \"").replace("\":\"", "\": \"");
    let indented = indented.replace('{', "{\n                    ").replace('}', "\n                }");
    for (name, condition, separator) in [
        ("compact, by name", ordered, ","),
        ("indented", &indented, ",\n                "),
        ("in the order of Go's fields", of_go, ","),
    ] {
        let text = format!("[{}]", vec![condition; CONDITIONS].join(separator));
        let ours = fastest(|| read::<Vec<Ours<'_>>>(&text).map_or(0, |all| all.len()));
        let derived = fastest(|| serde_json::from_str::<Vec<Derived<'_>>>(&text).map_or(0, |all| all.len()));
        println!(
            "{name}: {ours:?}, serde_json {derived:?}, {:.1} times as fast",
            derived.as_secs_f64() / ours.as_secs_f64()
        );
    }
}

#[allow(clippy::disallowed_methods, reason = "it measures")]
fn fastest(mut read: impl FnMut() -> usize) -> Duration {
    let runs = (0..30).map(|_| {
        let start = Instant::now();
        assert_eq!(black_box(read()), CONDITIONS);
        start.elapsed()
    });
    runs.min().unwrap_or_default()
}
