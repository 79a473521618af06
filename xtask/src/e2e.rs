//! Tests of the host on a real API server.

use crate::{artifact, run, testplane};
use anyhow::Result;
use std::process::Command;

/// Builds everything and runs the tests one after the other: each is several programs already. In the profile of the
/// host: then what both are made of is built once.
pub fn test() -> Result<()> {
    prepare("tested")?;
    let arguments = ["test", "--locked", "--profile", "tested", "--no-fail-fast", "--package", "capi-policy-e2e"];
    run::exec(environment(run::command("cargo", &arguments).env_remove("RUST_LOG"), "tested")?)
}

/// Measures the host under load, and prints what it found.
pub fn load() -> Result<()> {
    prepare("release")?;
    let arguments = ["run", "--locked", "--release", "--package", "capi-policy-e2e", "--bin", "load"];
    run::exec(environment(&mut run::command("cargo", &arguments), "release")?)
}

fn prepare(profile: &str) -> Result<()> {
    testplane::build()?;
    testplane::build_upstream()?;
    artifact::artifact()?;
    run::run("cargo", &["build", "--locked", "--profile", profile, "--package", "capi-policy-host"])
}

/// Where the programs are.
fn environment<'c>(command: &'c mut Command, profile: &str) -> Result<&'c mut Command> {
    let root = run::root();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    Ok(command
        .env("CLUSTER_API", testplane::cluster_api()?)
        .env("TESTPLANE", root.join("target/testplane/testplane"))
        .env("UPSTREAM", root.join("target/testplane/upstream"))
        .env("CAPI_POLICY_HOST", target.join(profile).join("capi-policy"))
        .env("CAPI_POLICY", root.join("dist/capi_policy.wasm"))
        .env("CAPI_POLICY_FLEET", root.join("dist/capi_policy.fleet.wasm")))
}
