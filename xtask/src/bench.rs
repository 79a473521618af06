//! Every engine on the same snapshots in; one table, the targets, `docs/bench.svg` and the figures of `docs/performance.md` out.

mod duel;
mod figures;
mod instructions;
mod markdown;
mod picture;
mod readme;
mod simulations;
mod targets;

use crate::{artifact, go, run};
use anyhow::{Context, Result, ensure};
use capi_policy_corpus::synthetic;
use figures::Figures;
use instructions::Instructions;
use std::fs;

/// Where the snapshots are for the Go side to read.
const SNAPSHOTS: &str = "target/bench";

/// Options of `cargo xtask bench`.
#[derive(clap::Args)]
pub struct Options {
    /// Measure for half a minute, without 10,000 machines, and leave the page and its picture as they are
    #[arg(long)]
    quick: bool,
    /// Measure the Go package only, and write its README
    #[arg(long)]
    go: bool,
    /// Measure simulations of large fleets only, a million machines among them
    #[arg(long, conflicts_with = "go")]
    simulations: bool,
}

/// Measures, prints, and writes down what was measured.
pub fn bench(options: &Options) -> Result<()> {
    if options.simulations {
        return bench_simulations(options);
    }
    ensure!(go::available(), "Go is missing: get Go 1.26 or newer from https://go.dev/dl/, and a C compiler");
    if options.go {
        return bench_go(options);
    }
    artifact::artifact()?;
    let mut figures = Figures::from_host(&host(options)?)?;
    figures.add_go(&go_benchmarks(options)?)?;
    let targets = targets::all(&figures, &Instructions::accepted()?);
    println!("{}\n{}", markdown::figures(&figures), markdown::targets(&targets));
    println!("{}", markdown::targets(&targets::go(&figures)));
    println!("{}", targets::summary(&targets));
    if options.quick {
        return Ok(());
    }
    write("docs/bench.svg", &picture::svg(&figures))?;
    rewrite("docs/performance.md", |text| readme::with_targets(text, &figures, &targets))?;
    rewrite("go/README.md", |text| readme::with_go(text, &figures))?;
    bench_simulations(options)
}

/// Large fleets in virtual time.
fn bench_simulations(options: &Options) -> Result<()> {
    let table = simulations::table(options.quick)?;
    println!("{table}");
    if options.quick {
        return Ok(());
    }
    rewrite("docs/performance.md", |text| readme::with_simulations(text, &table))
}

/// Writes down what `cargo xtask load --against upstream` measured.
pub fn write_duel(result: &str) -> Result<()> {
    let table = duel::markdown(result)?;
    println!("{table}");
    rewrite("docs/performance.md", |text| readme::with_duel(text, &table))
}

/// The Go package with the embedded policy beside Cluster API's functions, without the engines in Rust.
fn bench_go(options: &Options) -> Result<()> {
    write_snapshots(if options.quick { &[10, 1_000] } else { &[10, 1_000, 10_000] })?;
    let mut figures = Figures::default();
    figures.add_go(&go_benchmarks(options)?)?;
    let targets = targets::go(&figures);
    println!("{}\n{}\n{}", markdown::go(&figures), markdown::targets(&targets), targets::summary(&targets));
    if options.quick { Ok(()) } else { rewrite("go/README.md", |text| readme::with_go(text, &figures)) }
}

/// The made-up snapshots that the host's benchmark leaves behind, too.
fn write_snapshots(sizes: &[usize]) -> Result<()> {
    let folder = run::root().join(SNAPSHOTS);
    // What another run left there would be measured too.
    if folder.exists() {
        fs::remove_dir_all(&folder).context(SNAPSHOTS)?;
    }
    fs::create_dir_all(&folder).context(SNAPSHOTS)?;
    let file = |name: String, snapshot: serde_json::Value| fs::write(folder.join(name), snapshot.to_string());
    for size in sizes {
        file(format!("MachineDeployment-{size}.json"), synthetic::machine_deployment(*size))?;
        file(format!("MachineHealthCheck-{size}.json"), synthetic::machine_health_check(*size))?;
    }
    Ok(file("Machine-Updating.json".to_owned(), synthetic::machine_updating())?)
}

/// The host's own benchmark, which leaves its snapshots behind.
fn host(options: &Options) -> Result<String> {
    let host =
        ["run", "--quiet", "--locked", "--release", "--package", "capi-policy-cli", "--bin", "capi-policy", "--"];
    let bench = ["bench", "-o", "json", "--policy", "dist/capi_policy.wasm"];
    let size = if options.quick {
        ["--machines", "10,1000", "--seconds", "1"]
    } else {
        ["--machines", "10,1000,10000", "--seconds", "4"]
    };
    let folder = run::root().join(SNAPSHOTS);
    // What another run left there would be measured too.
    if folder.exists() {
        fs::remove_dir_all(&folder).context(SNAPSHOTS)?;
    }
    run::output(&mut run::command("cargo", &[&host[..], &bench, &size, &["--snapshots", SNAPSHOTS]].concat()))
}

/// The Go package and Cluster API's own code on the same snapshots, after a test that they decide the same.
fn go_benchmarks(options: &Options) -> Result<String> {
    let (time, count) = if options.quick { ("200ms", "1") } else { ("300ms", "3") };
    let benchmarks = ["-run", "^$", "-bench", ".", "-benchtime", time, "-count", count, "-timeout", "20m"];
    let test = |arguments: &[&str]| {
        let mut command = run::command("go", &[&["test"], arguments, &["./..."]].concat());
        let folder = run::root().join(SNAPSHOTS);
        run::output(command.current_dir(run::root().join("go/bench")).env("CAPI_POLICY_SNAPSHOTS", folder))
    };
    test(&["-run", "Agree", "-count", "1"])?;
    test(&benchmarks)
}

fn write(file: &str, text: &str) -> Result<()> {
    run::say(&format!("writing {file}"));
    fs::write(run::root().join(file), text).with_context(|| file.to_owned())
}

fn rewrite(file: &str, change: impl Fn(&str) -> Result<String>) -> Result<()> {
    let text = fs::read_to_string(run::root().join(file)).with_context(|| file.to_owned())?;
    write(file, &change(&text).with_context(|| file.to_owned())?)
}
