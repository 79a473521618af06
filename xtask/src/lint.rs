//! Format, lints, dependencies.

use crate::run;
use anyhow::Result;

/// Runs every check that needs no test.
pub fn lint() -> Result<()> {
    run::ensure_target("wasm32-unknown-unknown")?;
    run::run("cargo", &["fmt", "--all", "--check"])?;
    run::run(
        "cargo",
        &[
            "clippy",
            "--locked",
            "--package",
            "capi-policy",
            "--package",
            "capi-policy-corpus",
            "--package",
            "xtask",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ],
    )?;
    run::run(
        "cargo",
        &[
            "clippy",
            "--locked",
            "--package",
            "capi-policy",
            "--target",
            "wasm32-unknown-unknown",
            "--",
            "-D",
            "warnings",
        ],
    )
}
