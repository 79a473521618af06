//! Builds the artifact in a second place and compares every byte with `dist/`.

use super::{build, guest};
use crate::run;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Builds from a copy of the sources, with a cargo home of another name, and fails where a byte of `dist/` differs.
pub fn check_reproducible() -> Result<()> {
    let root = run::root();
    let elsewhere = tempfile::tempdir()?;
    let copy = elsewhere.path().join("a copy with a longer name");
    copy_sources(&root, &copy)?;
    let home = elsewhere.path().join("another cargo home");
    fs::create_dir(&home)?;
    symlink(guest::default_cargo_home()?.join("registry"), home.join("registry"))?;

    for (name, bytes) in build(&copy, &guest::revision(&root), Some(&home))? {
        let built_here = fs::read(root.join("dist").join(&name)).with_context(|| format!("dist/{name}"))?;
        ensure!(built_here == bytes, "dist/{name} has other bytes when it is built elsewhere");
    }
    run::say("two builds in two directories gave the same bytes");
    Ok(())
}

/// Copies what git would commit: what is ignored must not matter.
fn copy_sources(from: &Path, to: &Path) -> Result<()> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(from)
        .output()
        .context("could not start git")?;
    ensure!(output.status.success(), "git ls-files: {}", String::from_utf8_lossy(&output.stderr));
    for name in String::from_utf8(output.stdout)?.split_terminator('\0') {
        let (source, copy) = (from.join(name), to.join(name));
        if source.is_file() {
            fs::create_dir_all(copy.parent().unwrap_or(to))?;
            fs::copy(&source, &copy).with_context(|| name.to_owned())?;
        }
    }
    Ok(())
}
