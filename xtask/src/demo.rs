//! The main job on the example fleet.

use crate::{artifact, run};
use anyhow::Result;

/// When the fleet is in trouble.
const NOW: &str = "2026-01-15T12:00:00Z";

/// Evaluates the example fleet with the policy as a component.
pub fn demo() -> Result<()> {
    artifact::artifact()?;
    let host = ["run", "--locked", "--profile=tested", "--package=capi-policy-cli", "--bin=capi-policy", "--"];
    let fleet = ["-f", "examples/fleet.yaml", "--now", NOW, "--policy", "dist/capi_policy.wasm"];
    run::run("cargo", &[&host[..], &["evaluate"], &fleet].concat())?;
    run::say(
        "what decided about remediation: the same with `explain` … mhc/blue-gpu; what comes next: with `forecast`",
    );
    Ok(())
}
