//! Every test, in the order in which failures are cheapest to find.

use crate::testplane::Ahead;
use crate::{
    artifact, book, e2e, go, image, integrations, lint, package, playground, run, signing, vectors, vulnerabilities,
    workflows,
};
use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use std::process::Command;
use std::time::Instant;

/// Options of `cargo xtask test`.
#[derive(clap::Args)]
pub struct Options {
    /// Run only these steps, in their order; without a name, those of the default run
    #[arg(value_parser = PossibleValuesParser::new(all().map(|step| step.name)))]
    steps: Vec<String>,
}

/// One group of tests.
struct Step {
    name: &'static str,
    run: fn() -> Result<()>,
}

const STEPS: &[Step] = &[
    Step { name: "lint", run: lint::lint },
    Step { name: "core", run: core },
    Step { name: "artifact", run: artifact },
    Step { name: "host", run: host },
    Step { name: "go", run: go::test },
    Step { name: "browser", run: playground::test },
    Step { name: "e2e", run: e2e::test },
];

/// Groups that run only when they are named.
const ON_REQUEST: &[Step] = &[
    Step { name: "e2e-v1.13", run: e2e::test_previous },
    Step { name: "e2e-rehearsal", run: e2e::test_rehearsal },
    Step { name: "image", run: image::test },
    Step { name: "go-race", run: go::test_race },
    Step { name: "go-vulnerabilities", run: vulnerabilities::test_go },
    Step { name: "package", run: package::test },
    Step { name: "signing", run: signing::test },
    Step { name: "integrations", run: integrations::test },
    Step { name: "dependencies", run: vulnerabilities::test },
    Step { name: "workflows", run: workflows::test },
    Step { name: "docs", run: book::build },
];

/// Every step: first those of the default run.
fn all() -> impl Iterator<Item = &'static Step> {
    STEPS.iter().chain(ON_REQUEST)
}

/// Runs the steps of the default run, or those named.
#[allow(clippy::disallowed_methods, reason = "a person wants to know how long each step takes")]
pub fn test(options: &Options) -> Result<()> {
    let named = |step: &&Step| options.steps.iter().any(|name| name == step.name);
    let wanted: Vec<_> = if options.steps.is_empty() { STEPS.iter().collect() } else { all().filter(named).collect() };
    let on_plane = |step: &Step| ["go", "go-race", "e2e", "e2e-v1.13", "e2e-rehearsal"].contains(&step.name);
    // From nothing the control plane takes minutes to build, and the steps before leave some of the processor unused.
    let mut ahead = wanted.iter().any(|step| on_plane(step)).then(Ahead::start);
    let mut passed = 0_usize;
    for step in wanted {
        if on_plane(step)
            && let Some(ahead) = ahead.take()
        {
            run::say("waiting for the control plane to be built");
            ahead.wait();
        }
        let start = Instant::now();
        run::say(&format!("[{}]", step.name));
        (step.run)().with_context(|| format!("step {}", step.name))?;
        run::say(&format!("[{}] done in {:.0} s", step.name, start.elapsed().as_secs_f32()));
        passed += 1;
    }
    println!("steps: {passed} passed, 0 failed");
    Ok(())
}

fn core() -> Result<()> {
    let packages = [
        "capi-policy",
        "capi-policy-json",
        "capi-policy-corpus",
        "capi-policy-simulator",
        "capi-policy-fuzz",
        "capi-policy-schema",
    ];
    let packages: Vec<_> = packages.iter().flat_map(|package| ["--package", package]).collect();
    run::run("cargo", &[&["test", "--locked"], &packages[..]].concat())
}

fn artifact() -> Result<()> {
    run::run("cargo", &["test", "--locked", "--package", "xtask"])?;
    artifact::check_contract()?;
    artifact::artifact()?;
    artifact::check_reproducible()
}

/// With optimization only: the host's cases run through wasmtime, which takes minutes to build and is slow without.
fn host() -> Result<()> {
    run::ensure_debian("docker-registry", &["docker-registry"])?;
    artifact::artifact()?;
    vectors::write()?;
    run::exec(&mut host_tests(&[]))
}

/// Tests of the host's crates, always of all together: what they are made of depends on which are built.
pub fn host_tests(which: &[&str]) -> Command {
    let packages = ["capi-policy-host", "capi-policy-controller", "capi-policy-signing", "capi-policy-cli"];
    let packages: Vec<_> = packages.iter().flat_map(|package| ["--package", package]).collect();
    run::command("cargo", &[&["test", "--locked", "--profile", "tested"], &packages[..], which].concat())
}
