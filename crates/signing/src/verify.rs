//! Whether an artifact has a claim that a key signed; if not, why, and what to do about it.

use crate::bundle::{Opened, open};
use crate::key::VerifyingKey;
use crate::statement::{self, Statement};
use thiserror::Error;

/// Why an artifact is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// Nobody signed it.
    #[error(
        "refused: {digest} is not signed; sign it with `capi-policy push --sign KEY` or `cosign sign --key KEY` (cosign 3 or later), \
         or, if it was copied here, copy its signatures too, as `cosign copy` does"
    )]
    NotSigned {
        /// The artifact.
        digest: String,
    },
    /// Somebody else signed it.
    #[error(
        "refused: {digest} is signed, but not with this key; pass the public key of whoever publishes it, or have it signed with \
         the key that you trust"
    )]
    OtherKey {
        /// The artifact.
        digest: String,
    },
    /// The signature is not of what it stands beside.
    #[error(
        "refused: the signature of {digest} was changed after it was made; pull from a registry that you trust, or sign it \
         again with `capi-policy push --sign KEY`"
    )]
    Changed {
        /// The artifact.
        digest: String,
    },
    /// The signature belongs to something else.
    #[error(
        "refused: the signature beside {digest} was made for {signed}; pull {signed} if that is the policy that you want, or \
         have this one signed"
    )]
    OtherArtifact {
        /// The artifact.
        digest: String,
        /// What was signed.
        signed: String,
    },
    /// The key signed other claims only.
    #[error("refused: {digest} has no {claim} that this key signed; {remedy}")]
    Missing {
        /// The artifact.
        digest: String,
        /// What is missing.
        claim: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
}

/// The claims of a type about an artifact (`sha256:…`) that the key signed; never none.
pub fn verify(
    bundles: &[Vec<u8>],
    key: &VerifyingKey,
    digest: &str,
    predicate_type: &str,
) -> Result<Vec<Statement>, Refused> {
    let mut statements = Vec::new();
    let mut refused = Refused::NotSigned { digest: digest.to_owned() };
    for bundle in bundles {
        let worse = match open(bundle, key) {
            Opened::Signed(statement) if !statement.digests().any(|signed| signed == digest) => {
                let signed = statement.digests().next().unwrap_or_default();
                Refused::OtherArtifact { digest: digest.to_owned(), signed }
            }
            Opened::Signed(statement) if statement.predicate_type != predicate_type => missing(digest, predicate_type),
            Opened::Signed(statement) => {
                statements.push(statement);
                continue;
            }
            Opened::Changed => Refused::Changed { digest: digest.to_owned() },
            Opened::OtherKey => Refused::OtherKey { digest: digest.to_owned() },
            Opened::Unknown => continue,
        };
        if worse.tells() > refused.tells() {
            refused = worse;
        }
    }
    if statements.is_empty() { Err(refused) } else { Ok(statements) }
}

fn missing(digest: &str, predicate_type: &str) -> Refused {
    let (claim, remedy) = match predicate_type {
        statement::CONFORMANCE => {
            ("conformance attestation", "run the recorded answers against it with `capi-policy conform --attest KEY`")
        }
        statement::SBOM => ("bill of materials", "push it with `capi-policy push --sign KEY --sbom FILE`"),
        statement::PROVENANCE => ("provenance", "push it with `capi-policy push --sign KEY --provenance FILE`"),
        _ => ("signature", "it has attestations only; sign it with `capi-policy push --sign KEY`"),
    };
    Refused::Missing { digest: digest.to_owned(), claim, remedy }
}

impl Refused {
    /// How much a reason tells compared with others: what this very key has signed tells most.
    fn tells(&self) -> u8 {
        match self {
            Self::NotSigned { .. } => 0,
            Self::OtherKey { .. } => 1,
            Self::Changed { .. } => 2,
            Self::OtherArtifact { .. } => 3,
            Self::Missing { .. } => 4,
        }
    }
}
