//! What the READMEs show of this command.

use crate::command::{NOW, fleet, path, run};
use std::fs;

fn text(file: &str) -> String {
    fs::read_to_string(path(file)).expect(file)
}

#[test]
fn the_first_screen_shows_real_output() {
    let readme = text("README.md");
    let (_, rest) = readme.split_once("```console\n$ ").expect("a command with its output");
    let (block, _) = rest.split_once("```").expect("its end");
    let (command, shown) = block.split_once('\n').expect("its output");
    let fleet = fleet();
    let arguments: Vec<_> = command.split_whitespace().skip(1).collect();
    let arguments: Vec<_> =
        arguments.iter().map(|word| if *word == "examples/fleet.yaml" { fleet.as_str() } else { *word }).collect();
    let run = run(&arguments);
    let printed: Vec<_> = run.stdout.lines().map(str::trim_end).collect();
    assert!(
        printed.join("\n").starts_with(shown.trim_end()),
        "README.md shows\n{shown}\nbut printed is\n{}",
        run.stdout
    );
}

#[test]
fn every_command_on_files_works() {
    let mut commands = 0;
    for file in ["README.md", "crates/cli/README.md", "docs/tutorial.md"] {
        let text = text(file);
        let lines = text.lines().filter_map(|line| line.strip_prefix("capi-policy "));
        for line in lines.filter(|line| line.contains("-f fleet.yaml")) {
            let line = line.split(" #").next().unwrap_or_default();
            let line = line.replace("-f nodes.yaml", "").replace("fleet.yaml", &fleet());
            let mut arguments: Vec<_> = line.split_whitespace().collect();
            arguments.extend(["--now", NOW]);
            let run = run(&arguments);
            assert!(run.code == Some(0) || run.code == Some(1), "{file}: {line}: {}", run.stderr);
            assert!(!run.stdout.is_empty(), "{file}: {line} prints nothing");
            commands += 1;
        }
    }
    assert!(commands >= 5, "{commands} commands");
}
