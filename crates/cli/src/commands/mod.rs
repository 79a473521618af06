//! One file a command. Exit codes as those of `diff`: 0 fine, 1 something differs, 2 trouble.

mod bench;
mod capture;
mod completions;
mod conform;
mod diff;
mod evaluate;
mod explain;
mod forecast;
mod history;
mod input;
mod inspect;
mod live;
pub mod moment;
mod plan;
pub mod policy;
mod pull;
mod push;
mod simulate;
mod tree;
mod watch;

use anyhow::Result;
use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  What is the state of my clusters, and why?
    capi-policy evaluate -A
    capi-policy tree -n prod
    capi-policy explain -n prod mhc/workers

  The same from files, anywhere:
    kinds=clusters,kubeadmcontrolplanes,machinedeployments,machinesets,machinepools
    kubectl get $kinds,machines,machinehealthchecks -A -o yaml > fleet.yaml
    kubectl --kubeconfig workload.kubeconfig get nodes -o yaml > nodes.yaml
    capi-policy evaluate -f fleet.yaml -f nodes.yaml

  Why is remediation not allowed?
    capi-policy explain -f fleet.yaml -f nodes.yaml mhc/workers

  When will the next machine be remediated?
    capi-policy forecast -f fleet.yaml -f nodes.yaml --until 2h

  Which machines would this rollout replace, in which order, and how long would it take?
    capi-policy plan -f fleet.yaml -f nodes.yaml md/workers --set spec.template.spec.version=v1.34.0

  What would a zone outage do, and which threshold is best?
    capi-policy simulate scenarios/zone-outage.yaml --seeds 1..200 --compare

The policy is a WebAssembly component. Which one: --policy, else the variable CAPI_POLICY, else
dist/capi_policy.wasm here, else capi_policy.wasm or dist/capi_policy.wasm beside the executable or above it.

Exit codes: 0 fine, 1 something differs (conform, diff, bench --compare)
or is not done at the end (plan) or not as demanded (simulate), 2 input or policy can't be read.";

/// Decides about Cluster API objects: conditions, health checks, remediation. Reads a cluster or files, changes nothing.
#[derive(Parser)]
#[command(name = "capi-policy", version, after_help = EXAMPLES, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Evaluate(evaluate::Options),
    Explain(explain::Options),
    Forecast(forecast::Options),
    Tree(tree::Options),
    Plan(plan::Options),
    Simulate(Box<simulate::Options>),
    Conform(conform::Options),
    #[command(visible_alias = "upgrade-impact")]
    Diff(diff::Options),
    Inspect(inspect::Options),
    Bench(bench::Options),
    Push(push::Options),
    Pull(pull::Options),
    Watch(Box<watch::Options>),
    History(history::Options),
    Capture(capture::Options),
    Completions(completions::Options),
}

/// How a command ended that could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// As it should be.
    Fine,
    /// Two things that should be the same are not.
    Differences,
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> Result<Answer> {
        match self.command {
            Command::Evaluate(options) => options.run(),
            Command::Explain(options) => options.run(),
            Command::Forecast(options) => options.run(),
            Command::Tree(options) => options.run(),
            Command::Plan(options) => options.run(),
            Command::Simulate(options) => options.run(),
            Command::Conform(options) => options.run(),
            Command::Diff(options) => options.run(),
            Command::Inspect(options) => options.run(),
            Command::Bench(options) => options.run(),
            Command::Push(options) => options.run(),
            Command::Pull(options) => options.run(),
            Command::Watch(options) => options.run(),
            Command::History(options) => options.run(),
            Command::Capture(options) => options.run(),
            Command::Completions(options) => options.run(),
        }
    }
}
