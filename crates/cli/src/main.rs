//! The command `capi-policy`: Kubernetes objects in, what the policy decides about them out.

mod commands;
mod objects;
mod oci;
mod question;
mod render;

use capi_policy_controller::printable::printable;
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match commands::Cli::parse().run() {
        Ok(commands::Answer::Fine) => ExitCode::SUCCESS,
        Ok(commands::Answer::Differences) => ExitCode::from(1),
        Err(error) => {
            let style = render::grid::RED;
            anstream::eprintln!("{style}error:{style:#} {}", printable(&format!("{error:#}")));
            ExitCode::from(2)
        }
    }
}
