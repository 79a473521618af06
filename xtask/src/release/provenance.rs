//! How the artifact was built, as the predicate of SLSA's provenance: `capi-policy push --provenance` signs it. It names no time and
//! no machine, so that a second build of the same commit gives the same bytes.

use crate::artifact::sha256;
use crate::run;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const PLACE: &str = env!("CARGO_PKG_REPOSITORY");

/// Writes `provenance.json`.
pub fn write(folder: &Path) -> Result<()> {
    let commit = run::output(&mut run::command("git", &["rev-parse", "HEAD"]))?;
    let compiler = run::output(&mut run::command("rustc", &["--version"]))?;
    let lock = fs::read(run::root().join("Cargo.lock")).context("Cargo.lock")?;
    let predicate = predicate(commit.trim(), compiler.trim(), &sha256(&lock));
    fs::write(folder.join("provenance.json"), serde_json::to_string_pretty(&predicate)? + "\n")?;
    Ok(())
}

fn predicate(commit: &str, compiler: &str, lock: &str) -> Value {
    let source = format!("git+{PLACE}");
    json!({
        "buildDefinition": {
            "buildType": format!("{PLACE}/build/v1"),
            "externalParameters": { "source": source, "command": "cargo xtask artifact" },
            "internalParameters": { "compiler": compiler },
            "resolvedDependencies": [
                { "uri": source, "digest": { "gitCommit": commit } },
                { "uri": "Cargo.lock", "digest": { "sha256": lock } },
            ],
        },
        "runDetails": { "builder": { "id": format!("{PLACE}/blob/{commit}/xtask/src/artifact.rs") } },
    })
}

#[cfg(test)]
mod tests {
    use super::predicate;

    #[test]
    fn the_commit_and_the_lock_file_are_named() {
        let predicate = predicate("c0ffee", "rustc 1.95.0", "00");
        let dependencies = &predicate["buildDefinition"]["resolvedDependencies"];
        assert_eq!(dependencies[0]["digest"]["gitCommit"], "c0ffee");
        assert_eq!(dependencies[1]["digest"]["sha256"], "00");
    }
}
