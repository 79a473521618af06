//! Archives whose bytes depend on the files alone.

use crate::run;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Packs what a folder holds; compressed where the name says so.
pub fn pack(folder: &Path, entries: &[&str], archive: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.current_dir(folder);
    tar.args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"]);
    if archive.extension().is_some_and(|extension| extension == "gz") {
        tar.args(["--use-compress-program", "gzip -n9"]);
    }
    run::exec(tar.args(["--create", "--file"]).arg(archive).args(entries))
}
