//! Tools that some steps install on demand, in the very version that they name, below `target/tools`.

use crate::run;
use anyhow::{Context, Result};
use std::path::PathBuf;

/// A crate's program of the same name. It is built without optimization: it runs for seconds and takes minutes to build.
pub fn cargo(name: &str, version: &str, options: &[&str]) -> Result<String> {
    install(name, version, |folder| {
        let arguments = ["install", "--locked", "--debug", "--quiet", "--version", version, "--root"];
        let mut cargo = run::command("cargo", &arguments);
        cargo.arg(folder).args(options).arg(name).env("CARGO_TARGET_DIR", run::root().join("target/tools/build"));
        run::exec(&mut cargo)
    })
}

/// A Go program, named with its version.
pub fn go(name: &str, package: &str) -> Result<String> {
    let version = package.rsplit_once('@').map_or("", |(_, version)| version);
    install(name, version, |folder| {
        run::exec(run::command("go", &["install", package]).env("GOBIN", folder.join("bin")).env("GOTOOLCHAIN", "auto"))
    })
}

/// The program's path, after it was installed unless it was before.
fn install(name: &str, version: &str, install: impl Fn(PathBuf) -> Result<()>) -> Result<String> {
    let folder = run::root().join("target/tools").join(format!("{name}-{version}"));
    let program = folder.join("bin").join(name);
    if !program.exists() {
        run::say(&format!("{name} {version} is missing, installing it into target/tools"));
        install(folder)?;
    }
    Ok(program.to_str().context("a path that is no text")?.to_owned())
}
