//! Builds the versioned artifact: everything a release consists of, below `dist/`.

mod component;
mod core_module;
mod guest;
mod reproducible;
mod sbom;
mod size;
mod wit_package;
mod wit_semver;

pub use reproducible::check_reproducible;

use crate::run;
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::path::Path;

/// The files of a release, each with its bytes.
type Files = Vec<(String, Vec<u8>)>;

const COMPONENT: &str = "capi_policy.wasm";

/// Builds the artifact below `dist/` and says how large it is.
pub fn artifact() -> Result<()> {
    let files = build(&run::root(), &guest::revision(&run::root()), None)?;
    let dist = run::root().join("dist");
    let sums: Vec<_> = files.iter().map(|(name, bytes)| format!("{}  {name}\n", sha256(bytes))).collect();
    let sums = sums.concat();
    for (name, bytes) in &files {
        write(&dist.join(name), bytes)?;
    }
    write(&dist.join("SHA256SUMS"), sums.as_bytes())?;
    embed(&files)?;
    for (name, bytes) in files.iter().filter(|(name, _)| name.starts_with("capi_policy.")) {
        let size = size::Size::of(bytes);
        run::say(&format!("dist/{name}: {size}"));
        size.check()?;
    }
    Ok(())
}

/// Puts the component where the crate that embeds it finds it; a file that is the same stays, so that nothing is built again.
fn embed(files: &Files) -> Result<()> {
    let (_, component) = files.iter().find(|(name, _)| name == COMPONENT).context(COMPONENT)?;
    let file = run::root().join("crates/artifact").join(COMPONENT);
    if fs::read(&file).is_ok_and(|bytes| bytes == *component) { Ok(()) } else { write(&file, component) }
}

/// Fails when the WIT package breaks hosts that its version promises to serve.
pub fn check_contract() -> Result<()> {
    wit_semver::check(&run::root())
}

/// Prints what the artifact is made of.
pub fn print_bill_of_materials() -> Result<()> {
    std::io::stdout().write_all(&sbom::cyclone_dx(&run::root())?)?;
    Ok(())
}

/// Everything but the checksums. `cargo_home` is the one to build with, when not the usual one.
fn build(root: &Path, revision: &str, cargo_home: Option<&Path>) -> Result<Files> {
    let policy = component::encode(&guest::build(root, cargo_home)?, revision)?;
    component::refuse_imports(&policy)?;
    let core = core_module::cut_out(&policy)?;
    component::refuse_imports(&core)?;
    let mut files = vec![
        (COMPONENT.to_owned(), policy),
        ("capi_policy.core.wasm".to_owned(), core),
        ("sbom.cdx.json".to_owned(), sbom::cyclone_dx(root)?),
    ];
    files.extend(wit_package::files(root)?);
    Ok(files)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    fs::write(path, bytes).with_context(|| path.display().to_string())
}

/// The checksum as `sha256sum` prints it.
pub fn sha256(bytes: &[u8]) -> String {
    let digits: Vec<_> = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}
