//! Pinned policies on disk, each checked against its digest whenever it is read.

use super::{digest, layout};
use serde_json::value::RawValue;
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
        let _ = store(&folder, &file(&digest(component)), component)
            .and_then(|()| store(&folder, &file(&digest(manifest)), manifest));
    }
}

/// The bundles that were seen beside a policy. Nothing is believed about them: signatures prove themselves.
pub fn bundles(manifest_digest: &str) -> Vec<Vec<u8>> {
    let file = folder().map(|folder| folder.join(bundles_file(manifest_digest)));
    let bundles = file.and_then(|file| fs::read(file).ok()).and_then(|text| serde_json::from_slice(&text).ok());
    let bundles: Vec<Box<RawValue>> = bundles.unwrap_or_default();
    bundles.iter().map(|bundle| bundle.get().as_bytes().to_vec()).collect()
}

/// Keeps the bundles of a policy in place of those before.
pub fn write_bundles(manifest_digest: &str, bundles: &[Vec<u8>]) {
    let Some(folder) = folder() else { return };
    let raw = |bundle: &Vec<u8>| serde_json::from_slice::<Box<RawValue>>(bundle).ok();
    let bundles: Vec<_> = bundles.iter().filter_map(raw).collect();
    if let (Ok(text), Ok(())) = (serde_json::to_vec(&bundles), create_private(&folder)) {
        let _ = store(&folder, &bundles_file(manifest_digest), &text);
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
fn store(folder: &Path, file: &str, bytes: &[u8]) -> std::io::Result<()> {
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.persist(folder.join(file))?;
    Ok(())
}

fn folder() -> Option<PathBuf> {
    dirs::cache_dir().map(|cache| cache.join("capi-policy/oci"))
}

fn bundles_file(manifest_digest: &str) -> String {
    file(manifest_digest) + ".bundles.json"
}

fn file(digest: &str) -> String {
    digest.replace(':', "-")
}
