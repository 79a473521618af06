//! `capi-policy push`.

use super::Answer;
use super::policy::{self, PolicyArgs};
use crate::oci::{self, Facts};
use crate::render::{note, print};
use crate::trust;
use anyhow::{Context, Result};
use capi_policy_host::PolicyEngine;
use capi_policy_signing::statement::{PROVENANCE, SBOM};
use capi_policy_signing::{SigningKey, Statement, sign};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  capi-policy push oci://registry.example/policies/capi-policy:0.1.0
  capi-policy push oci://localhost:5000/capi-policy --policy dist/capi_policy.wasm --sign cosign.key \\
    --sbom dist/release/sbom.cdx.json --provenance dist/release/provenance.json

Without a tag the policy's version is the tag. Credentials are those of `docker login`. Plain HTTP is used for
registries on this machine only. Keys are those of `cosign generate-key-pair`, with their password in the variable
COSIGN_PASSWORD; `cosign verify --key cosign.pub --insecure-ignore-tlog` verifies what was signed.";

/// Upload the policy to an OCI registry, sign it, and print its pinned reference
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Where to
    #[arg(value_name = "oci://REGISTRY/NAME[:TAG]")]
    to: String,
    /// Sign it with this private key, and put the signature beside it
    #[arg(long, value_name = "cosign.key")]
    sign: Option<PathBuf>,
    /// Attest that it is made of what this bill of materials lists: CycloneDX, as `cargo xtask artifact` writes it
    #[arg(long, value_name = "FILE", requires = "sign")]
    sbom: Option<PathBuf>,
    /// Attest that it was built as this file says: the predicate of SLSA's provenance v1
    #[arg(long, value_name = "FILE", requires = "sign")]
    provenance: Option<PathBuf>,
    #[command(flatten)]
    policy: PolicyArgs,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let reference = self.policy.reference()?;
        // Whatever can go wrong with files goes wrong before anything is uploaded.
        let key = self.sign.as_deref().map(trust::signing_key).transpose()?;
        let attested = [(&self.sbom, SBOM), (&self.provenance, PROVENANCE)];
        let attested =
            attested.into_iter().filter_map(|(file, predicate_type)| Some((file.as_deref()?, predicate_type)));
        let attested = attested.map(|(file, predicate_type)| Ok((predicate(file)?, predicate_type)));
        let attested = attested.collect::<Result<Vec<_>>>()?;
        // Only what can run is uploaded: loading checks imports, exports and the WIT version.
        let facts = facts(&self.policy.load_from(&reference)?)?;
        let component = self.policy.bytes(&reference)?;
        let pushed = oci::push(&tagged(&self.to, &facts.version), component, &facts)?;
        if let Some(key) = key {
            let digest = oci::resolve(&pushed)?;
            attach(&pushed, &key, &Statement::signature(&digest))?;
            for (predicate, predicate_type) in attested {
                attach(&pushed, &key, &Statement::new(&digest, predicate_type, predicate))?;
            }
        }
        print(&format!("{pushed}\n"))?;
        Ok(Answer::Fine)
    }
}

/// Signs a statement and puts it beside the policy that it is about.
pub fn attach(reference: &str, key: &SigningKey, statement: &Statement) -> Result<()> {
    let digest = statement.digests().next().unwrap_or_default();
    oci::attach(reference, &digest, &sign(statement, key)?, &statement.predicate_type)?;
    note(&format!("signed {digest}: {}", statement.predicate_type));
    Ok(())
}

fn predicate(file: &Path) -> Result<Value> {
    let text = fs::read(file).with_context(|| file.display().to_string())?;
    serde_json::from_slice(&text).with_context(|| file.display().to_string())
}

fn facts(engine: &PolicyEngine) -> Result<Facts> {
    let catalog = policy::catalog(engine)?;
    Ok(Facts { name: catalog.name, version: catalog.version, exports: engine.about().exports().to_vec() })
}

/// The reference with a tag.
fn tagged(reference: &str, version: &str) -> String {
    let name = reference.rsplit('/').next().unwrap_or_default();
    if name.contains(':') || name.contains('@') { reference.to_owned() } else { format!("{reference}:{version}") }
}
