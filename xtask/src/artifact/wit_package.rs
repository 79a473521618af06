//! The WIT package as it is released: its files, and the whole in the binary form that registries store.

use super::Files;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use wit_parser::Resolve;

/// The files of `dist/wit/`.
pub fn files(root: &Path) -> Result<Files> {
    let folder = root.join("wit");
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(&folder)?;
    let mut files = vec![("wit/package.wasm".to_owned(), wit_component::encode(&resolve, package, false)?)];
    for entry in folder.read_dir().with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push((format!("wit/{name}"), fs::read(&path)?));
    }
    files.sort();
    Ok(files)
}
