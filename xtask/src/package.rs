//! The crates that others depend on, packaged and built from their packages.

use crate::{artifact, run};
use anyhow::{Result, ensure};

/// What is published, in the order in which one needs the other.
pub const PUBLISHED: &[&str] = &[
    "capi-policy-json",
    "capi-policy",
    "capi-policy-artifact",
    "capi-policy-corpus",
    "capi-policy-signing",
    "capi-policy-simulator",
    "capi-policy-host",
    "capi-policy-controller",
    "capi-policy-cli",
];

/// What a controller that runs a policy must not have to compile.
const NOT_IN_THE_HOST: &[&str] = &["kube", "kube-client", "clap", "oci-client", "capi-policy-corpus"];

/// Packages every published crate, builds it from its package, and looks into it.
pub fn test() -> Result<()> {
    artifact::artifact()?;
    for (package, file) in [
        ("capi-policy", "wit/world.wit"),
        ("capi-policy-host", "wit/world.wit"),
        ("capi-policy-artifact", "capi_policy.wasm"),
    ] {
        let list = ["package", "--locked", "--list", "--allow-dirty", "--package", package];
        let files = run::output(&mut run::command("cargo", &list))?;
        ensure!(files.lines().any(|line| line == file), "the package {package} has no {file}");
    }
    let tree = [
        "tree",
        "--locked",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--all-features",
        "--package",
        "capi-policy-host",
    ];
    let tree = run::output(&mut run::command("cargo", &[&tree[..], &["--format", "{p}"]].concat()))?;
    let brought: Vec<_> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    let unwanted: Vec<_> = NOT_IN_THE_HOST.iter().filter(|name| brought.contains(name)).collect();
    ensure!(unwanted.is_empty(), "capi-policy-host brings {unwanted:?}");
    let packages: Vec<_> = PUBLISHED.iter().flat_map(|package| ["--package", package]).collect();
    run::run("cargo", &[&["package", "--locked", "--allow-dirty"], &packages[..]].concat())
}
