//! Format, lints, dependencies.

use crate::run;
use anyhow::Result;

const GUEST_TARGET: &str = "wasm32-unknown-unknown";

/// Runs every check that needs no test.
pub fn lint() -> Result<()> {
    run::ensure_target(GUEST_TARGET)?;
    run::run("cargo", &["fmt", "--all", "--check"])?;
    clippy(&["--package=capi-policy", "--package=capi-policy-corpus", "--package=xtask", "--all-targets"])?;
    clippy(&["--package=capi-policy", "--target", GUEST_TARGET])?;
    clippy(&["--package=capi-policy", "--target", GUEST_TARGET, "--features=component"])?;
    clippy(&["--package=capi-policy", "--target", GUEST_TARGET, "--features=browser"])?;
    // In release, as the host is tested: then the macros and build scripts of wasmtime are built once.
    clippy(&["--package=capi-policy-host", "--all-targets", "--release"])
}

fn clippy(what: &[&str]) -> Result<()> {
    run::run("cargo", &[&["clippy", "--locked"], what, &["--", "-D", "warnings"]].concat())
}
