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
use clap::{Command, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// An error and what caused it. Some errors repeat their cause, which is left out.
fn told_once(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |told, cause| match told {
        told if told.is_empty() => cause,
        told if told.contains(&cause) => told,
        told => told + ": " + &cause,
    })
}

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
    let matches = shown_as(typed(), commands::Cli::command()).get_matches();
    let cli = commands::Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match cli.run() {
        Ok(commands::Answer::Fine) => ExitCode::SUCCESS,
        Ok(commands::Answer::Differences) => ExitCode::from(1),
        Err(error) => {
            let style = render::grid::RED;
            anstream::eprintln!("{style}error:{style:#} {}", printable(&told_once(&error)));
            ExitCode::from(2)
        }
    }
}

/// The command under the name that people type, in its examples too.
fn shown_as(typed: &'static str, command: Command) -> Command {
    fn with_examples(typed: &'static str, command: Command) -> Command {
        let examples =
            command.get_after_help().map(|help| help.to_string().replace("  capi-policy ", &format!("  {typed} ")));
        let command = command.mut_subcommands(|below| with_examples(typed, below));
        match examples {
            Some(examples) => command.after_help(examples),
            None => command,
        }
    }
    with_examples(typed, command.bin_name(typed))
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
