//! The baseline of `benches/fuel.toml`, measured and accepted.

use crate::{artifact, run};
use anyhow::Result;

/// Measures every decision with the policy as it is now, and writes the baseline.
pub fn accept() -> Result<()> {
    artifact::artifact()?;
    let arguments = ["test", "--locked", "--profile", "tested", "--package", "capi-policy-host", "--test", "fuel"];
    run::exec(run::command("cargo", &arguments).env("ACCEPT_FUEL", "1"))
}
