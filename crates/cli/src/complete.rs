//! Completion for people who have the program as a plugin: kubectl runs `kubectl_complete-capi_policy` with the words that were
//! typed and reads candidates, one a line, and a directive for the shell.

use crate::question::KINDS;
use clap::{Arg, Command};

/// The name of the file that kubectl runs.
pub const FILE: &str = "kubectl_complete-capi_policy";

/// Let the shell complete file names.
const FILES: &str = ":0";
/// Only what was listed.
const NO_FILES: &str = ":4";

/// What kubectl reads, for the words that follow the plugin's name; the last one is being typed.
pub fn complete(mut command: Command, words: &[String]) -> String {
    command.build();
    let (typed, before) = words.split_last().map_or(("", &[][..]), |(last, before)| (last.as_str(), before));
    let (command, rest) = before.iter().fold((&command, None), |(command, _), word| {
        command.find_subcommand(word).map_or((command, Some(word)), |below| (below, None))
    });
    let option = rest.and_then(|word| command.get_arguments().find(|arg| is(arg, word)));
    let candidates = match option.filter(|option| option.get_action().takes_values()) {
        Some(option) => {
            let values = values(option);
            if values.is_empty() {
                return format!("{FILES}\n");
            }
            values
        }
        None if typed.starts_with('-') => command.get_arguments().filter_map(flag).collect(),
        None if command.has_subcommands() => command.get_subcommands().map(named).collect(),
        None => command.get_positionals().flat_map(objects).collect(),
    };
    let mut lines: Vec<_> = candidates.into_iter().filter(|candidate| candidate.starts_with(typed)).collect();
    lines.push(NO_FILES.to_owned());
    lines.join("\n") + "\n"
}

/// Whether a word is this option.
fn is(arg: &Arg, word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => arg.get_long() == Some(long),
        None => word.strip_prefix('-').is_some_and(|short| short.chars().last() == arg.get_short()),
    }
}

fn flag(arg: &Arg) -> Option<String> {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    Some(format!("--{}\t{}", arg.get_long()?, help.lines().next().unwrap_or_default()))
}

fn named(command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    format!("{}\t{}", command.get_name(), about.lines().next().unwrap_or_default())
}

fn values(arg: &Arg) -> Vec<String> {
    arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
}

/// What a command is about: its own values, or the kinds of objects where it takes any.
fn objects(positional: &Arg) -> Vec<String> {
    let values = values(positional);
    if values.is_empty() && positional.get_id() == "only" {
        KINDS.iter().map(|(kind, _)| kind.to_lowercase()).collect()
    } else {
        values
    }
}

#[cfg(test)]
mod tests {
    use super::complete;
    use clap::CommandFactory;

    fn candidates(words: &[&str]) -> Vec<String> {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let text = complete(crate::commands::Cli::command(), &words);
        text.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn commands_options_values_and_kinds() {
        assert_eq!(candidates(&["fore"]), ["forecast", ":4"]);
        assert_eq!(candidates(&["tree", "--all"]), ["--all-namespaces", ":4"]);
        assert_eq!(candidates(&["explain", "-o", ""]), ["table", "json", "yaml", ":4"]);
        assert_eq!(candidates(&["explain", "-n", "prod", "machineh"]), ["machinehealthcheck", ":4"]);
        assert_eq!(candidates(&["evaluate", "-f", "fl"]), [":0"]);
    }
}
