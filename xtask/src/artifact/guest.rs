//! Builds the core module from the sources: the same bytes wherever the sources lie.

use crate::run;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "guest";

/// Strings are searched sixteen bytes at a time; every engine that runs components knows these instructions.
const FAST_STRINGS: &str = "-Ctarget-feature=+simd128";

/// Functions that run for each byte, member or condition say `inline(always)`; where the compiler inlines others, unrolls
/// loops and works on vectors as it usually does, the policy becomes a fifth larger and hardly faster.
const LESS_INLINING: &[&str] = &[
    "-Cllvm-args=-inline-threshold=30",
    "-Cllvm-args=-inlinehint-threshold=60",
    "-Cllvm-args=-unroll-max-count=1",
    "-Cno-vectorize-loops",
];

/// Builds the policy for WebAssembly.
pub fn build(root: &Path, cargo_home: Option<&Path>) -> Result<Vec<u8>> {
    run::ensure_target(TARGET)?;
    let home = cargo_home.map_or_else(default_cargo_home, |home| Ok(home.to_owned()))?;
    let cargo = || {
        let mut command = Command::new("cargo");
        command.current_dir(root).env("CARGO_HOME", &home).env_remove("RUSTFLAGS");
        command
    };
    // The folders to remap exist only once the dependencies are there.
    run::exec(cargo().args(["fetch", "--quiet", "--locked", "--target", TARGET]))?;
    let target_dir = root.join("target/guest");
    run::exec(
        cargo()
            .args(["build", "--locked", "--package", "capi-policy", "--lib", "--features", "component"])
            .args(["--profile", PROFILE, "--target", TARGET, "--target-dir"])
            .arg(&target_dir)
            .env("CARGO_ENCODED_RUSTFLAGS", arguments(root, &home)?.join("\u{1f}")),
    )?;
    let module = target_dir.join(TARGET).join(PROFILE).join("capi_policy.wasm");
    fs::read(&module).with_context(|| module.display().to_string())
}

/// The commit that the sources are at, `-dirty` when they were changed since, empty when nobody knows.
pub fn revision(root: &Path) -> String {
    let arguments = ["describe", "--always", "--abbrev=40", "--dirty", "--exclude", "*"];
    output("git", &arguments, root).unwrap_or_default()
}

/// How rustc is called beside what the profile says.
fn arguments(root: &Path, cargo_home: &Path) -> Result<Vec<String>> {
    let mut arguments = remapped_paths(root, cargo_home)?;
    arguments.push(FAST_STRINGS.to_owned());
    arguments.extend(LESS_INLINING.iter().map(ToString::to_string));
    Ok(arguments)
}

/// Paths end up in panic messages. These arguments of rustc make them the same on every machine.
fn remapped_paths(root: &Path, cargo_home: &Path) -> Result<Vec<String>> {
    let mut pairs = vec![(root.to_owned(), "/capi-policy".to_owned())];
    let registries = cargo_home.join("registry/src");
    for registry in registries.read_dir().with_context(|| registries.display().to_string())? {
        pairs.push((registry?.path(), "/dependencies".to_owned()));
    }
    // Only where the sources of the standard library are installed does rustc name them by their real path.
    let sysroot = output("rustc", &["--print", "sysroot"], root)?;
    let about = output("rustc", &["--version", "--verbose"], root)?;
    let commit = about.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    pairs.push((Path::new(&sysroot).join("lib/rustlib/src/rust"), format!("/rustc/{commit}")));
    Ok(pairs.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).collect())
}

/// Where cargo keeps what it downloads.
pub fn default_cargo_home() -> Result<PathBuf> {
    if let Some(home) = std::env::var_os("CARGO_HOME") {
        return Ok(home.into());
    }
    Ok(std::env::home_dir().context("no home directory")?.join(".cargo"))
}

fn output(program: &str, arguments: &[&str], folder: &Path) -> Result<String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .with_context(|| format!("could not start {program}"))?;
    ensure!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
