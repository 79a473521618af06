//! Tests of the host on a real API server.

use crate::{artifact, bench, run, testplane};
use anyhow::{Context, Result};
use std::fs;
use std::process::Command;

/// The packages and test programs to run.
const ALL: &[&str] = &[];
const SIDE_BY_SIDE: &[&str] = &["--test", "side_by_side"];
const REHEARSAL: &[&str] = &["--test", "rehearsal"];
const MONITORING: &[&str] = &["--test", "monitoring"];

/// Builds everything and runs the tests one after the other: each is several programs already. In the profile of the
/// host: then what both are made of is built once.
pub fn test() -> Result<()> {
    run_tests(testplane::NEWEST, ALL)
}

/// The host beside the controllers of the release before the newest one.
pub fn test_previous() -> Result<()> {
    run_tests(testplane::PREVIOUS, SIDE_BY_SIDE)
}

/// Short bad days, simulated and real.
pub fn test_rehearsal() -> Result<()> {
    run_tests(testplane::NEWEST, REHEARSAL)
}

/// Writes what a real `watch` serves into `target/monitoring/served.json`.
pub fn serve_metrics() -> Result<()> {
    run_tests(testplane::NEWEST, MONITORING)
}

fn run_tests(release: &str, programs: &[&str]) -> Result<()> {
    prepare("tested")?;
    let arguments = ["test", "--locked", "--profile", "tested", "--no-fail-fast", "--package", "capi-policy-e2e"];
    let mut command = run::command("cargo", &[&arguments, programs].concat());
    run::exec(environment(command.env_remove("RUST_LOG"), "tested", release)?)
}

/// Options of `cargo xtask load`.
#[derive(clap::Args)]
pub struct Load {
    /// Measure Cluster API's own controllers on the same objects afterwards, at 50 and 200 changes a second, and write both
    /// into docs/performance.md
    #[arg(long, value_name = "WHOM")]
    against: Option<Against>,
}

/// Who else is measured.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Against {
    /// Cluster API's controllers
    Upstream,
}

/// Measures the host under load, and prints what it found.
pub fn load(options: &Load) -> Result<()> {
    prepare("release")?;
    let arguments = ["run", "--locked", "--release", "--package", "capi-policy-e2e", "--bin", "load"];
    let mut command = run::command("cargo", &arguments);
    let Some(Against::Upstream) = options.against else {
        return run::exec(environment(&mut command, "release", testplane::NEWEST)?);
    };
    let result = run::root().join("target/load.json");
    command.env("LOAD_AGAINST", "upstream").env("LOAD_RESULT", &result);
    run::exec(environment(&mut command, "release", testplane::NEWEST)?)?;
    bench::write_duel(&fs::read_to_string(&result).with_context(|| result.display().to_string())?)
}

/// Options of `cargo xtask soak`.
#[derive(clap::Args)]
pub struct Soak {
    /// How long rounds are begun; each ends when the state is quiet and equal to a fresh evaluation
    #[arg(long, default_value_t = 20)]
    minutes: u64,
    /// Make the choices of the run that printed this seed; what falls together in time may differ [default: another each time]
    #[arg(long)]
    seed: Option<u64>,
}

/// Lets the host run among random changes and faults, and prints what it found; the properties first, from another seed each time.
pub fn soak(options: &Soak) -> Result<()> {
    let seed = options.seed.map_or_else(random, Ok)?;
    run::say(&format!("properties with PROPERTIES_SEED={seed}"));
    let arguments = ["test", "--locked", "--package", "capi-policy", "--test", "properties"];
    run::exec(run::command("cargo", &arguments).env("PROPERTIES_SEED", seed.to_string()))?;
    prepare("tested")?;
    let arguments = ["run", "--locked", "--profile", "tested", "--package", "capi-policy-e2e", "--bin", "soak"];
    let mut command = run::command("cargo", &arguments);
    command.env("SOAK_MINUTES", options.minutes.to_string());
    command.envs(options.seed.map(|seed| ("SOAK_SEED", seed.to_string())));
    run::exec(environment(&mut command, "tested", testplane::NEWEST)?)
}

/// A number that nobody chose.
fn random() -> Result<u64> {
    let mut bytes = [0; 8];
    std::io::Read::read_exact(&mut fs::File::open("/dev/urandom")?, &mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn prepare(profile: &str) -> Result<()> {
    run::ensure_debian("docker-registry", &["docker-registry"])?;
    run::ensure_debian("openssl", &["openssl"])?;
    testplane::build()?;
    artifact::artifact()?;
    let programs = ["--package", "capi-policy-cli", "--package", "capi-policy-host-example"];
    run::run("cargo", &[&["build", "--locked", "--profile", profile], &programs[..]].concat())
}

/// Where the programs are.
fn environment<'c>(command: &'c mut Command, profile: &str, release: &str) -> Result<&'c mut Command> {
    let root = run::root();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    Ok(command
        .env("CLUSTER_API", testplane::cluster_api(release)?)
        .env("CLUSTER_API_RELEASE", release)
        .env("TESTPLANE", root.join("target/testplane/testplane"))
        .env("KUBECTL", testplane::build_kubectl()?)
        .env("UPSTREAM", testplane::build_upstream(release)?)
        .env("CAPI_POLICY_HOST", target.join(profile).join("capi-policy"))
        .env("CAPI_POLICY_EXAMPLE", target.join(profile).join("capi-policy-host-example"))
        .env("CAPI_POLICY", root.join("dist/capi_policy.wasm")))
}
