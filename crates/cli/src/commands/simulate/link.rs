//! A link that opens objects in the playground: what its own "Copy a link" makes.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};
use std::io::Write;

/// The address with the objects in its fragment, which no browser sends to a server.
pub fn link(playground: &str, objects: &[Value]) -> String {
    let text = json!({ "apiVersion": "v1", "kind": "List", "items": objects }).to_string();
    let session = json!({ "text": text, "view": {} }).to_string();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(session.as_bytes()).and_then(|()| encoder.finish());
    format!("{playground}#s={}", URL_SAFE_NO_PAD.encode(packed.unwrap_or_default()))
}
