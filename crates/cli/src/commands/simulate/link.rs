//! Links into the playground: what its own "Copy a link" makes. Everything is in the fragment, which no browser sends to a server.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};
use std::io::Write;

/// A day of a scenario, in the playground's "Simulate"; `given` takes the place of a fleet of its own.
pub fn to_day(playground: &str, scenario: &str, seed: u64, given: Option<&[Value]>) -> String {
    let mut day = json!({ "scenario": scenario, "seeds": seed.to_string() });
    if let Some(given) = given {
        day["objects"] = given.into();
    }
    format!("{playground}#scenario={}", packed(&day))
}

/// Objects, to evaluate.
pub fn to_objects(playground: &str, objects: &[Value]) -> String {
    let text = json!({ "apiVersion": "v1", "kind": "List", "items": objects }).to_string();
    format!("{playground}#s={}", packed(&json!({ "text": text, "view": {} })))
}

fn packed(value: &Value) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(value.to_string().as_bytes()).and_then(|()| encoder.finish());
    URL_SAFE_NO_PAD.encode(packed.unwrap_or_default())
}
