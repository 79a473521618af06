//! Every command that a README shows is run by a test, or `docs/commands.md` says why not.

use crate::run;
use std::collections::BTreeSet;
use std::fs;

/// What a line of a command starts with; other lines in a block are output, settings or continuations.
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

/// The commands in a text's blocks, without comments, as they stand in one cell of a table.
fn commands(text: &str) -> Vec<String> {
    let blocks = text.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
    let shell = blocks.filter(|(language, _)| ["", "sh", "console"].contains(language));
    let lines = shell.flat_map(|(_, block)| block.lines()).map(|line| line.strip_prefix("$ ").unwrap_or(line));
    let commands = lines.filter(|line| PROGRAMS.iter().any(|program| line.starts_with(program)));
    let bare =
        |line: &str| line.split(" #").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    commands.map(|line| bare(line).replace('|', "\\|")).collect()
}
