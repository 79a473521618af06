//! The command `capi-policy` as static programs for Linux.

use super::{VERSION, copy, target};
use crate::{archive, run};
use anyhow::{Result, ensure};
use std::fs;
use std::path::Path;

/// Where the files of archives are put together.
const STAGED: &str = "release-files";

/// A processor, as Go and container images name it.
pub struct Platform {
    pub name: &'static str,
    pub target: &'static str,
    /// The linker: of a cross compiler, which Debian has, since musl's own is for the machine's processor only.
    linker: Option<(&'static str, &'static [&'static str])>,
}

/// Every platform; the first is what the image is for.
pub const PLATFORMS: &[Platform] = &[
    Platform { name: "amd64", target: "x86_64-unknown-linux-musl", linker: None },
    Platform {
        name: "arm64",
        target: "aarch64-unknown-linux-musl",
        linker: Some(("aarch64-linux-gnu-gcc", &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"])),
    },
];

/// Builds the program for every platform, and packs each with the policy and its licence.
pub fn build(folder: &Path) -> Result<()> {
    for platform in PLATFORMS {
        let program = platform.build()?;
        ensure!(is_static(&program)?, "{} is not static", program.display());
        let name = platform.release_name();
        let staged = target().join(STAGED).join(&name);
        fs::create_dir_all(&staged)?;
        copy(&program, &staged.join("capi-policy"))?;
        // Beside the program is where it looks for a policy when none is named.
        copy(&run::root().join("dist/capi_policy.wasm"), &staged.join("capi_policy.wasm"))?;
        for file in ["LICENSE", "README.md"] {
            copy(&run::root().join(file), &staged.join(file))?;
        }
        archive::pack(&target().join(STAGED), &[&name], &folder.join(archive_name(platform)))?;
    }
    Ok(())
}

/// The file that a platform's program is published in.
pub fn archive_name(platform: &Platform) -> String {
    platform.release_name() + ".tar.gz"
}

impl Platform {
    fn release_name(&self) -> String {
        format!("capi-policy-{VERSION}-linux-{}", self.name)
    }

    /// The program, with paths that are the same on every machine.
    pub fn build(&self) -> Result<std::path::PathBuf> {
        run::ensure_target(self.target)?;
        let variable = |name: &str| format!("{name}_{}", self.target.replace('-', "_"));
        let arguments = [
            "build",
            "--locked",
            "--release",
            "--target",
            self.target,
            "--package",
            "capi-policy-cli",
            "--bin",
            "capi-policy",
        ];
        let mut cargo = run::command("cargo", &arguments);
        cargo.env(
            "RUSTFLAGS",
            format!("{} -C strip=symbols -C target-feature=+crt-static", crate::pkg::same_paths_everywhere()),
        );
        match self.linker {
            None => run::ensure_debian("musl-gcc", &["musl-tools"])?,
            Some((linker, packages)) => {
                run::ensure_debian(linker, packages)?;
                // Rust brings musl itself; C code of the cryptography provider only needs headers, which both have.
                cargo.env(variable("CC"), linker);
                cargo.env(format!("CARGO_TARGET_{}_LINKER", self.target.replace('-', "_").to_uppercase()), linker);
            }
        }
        run::exec(&mut cargo)?;
        Ok(target().join(self.target).join("release/capi-policy"))
    }
}

/// Whether a program needs no loader: it has no segment that names one.
fn is_static(program: &Path) -> Result<bool> {
    let mut readelf = run::command("readelf", &["--program-headers", "--wide"]);
    let headers = run::output(readelf.arg(program))?;
    Ok(!headers.contains("INTERP"))
}
