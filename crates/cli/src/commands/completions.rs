//! `capi-policy completions`.

use super::{Answer, Cli};
use crate::render::print;
use anyhow::Result;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

const EXAMPLES: &str = "\
Examples:
  capi-policy completions bash > ~/.local/share/bash-completion/completions/capi-policy
  capi-policy completions zsh > \"${fpath[1]}/_capi-policy\"
  capi-policy completions fish > ~/.config/fish/completions/capi-policy.fish";

/// Print the script that completes commands and options in a shell
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The shell
    shell: Shell,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let mut script = Vec::new();
        generate(self.shell, &mut Cli::command(), "capi-policy", &mut script);
        print(&String::from_utf8(script)?)?;
        Ok(Answer::Fine)
    }
}
