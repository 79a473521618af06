//! Everything that a release consists of, below `dist/release/`. Publishing it is up to a person.

mod binaries;
mod go_module;
mod krew;
mod notes;
mod provenance;
mod sums;

pub use binaries::PLATFORMS;

use crate::{artifact, image, package, pkg, run, vulnerabilities};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};

/// The version of every part.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What is taken over from `dist/`, where the artifact is built.
const ARTIFACT: &[&str] = &["capi_policy.wasm", "capi_policy.core.wasm", "sbom.cdx.json", "wit/package.wasm"];

const BY_HAND: &str = "only --dry-run builds a release; dist/release/ is then published by a person who has looked at it, as docs/releases.md \
    says";

/// Options of `cargo xtask release`.
#[derive(clap::Args)]
pub struct Options {
    /// Build everything and publish nothing
    #[arg(long)]
    dry_run: bool,
}

/// Builds the release from a clean tree, after the dependencies have been checked.
pub fn release(options: &Options) -> Result<()> {
    if !options.dry_run {
        bail!(BY_HAND);
    }
    ensure_clean()?;
    let notes = notes::of(VERSION)?;
    let unknown = vulnerabilities::check()?;
    let folder = run::root().join("dist/release");
    let before = sums::read(&folder);
    if folder.exists() {
        fs::remove_dir_all(&folder).context("dist/release")?;
    }
    fs::create_dir_all(&folder)?;
    artifact::artifact()?;
    for name in ARTIFACT {
        copy(&run::root().join("dist").join(name), &folder.join(name.replace('/', "-")))?;
    }
    provenance::write(&folder)?;
    binaries::build(&folder)?;
    krew::write(&folder)?;
    image::save(&folder.join(format!("capi-policy-{VERSION}-image.oci.tar")))?;
    npm(&folder)?;
    crates(&folder)?;
    go_module::build(&folder)?;
    fs::write(folder.join("NOTES.md"), notes)?;
    let after = sums::write(&folder)?;
    println!("{}", sums::compare(before.as_ref(), &after));
    for warning in unknown {
        println!("{warning}; repeat `cargo xtask test dependencies` where it can, before this is published");
    }
    Ok(())
}

/// A release is made of what is committed.
fn ensure_clean() -> Result<()> {
    let changes = run::output(&mut run::command("git", &["status", "--porcelain"]))?;
    ensure!(changes.is_empty(), "the tree is not clean; a release is built from what is committed:\n{changes}");
    Ok(())
}

fn npm(folder: &Path) -> Result<()> {
    pkg::build()?;
    let folder = folder.to_str().context("a path that is no text")?;
    pkg::npm(&["pack", "--silent", "--pack-destination", folder])
}

/// The crates as `cargo publish` would upload them; `cargo xtask test package` builds each from its package.
fn crates(folder: &Path) -> Result<()> {
    let packages: Vec<_> = package::PUBLISHED.iter().flat_map(|package| ["--package", package]).collect();
    // The component that `capi-policy-artifact` embeds is not committed.
    run::run("cargo", &[&["package", "--locked", "--no-verify", "--allow-dirty"], &packages[..]].concat())?;
    for package in package::PUBLISHED {
        let name = format!("{package}-{VERSION}.crate");
        copy(&target().join("package").join(&name), &folder.join(&name))?;
    }
    Ok(())
}

/// Where cargo puts what it builds.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| run::root().join("target"), PathBuf::from)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| from.display().to_string())?;
    Ok(())
}
