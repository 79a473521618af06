//! Statements with their signature: DSSE envelopes in sigstore bundles.

use crate::key::{KeyError, SigningKey, VerifyingKey};
use crate::statement::Statement;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

/// The media type of a bundle, and the artifact type of its referrer in a registry.
pub const BUNDLE_TYPE: &str = "application/vnd.dev.sigstore.bundle.v0.3+json";
/// What the envelope holds.
const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bundle {
    media_type: String,
    #[serde(default)]
    verification_material: Material,
    dsse_envelope: Envelope,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Material {
    #[serde(default)]
    public_key: KeyId,
}

#[derive(Default, Serialize, Deserialize)]
struct KeyId {
    #[serde(default)]
    hint: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    payload: String,
    payload_type: String,
    signatures: Vec<Signature>,
}

#[derive(Serialize, Deserialize)]
struct Signature {
    sig: String,
}

/// What a bundle turns out to be for one key.
pub enum Opened {
    /// Signed with the key.
    Signed(Statement),
    /// It names the key, but the signature is not that of its content.
    Changed,
    /// Signed with another key.
    OtherKey,
    /// Nothing that this program knows.
    Unknown,
}

/// The bundle of a signed statement, as JSON.
pub fn sign(statement: &Statement, key: &SigningKey) -> Result<Vec<u8>, KeyError> {
    let payload = written(statement);
    let signature = key.sign(&authenticated(PAYLOAD_TYPE, &payload))?;
    Ok(written(&Bundle {
        media_type: BUNDLE_TYPE.to_owned(),
        verification_material: Material { public_key: KeyId { hint: key.verifying_key().hint() } },
        dsse_envelope: Envelope {
            payload: STANDARD.encode(payload),
            payload_type: PAYLOAD_TYPE.to_owned(),
            signatures: vec![Signature { sig: STANDARD.encode(signature) }],
        },
    }))
}

/// JSON; what has strings as its keys can always be written.
fn written(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

/// Reads a bundle. Nothing of its content is looked at before the signature has been verified.
pub fn open(bundle: &[u8], key: &VerifyingKey) -> Opened {
    let Ok(bundle) = serde_json::from_slice::<Bundle>(bundle) else { return Opened::Unknown };
    let envelope = bundle.dsse_envelope;
    let Ok(payload) = STANDARD.decode(&envelope.payload) else { return Opened::Unknown };
    let message = authenticated(&envelope.payload_type, &payload);
    let signatures = envelope.signatures.iter().filter_map(|signature| STANDARD.decode(&signature.sig).ok());
    if !signatures.into_iter().any(|signature| key.accepts(&message, &signature)) {
        let named = bundle.verification_material.public_key.hint == key.hint();
        return if named { Opened::Changed } else { Opened::OtherKey };
    }
    match serde_json::from_slice::<Statement>(&payload) {
        Ok(statement) if envelope.payload_type == PAYLOAD_TYPE && statement.is_known() => Opened::Signed(statement),
        _ => Opened::Unknown,
    }
}

/// What a DSSE signature is over.
fn authenticated(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [head.as_bytes(), payload].concat()
}
