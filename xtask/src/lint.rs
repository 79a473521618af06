//! Format, lints, dependencies.

use crate::{dependencies, pkg, run};
use anyhow::Result;

const GUEST_TARGET: &str = "wasm32-unknown-unknown";

/// Runs every check that needs no test.
pub fn lint() -> Result<()> {
    dependencies::check_reasons()?;
    run::ensure_target(GUEST_TARGET)?;
    run::run("cargo", &["fmt", "--all", "--check"])?;
    pkg::npm_ci()?;
    pkg::npm(&["run", "--silent", "lint"])?;
    clippy(&["--package=capi-policy", "--package=capi-policy-json", "--all-targets"])?;
    clippy(&[
        "--package=capi-policy-corpus",
        "--package=capi-policy-simulator",
        "--package=capi-policy-simulator-web",
        "--package=capi-policy-documents",
        "--package=capi-policy-fuzz",
        "--package=capi-policy-schema",
        "--package=xtask",
        "--all-targets",
    ])?;
    clippy(&["--package=capi-policy", "--target", GUEST_TARGET])?;
    clippy(&["--package=capi-policy", "--target", GUEST_TARGET, "--features=component"])?;
    clippy(&["--package=capi-policy", "--target", GUEST_TARGET, "--features=browser"])?;
    // As the host is tested: then the macros and build scripts of wasmtime are built once.
    clippy(&[
        "--package=capi-policy-host",
        "--package=capi-policy-controller",
        "--package=capi-policy-signing",
        "--package=capi-policy-cli",
        "--package=capi-policy-host-example",
        "--package=capi-policy-artifact",
        "--package=capi-policy-e2e",
        "--all-targets",
        "--profile=tested",
    ])?;
    // Not part of the default tests, so not of all targets.
    clippy(&["--package=capi-policy-e2e", "--test=rehearsal", "--profile=tested"])
}

fn clippy(what: &[&str]) -> Result<()> {
    run::run("cargo", &[&["clippy", "--locked"], what, &["--", "-D", "warnings"]].concat())
}
