//! `capi-policy push`.

use super::Answer;
use super::policy::{self, PolicyArgs};
use crate::oci::{self, Facts};
use crate::render::print;
use anyhow::Result;
use capi_policy_host::PolicyEngine;

const EXAMPLES: &str = "\
Examples:
  capi-policy push oci://registry.example/policies/capi-policy:0.1.0
  capi-policy push oci://localhost:5000/capi-policy --policy dist/capi_policy.wasm

Without a tag the policy's version is the tag. Credentials are those of `docker login`. Plain HTTP is used for
registries on this machine only.";

/// Upload the policy to an OCI registry and print its pinned reference
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Where to
    #[arg(value_name = "oci://REGISTRY/NAME[:TAG]")]
    to: String,
    #[command(flatten)]
    policy: PolicyArgs,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let reference = self.policy.reference()?;
        // Only what can run is uploaded: loading checks imports, exports and the WIT version.
        let facts = facts(&policy::load(&reference)?)?;
        let component = policy::bytes(&reference)?;
        let to = tagged(&self.to, &facts.version);
        print(&format!("{}\n", oci::push(&to, component, &facts)?))?;
        Ok(Answer::Fine)
    }
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
