//! Every command that a README shows is run by a test, or `docs/commands.md` says why not.

use crate::{Cli, run};
use clap::Parser;
use std::collections::BTreeSet;
use std::fs;

/// What a command starts with in a block that is not marked as one of commands; its other lines are output.
const PROGRAMS: &[&str] = &["capi-policy ", "cargo ", "kubectl ", "go ", "npm ", "npx ", "node ", "target/"];

#[test]
fn every_command_of_a_readme_is_listed() {
    let files = run::output(&mut run::command("git", &["ls-files", "*README.md"])).unwrap();
    let mut shown = BTreeSet::new();
    for file in files.lines() {
        let text = fs::read_to_string(run::root().join(file)).unwrap();
        shown.extend(commands(&text));
    }
    let list = fs::read_to_string(run::root().join("docs/commands.md")).unwrap();
    let listed: BTreeSet<_> = list.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | ")).collect();
    let reasons = listed.iter().filter(|(_, reason)| reason.trim_matches([' ', '|']).is_empty());
    assert_eq!(reasons.count(), 0, "a command without a test and without a reason");
    let listed: BTreeSet<_> = listed.into_iter().map(|(command, _)| command.to_owned()).collect();
    let missing: Vec<_> = shown.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&shown).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "docs/commands.md lacks {missing:#?}, and lists without need {gone:#?}"
    );
}

/// The commands in a text's blocks, without comments, as they stand in one cell of a table; of one that has several lines the first.
fn commands(text: &str) -> Vec<String> {
    let blocks = text.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
    let lines = blocks.flat_map(|(language, block)| match language {
        "sh" => whole(block),
        "console" => block.lines().filter_map(|line| line.strip_prefix("$ ")).collect(),
        "" => block.lines().filter(|line| PROGRAMS.iter().any(|program| line.starts_with(program))).collect(),
        _ => Vec::new(),
    });
    let bare =
        |line: &str| line.split(" #").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    lines.map(|line| bare(line).replace('|', "\\|")).collect()
}

/// The lines of a block of commands that begin one.
fn whole(block: &str) -> Vec<&str> {
    let mut continued = false;
    let begins = |line: &&str| {
        let begins = !continued && !line.is_empty() && !line.starts_with('#');
        continued = line.ends_with('\\');
        begins
    };
    block.lines().filter(begins).collect()
}

#[test]
fn every_form_of_a_command_is_found() {
    let text = "```sh\n# Why.\ncd go && go test .   # slow\nA=1 cargo xtask load \\\n  --more\n```\n\
                ```console\n$ capi-policy tree | less\noutput\n```\n```\ncargo xtask bench\noutput\n```\n```yaml\na: b\n```\n";
    let expected = ["cd go && go test .", "A=1 cargo xtask load \\", "capi-policy tree \\| less", "cargo xtask bench"];
    assert_eq!(commands(text), expected);
}

/// What any document or workflow says about `cargo xtask` can be typed.
#[test]
fn every_command_of_xtask_that_is_named_exists() {
    let files = run::output(&mut run::command("git", &["ls-files", "*.md", "*.yml", "*.yaml", "*.toml"])).unwrap();
    let mut named = 0;
    for file in files.lines() {
        let text = fs::read_to_string(run::root().join(file)).unwrap();
        for rest in text.split("cargo xtask ").skip(1) {
            let words = rest.split(['`', '"', '#', '&', ',', ';', ')', '\n']).next().unwrap_or_default();
            if words.contains(['<', '$']) {
                continue;
            }
            let typed = ["cargo xtask"].into_iter().chain(words.split_whitespace());
            if let Err(error) = Cli::try_parse_from(typed) {
                panic!("{file}: cargo xtask {words}: {error}");
            }
            named += 1;
        }
    }
    assert!(named > 50, "{named}");
}
