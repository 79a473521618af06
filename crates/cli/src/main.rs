//! The command `capi-policy`: Kubernetes objects in, what the policy decides about them out.

mod commands;
mod decision;
mod objects;
mod oci;
mod question;
mod render;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match commands::Cli::parse().run() {
        Ok(commands::Answer::Fine) => ExitCode::SUCCESS,
        Ok(commands::Answer::Differences) => ExitCode::from(1),
        Err(error) => {
            let style = render::grid::RED;
            anstream::eprintln!("{style}error:{style:#} {error:#}");
            ExitCode::from(2)
        }
    }
}
