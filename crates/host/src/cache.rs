//! Component bytes in, compiled component out, from a file where there is a good one.

use crate::error::EngineError;
use crate::limits::Cache;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use wasmtime::Engine;
use wasmtime::component::Component;

/// Length of the checksum that each file starts with.
const CHECKSUM: usize = 32;

/// A component and where its code came from.
pub struct Compiled {
    pub component: Component,
    pub from_cache: bool,
}

/// Takes the component from the cache, or compiles it and leaves it there for the next time.
pub fn compile(engine: &Engine, bytes: &[u8], digest: &str, cache: &Cache) -> Result<Compiled, EngineError> {
    let file = cache.folder().map(|folder| folder.join(file_name(engine, digest)));
    if let Some(component) = file.as_deref().and_then(|file| read(engine, file)) {
        return Ok(Compiled { component, from_cache: true });
    }
    let component = Component::from_binary(engine, bytes).map_err(EngineError::not_a_policy)?;
    if let Some(file) = file {
        // A cache that can't be written costs time, not decisions.
        let _ = write(&component, &file);
    }
    Ok(Compiled { component, from_cache: false })
}

/// The digest of a policy as registries write it, without its prefix.
pub fn digest(bytes: &[u8]) -> String {
    let digits: Vec<_> = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}

/// Names the policy and everything that its compiled code depends on: wasmtime's version, its settings, the CPU.
fn file_name(engine: &Engine, digest: &str) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    format!("{digest}-{:016x}.cwasm", hasher.finish()).into()
}

fn read(engine: &Engine, file: &Path) -> Option<Component> {
    let bytes = read_own(file).ok()?;
    let (checksum, code) = bytes.split_at_checked(CHECKSUM)?;
    if checksum != &Sha256::digest(code)[..] {
        return None;
    }
    // SAFETY: `code` is what `Component::serialize` gave: the checksum tells damage, the folder is the user's own and
    // closed to others, and wasmtime checks that version, settings and CPU fit.
    #[allow(unsafe_code, reason = "reading compiled code back is what a cache is for")]
    unsafe { Component::deserialize(engine, code) }.ok()
}

/// The content of a file that nobody but this user can have written.
fn read_own(path: &Path) -> io::Result<Vec<u8>> {
    let folder = path.parent().unwrap_or(path);
    let mut file = File::open(path)?;
    if !only_ours(folder, &fs::symlink_metadata(folder)?)? || !only_ours(folder, &file.metadata()?)? {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "others can write to the cache"));
    }
    let mut content = Vec::new();
    file.read_to_end(&mut content)?;
    Ok(content)
}

/// Whether this user owns something and nobody else can write to it.
#[cfg(unix)]
fn only_ours(folder: &Path, of: &fs::Metadata) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    // A new file has the owner that this process makes files as.
    let ours = tempfile::tempfile_in(folder)?.metadata()?.uid();
    Ok(of.uid() == ours && of.mode() & 0o022 == 0 && !of.file_type().is_symlink())
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "modes are a matter of Unix")]
fn only_ours(_folder: &Path, _of: &fs::Metadata) -> io::Result<bool> {
    Ok(true)
}

/// Writes beside the file and renames: whoever reads at the same time sees the old file, the new one, or none.
fn write(component: &Component, file: &Path) -> io::Result<()> {
    let folder = file.parent().unwrap_or(file);
    create_private(folder)?;
    let code = component.serialize().map_err(io::Error::other)?;
    let mut unfinished = tempfile::NamedTempFile::new_in(folder)?;
    unfinished.write_all(&Sha256::digest(&code))?;
    unfinished.write_all(&code)?;
    unfinished.persist(file)?;
    Ok(())
}

fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
