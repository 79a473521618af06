//! The container image: from scratch, the static binary and the policy.

use crate::release::PLATFORMS;
use crate::{archive, artifact, run};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// As `deploy/` names it.
const NAME: &str = concat!("ghcr.io/capi-policy/capi-policy:", env!("CARGO_PKG_VERSION"));
const CA_ROOTS: &str = "/etc/ssl/certs/ca-certificates.crt";
/// What may be in the image.
const CONTENT: &[&str] = &["capi-policy", "capi_policy.wasm"];

/// Builds the image.
pub fn image() -> Result<()> {
    run::ensure_debian("buildah", &["buildah"])?;
    run::ensure_debian("update-ca-certificates", &["ca-certificates"])?;
    artifact::artifact()?;
    let platform = PLATFORMS.first().context("no platform")?;
    let program = platform.build()?;
    let context = run::root().join("target/image");
    fs::create_dir_all(&context)?;
    let files = [
        (program, "capi-policy"),
        (run::root().join("dist/capi_policy.wasm"), "capi_policy.wasm"),
        (run::root().join("deploy/Containerfile"), "Containerfile"),
        (PathBuf::from(CA_ROOTS), "ca-certificates.crt"),
    ];
    for (from, name) in files {
        fs::copy(&from, context.join(name)).with_context(|| from.display().to_string())?;
    }
    run::exec(buildah().args(["build", "--isolation", "chroot", "--timestamp", "0", "--tag", NAME]).arg(&context))
}

/// Builds the image and writes it as an archive in OCI's layout, which registries and container engines read.
pub fn save(to: &Path) -> Result<()> {
    image()?;
    let layout = run::root().join("target/image-layout");
    if layout.exists() {
        fs::remove_dir_all(&layout)?;
    }
    run::exec(buildah().args(["push", "--quiet", NAME]).arg(format!("oci:{}:{NAME}", layout.display())))?;
    // Packed here, since buildah's own archives carry the time at which they were made.
    archive::pack(&layout, &["blobs", "index.json", "oci-layout"], to)
}

/// Builds the image, looks into it and runs what is in it.
pub fn test() -> Result<()> {
    image()?;
    let container = output(buildah().args(["from", NAME]))?;
    let folder = output(buildah().args(["mount", &container]))?;
    let found: BTreeSet<String> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_>>()?;
    run::say(&format!("the image holds {found:?}"));
    // Folders that buildah makes for its own mounts are empty and not part of the image.
    let own = |name: &&String| !["dev", "etc", "proc", "run", "sys"].contains(&name.as_str());
    let content: Vec<_> = found.iter().filter(own).collect();
    ensure!(content == CONTENT, "the image holds {found:?}, expected {CONTENT:?}");
    let roots = fs::read_to_string(format!("{folder}{CA_ROOTS}")).context("the CA roots of the image")?;
    ensure!(roots.contains("BEGIN CERTIFICATE"), "the image has no CA roots");
    let binary = PathBuf::from(&folder).join("capi-policy");
    let version = output(Command::new(&binary).arg("--version"))?;
    run::exec(Command::new(&binary).arg("inspect").arg(PathBuf::from(&folder).join("capi_policy.wasm")))?;
    run::exec(buildah().args(["rm", &container]))?;
    println!("image {NAME}: {content:?}, {version}");
    Ok(())
}

/// Without an engine, a daemon or a name space of its own.
fn buildah() -> Command {
    let mut command = run::command("buildah", &["--storage-driver", "vfs", "--root"]);
    command.arg(run::root().join("target/image-storage")).arg("--runroot").arg(run::root().join("target/image-run"));
    command
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
