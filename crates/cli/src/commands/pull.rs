//! `capi-policy pull`.

use super::Answer;
use crate::oci;
use crate::render::{note, print};
use crate::trust::TrustArgs;
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  capi-policy pull oci://registry.example/policies/capi-policy:0.1.0
  capi-policy pull oci://registry.example/policies/capi-policy:0.1.0@sha256:… --to policy.wasm
  capi-policy pull oci://registry.example/policies/capi-policy:0.1.0 --verify cosign.pub";

/// Download a policy from an OCI registry and print its pinned reference
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Which one
    #[arg(value_name = "oci://REGISTRY/NAME:TAG[@DIGEST]")]
    from: String,
    /// The file to write
    #[arg(long, value_name = "FILE", default_value = "capi_policy.wasm")]
    to: PathBuf,
    #[command(flatten)]
    trust: TrustArgs,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let pulled = oci::pull(&self.from, self.trust.trust()?.as_ref())?;
        fs::write(&self.to, &pulled.component).with_context(|| self.to.display().to_string())?;
        note(&format!("wrote {} ({} bytes)", self.to.display(), pulled.component.len()));
        print(&format!("{}\n", pulled.pinned))?;
        Ok(Answer::Fine)
    }
}
