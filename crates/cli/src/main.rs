//! The command `capi-policy`: Kubernetes objects in, what the policy decides about them out.

mod commands;
mod complete;
mod conformance;
mod objects;
mod oci;
mod question;
mod render;
mod trust;

use capi_policy_controller::printable::printable;
use clap::{CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// What people type who have the program as a plugin, by the name of its file: kubectl and clusterctl replace dashes.
const PLUGINS: &[(&str, &str)] =
    &[("kubectl-capi_policy", "kubectl capi-policy"), ("clusterctl-capi_policy", "clusterctl capi-policy")];

fn main() -> ExitCode {
    if called() == complete::FILE {
        let words: Vec<_> = std::env::args().skip(1).collect();
        return match render::print(&complete::complete(commands::Cli::command(), &words)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(2),
        };
    }
    let matches = commands::Cli::command().bin_name(typed()).get_matches();
    let cli = commands::Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match cli.run() {
        Ok(commands::Answer::Fine) => ExitCode::SUCCESS,
        Ok(commands::Answer::Differences) => ExitCode::from(1),
        Err(error) => {
            let style = render::grid::RED;
            anstream::eprintln!("{style}error:{style:#} {}", printable(&format!("{error:#}")));
            ExitCode::from(2)
        }
    }
}

/// What was typed to run this program.
fn typed() -> &'static str {
    let name = called();
    PLUGINS.iter().find(|(file, _)| name == *file).map_or("capi-policy", |(_, typed)| typed)
}

/// The name of the file, or of the link to it.
fn called() -> OsString {
    let file = std::env::args_os().next().unwrap_or_default();
    Path::new(&file).file_stem().unwrap_or_default().to_owned()
}
