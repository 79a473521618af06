//! The command `capi-policy`: Kubernetes objects in, what the policy decides about them out.

mod cli;
mod decision;
mod group;
mod objects;
mod oci;
mod render;
mod watch;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(cli::Answer::Fine) => ExitCode::SUCCESS,
        Ok(cli::Answer::Differences) => ExitCode::from(1),
        Err(error) => {
            let style = render::grid::RED;
            anstream::eprintln!("{style}error:{style:#} {error:#}");
            ExitCode::from(2)
        }
    }
}
