//! What is claimed about an artifact: an in-toto statement.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The artifact is signed, and nothing more: what `cosign sign` claims.
pub const SIGNATURE: &str = "https://sigstore.dev/cosign/sign/v1";
/// What the artifact is made of, as CycloneDX.
pub const SBOM: &str = "https://cyclonedx.org/bom";
/// How the artifact was built, as SLSA's provenance.
pub const PROVENANCE: &str = "https://slsa.dev/provenance/v1";
/// Which recorded answers of Cluster API the policy gives.
pub const CONFORMANCE: &str = "https://github.com/capi-policy/capi-policy/attestation/conformance/v1";

/// The versions of in-toto's format, the newest first: `cosign attest` writes the older one.
const TYPES: [&str; 2] = ["https://in-toto.io/Statement/v1", "https://in-toto.io/Statement/v0.1"];

/// A claim about artifacts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    #[serde(rename = "_type")]
    format: String,
    subject: Vec<Subject>,
    /// What kind of claim it is.
    pub predicate_type: String,
    /// The claim.
    #[serde(default)]
    pub predicate: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Subject {
    digest: BTreeMap<String, String>,
}

impl Statement {
    /// The claim that the artifact of this digest (`sha256:…`) is signed.
    pub fn signature(digest: &str) -> Self {
        Self::new(digest, SIGNATURE, Value::Object(Map::new()))
    }

    /// A claim about the artifact of this digest (`sha256:…`).
    pub fn new(digest: &str, predicate_type: &str, predicate: Value) -> Self {
        let (algorithm, hex) = digest.split_once(':').unwrap_or(("sha256", digest));
        let subject = Subject { digest: BTreeMap::from([(algorithm.to_owned(), hex.to_owned())]) };
        let [newest, _] = TYPES;
        Self { format: newest.to_owned(), subject: vec![subject], predicate_type: predicate_type.to_owned(), predicate }
    }

    /// Whether it is a statement of a known version of the format.
    pub(crate) fn is_known(&self) -> bool {
        TYPES.contains(&&*self.format)
    }

    /// The digests that it is about, as in `sha256:…`.
    pub fn digests(&self) -> impl Iterator<Item = String> {
        let all = self.subject.iter().flat_map(|subject| &subject.digest);
        all.map(|(algorithm, hex)| format!("{algorithm}:{hex}"))
    }
}
