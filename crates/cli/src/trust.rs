//! Which policies are trusted: signed with a key, and attested to give Cluster API's answers.

use crate::conformance::Conformance;
use anyhow::{Context, Result, bail};
use capi_policy_signing::statement::{CONFORMANCE, SIGNATURE};
use capi_policy_signing::{SigningKey, VerifyingKey, verify};
use std::path::{Path, PathBuf};

/// `--verify` and what goes with it.
#[derive(clap::Args, Clone, Default)]
pub struct TrustArgs {
    /// Refuse a policy that this public key did not sign: `push --sign` and `cosign sign --key` do
    #[arg(long, value_name = "cosign.pub", env = "CAPI_POLICY_VERIFY", hide_env_values = true)]
    verify: Option<PathBuf>,
    /// Refuse a policy without an attestation by that key that it gives the answers of this release of Cluster API
    #[arg(long, value_name = "v1.14", requires = "verify")]
    require_conformance: Option<String>,
}

/// What a policy has to have.
pub struct Trust {
    key: VerifyingKey,
    conformance: Option<String>,
}

impl TrustArgs {
    /// What a policy has to have; nothing where no key is named.
    pub fn trust(&self) -> Result<Option<Trust>> {
        let Some(path) = &self.verify else { return Ok(None) };
        let key = VerifyingKey::from_pem(&read(path)?).with_context(|| path.display().to_string())?;
        Ok(Some(Trust { key, conformance: self.require_conformance.clone() }))
    }
}

impl Trust {
    /// Whether the bundles beside a policy are enough, given the digest of its manifest.
    pub fn check(&self, bundles: &[Vec<u8>], digest: &str) -> Result<()> {
        verify(bundles, &self.key, digest, SIGNATURE)?;
        let Some(release) = &self.conformance else { return Ok(()) };
        let statements = verify(bundles, &self.key, digest, CONFORMANCE)?;
        let attested = statements.iter().filter_map(|statement| Conformance::read(&statement.predicate));
        let attested: Vec<_> = attested.flat_map(|conformance| conformance.releases()).collect();
        if !attested.contains(release) {
            bail!(
                "refused: {digest} is attested to give the answers of Cluster API {}, not of {release}; run those of {release} \
                 with `capi-policy conform --attest KEY`, or take a policy that is attested",
                if attested.is_empty() { "no release".to_owned() } else { attested.join(", ") }
            );
        }
        Ok(())
    }
}

/// The private key in a file; its password is in the variable that cosign uses.
pub fn signing_key(path: &Path) -> Result<SigningKey> {
    let password = std::env::var("COSIGN_PASSWORD").unwrap_or_default();
    SigningKey::from_pem(&read(path)?, password.as_bytes()).with_context(|| path.display().to_string())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| path.display().to_string())
}
