//! Every command that the README and CI call. `cargo xtask` lists them.

mod archive;
mod artifact;
mod bench;
mod book;
#[cfg(test)]
mod commands;
mod coverage;
mod demo;
mod dependencies;
mod e2e;
mod fuel;
mod fuzz;
mod gitops;
mod go;
mod image;
mod integrations;
mod lint;
mod monitoring;
mod new_rule;
mod package;
mod pkg;
mod playground;
mod release;
mod run;
mod signing;
mod tables;
mod test;
mod testplane;
mod tools;
mod vectors;
mod vulnerabilities;
mod workflows;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Builds, checks and shows capi-policy")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Evaluate the example fleet and print what was decided, and why
    Demo,
    /// Build the policy as a component, with checksums, WIT and a bill of materials, into dist/
    Artifact,
    /// Print the bill of materials of the policy, CycloneDX
    Sbom,
    /// Build the policy and embed it into the Go module
    GoEmbed,
    /// Run every test; installs what is missing
    Test(test::Options),
    /// Print how many lines of the policy its tests reach; fails below 97 %
    Coverage,
    /// Start a control plane for tests, print its kubeconfig, and stay until Ctrl-D
    Testplane,
    /// Attack the policy with made-up inputs; with libFuzzer where it is installed
    Fuzz(fuzz::Options),
    /// Measure the host with 5,000 machines in 50 clusters, and with `--against` Cluster API's controllers; takes several minutes.
    /// `LOAD_CLUSTERS`, `LOAD_MACHINES` (of each), `LOAD_RATE` (changes a second) and `LOAD_SECONDS` make it smaller
    Load(e2e::Load),
    /// Run the host among random changes and faults; after each round all that is stored has to be what a fresh evaluation decides
    Soak(e2e::Soak),
    /// Measure the instructions that each decision takes, and accept them as the baseline that tests hold
    Fuel,
    /// Measure every engine and Cluster API's own code on the same snapshots; writes docs/bench.svg and docs/performance.md
    Bench(bench::Options),
    /// Build the container image
    Image,
    /// Build everything that a release consists of into dist/release/
    Release(release::Options),
    /// Check format, lints and dependencies
    Lint,
    /// Write the Markdown of every rule's table from its code
    Tables,
    /// Build the npm package in `pkg`
    Pkg,
    /// Build the playground and serve it on loopback
    Playground(playground::Options),
    /// Write target/vectors.jsonl: questions, and the answers that every build of the policy has to give
    Vectors,
    /// Write the health checks for GitOps tools in deploy/gitops/ from the tables
    Gitops,
    /// Start a new rule: write its files, register it, leave failing tests to fill in
    NewRule(new_rule::Options),
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Demo => demo::demo(),
        Command::Artifact => artifact::artifact(),
        Command::Sbom => artifact::print_bill_of_materials(),
        Command::Coverage => coverage::coverage(),
        Command::GoEmbed => go::embed(),
        Command::Test(options) => test::test(&options),
        Command::Testplane => testplane::start(),
        Command::Fuzz(options) => fuzz::fuzz(&options),
        Command::Load(options) => e2e::load(&options),
        Command::Soak(options) => e2e::soak(&options),
        Command::Fuel => fuel::accept(),
        Command::Bench(options) => bench::bench(&options),
        Command::Image => image::image(),
        Command::Release(options) => release::release(&options),
        Command::Lint => lint::lint(),
        Command::Tables => tables::write(),
        Command::Pkg => pkg::build(),
        Command::Playground(options) => playground::playground(&options),
        Command::Vectors => vectors::write().map(drop),
        Command::Gitops => gitops::write(),
        Command::NewRule(options) => new_rule::new_rule(&options),
    }
}
