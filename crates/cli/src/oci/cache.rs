//! Pinned policies on disk, each checked against its digest whenever it is read.

use super::{digest, layout};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The component behind a manifest's digest, if it is here and unharmed.
pub fn read(manifest_digest: &str) -> Option<Vec<u8>> {
    let folder = folder()?;
    let manifest =
        fs::read(folder.join(file(manifest_digest))).ok().filter(|bytes| digest(bytes) == manifest_digest)?;
    let layer = layout::layer(&manifest).ok()?;
    let component = fs::read(folder.join(file(&layer.digest))).ok()?;
    layout::verify(&layer, &component).is_ok().then_some(component)
}

/// Keeps a policy. A cache that can't be written costs a download next time, no more.
pub fn write(manifest: &[u8], component: &[u8]) {
    let Some(folder) = folder() else { return };
    if create_private(&folder).is_ok() {
        let _ = store(&folder, component).and_then(|()| store(&folder, manifest));
    }
}

/// Compiled code is kept beside it, so the folder is closed to others from the start.
fn create_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Whole or not at all, also when several processes do it at once.
fn store(folder: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.persist(folder.join(file(&digest(bytes))))?;
    Ok(())
}

fn folder() -> Option<PathBuf> {
    dirs::cache_dir().map(|cache| cache.join("capi-policy/oci"))
}

fn file(digest: &str) -> String {
    digest.replace(':', "-")
}
