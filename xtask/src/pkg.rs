//! The npm package: the crate with feature `browser`, the JavaScript around it, and the compiled TypeScript.

mod order;

use crate::run;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "browser";

/// Builds `pkg/wasm` and `pkg/dist`.
pub fn build() -> Result<()> {
    wasm("capi-policy", &["--features", "browser"])?;
    npm_ci()?;
    npm(&["run", "--silent", "build"])
}

/// Installs what `pkg/package-lock.json` names, unless that is there already.
pub fn npm_ci() -> Result<()> {
    let lock = folder().join("package-lock.json");
    let installed = folder().join("node_modules/.package-lock.json");
    let time = |path: &PathBuf| path.metadata().and_then(|file| file.modified()).ok();
    if time(&installed) >= time(&lock) && installed.exists() {
        return Ok(());
    }
    npm(&["ci", "--no-audit", "--no-fund"])
}

/// Runs npm in `pkg`.
pub fn npm(arguments: &[&str]) -> Result<()> {
    run::exec(&mut npm_command(arguments))
}

/// An npm command in `pkg`.
pub fn npm_command(arguments: &[&str]) -> Command {
    let mut command = run::command("npm", arguments);
    command.current_dir(folder());
    command
}

/// The simulator in `pkg/wasm`: a module of its own for the playground, no part of the package.
pub fn simulator() -> Result<()> {
    wasm("capi-policy-simulator-web", &[])
}

/// `pkg/wasm`: a crate's module and the JavaScript that wasm-bindgen makes for it.
fn wasm(package: &str, features: &[&str]) -> Result<()> {
    run::ensure_target(TARGET)?;
    let arguments = [&["build", "--locked", "--package", package, "--lib"], features].concat();
    let name = package.replace('-', "_");
    let module = target_folder()?.join(TARGET).join(PROFILE).join(&name).with_extension("wasm");
    run::exec(
        run::command("cargo", &arguments)
            .args(["--target", TARGET, "--profile", PROFILE])
            .env("RUSTFLAGS", same_paths_everywhere()),
    )?;
    Bindgen::new()
        .web(true)?
        .input_path(&module)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .typescript(true)
        .generate(folder().join("wasm"))
        .with_context(|| format!("wasm-bindgen on {}", module.display()))?;
    let bound = folder().join("wasm").join(format!("{name}_bg.wasm"));
    fs::write(&bound, order::alike_together(&fs::read(&bound)?).with_context(|| bound.display().to_string())?)?;
    Ok(())
}

/// The bytes must not depend on where the sources lie.
pub fn same_paths_everywhere() -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    let cargo = std::env::var("CARGO_HOME").unwrap_or_else(|_| format!("{home}/.cargo"));
    format!("--remap-path-prefix={cargo}=/cargo --remap-path-prefix={}=/capi-policy", run::root().display())
}

/// Where cargo puts what it builds.
fn target_folder() -> Result<PathBuf> {
    let output = run::command("cargo", &["metadata", "--format-version=1", "--no-deps", "--offline"]).output()?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    match metadata["target_directory"].as_str() {
        Some(folder) => Ok(folder.into()),
        None => bail!("cargo metadata names no target directory"),
    }
}

fn folder() -> PathBuf {
    run::root().join("pkg")
}
