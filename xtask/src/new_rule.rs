//! Starts a new rule: writes its files, registers it, and leaves failing tests to fill in.

use crate::run;
use anyhow::{Context, Result, bail, ensure};
use capi_policy::catalog;
use capi_policy::snapshot::Kind;
use capi_policy::table::{OutcomeDescription, RowDescription, TableDescription};
use std::fs;
use std::path::Path;

/// Options of `cargo xtask new-rule`.
#[derive(clap::Args)]
pub struct Options {
    /// The kind of the evaluated object, as in `MachineSet`
    kind: String,
    /// The condition that the rule sets, as in `MachinesReady`
    condition: String,
    /// A few letters for the ids of its rows; the first three of the condition unless given
    #[arg(long)]
    code: Option<String>,
}

const RULE: &str = include_str!("new_rule/rule.rs.txt");
const CASES: &str = include_str!("new_rule/cases.yaml.txt");

/// Writes and registers a rule.
pub fn new_rule(options: &Options) -> Result<()> {
    let kind = Kind::ALL.iter().find(|kind| kind.to_string() == options.kind).with_context(|| {
        let known: Vec<_> = Kind::ALL.iter().map(ToString::to_string).collect();
        format!("no kind {:?}; the kinds are {}", options.kind, known.join(", "))
    })?;
    let condition = options.condition.as_str();
    ensure!(
        condition.starts_with(|c: char| c.is_ascii_uppercase()) && condition.chars().all(|c| c.is_ascii_alphanumeric()),
        "{condition:?} is not a condition type: expected words in one, as in MachinesReady"
    );
    let table = describe(*kind, condition, &table_id(*kind, options)?);

    let document = run::root().join("src/rules").join(table.file());
    let rule = document.with_extension("rs");
    ensure!(!rule.exists(), "{} is there already", rule.display());
    let cases = run::root().join("tests/cases").join(table.file()).with_extension("yaml");
    let name = document.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let column = |title: &str, cell: &str| format!("{title:<width$}", width = cell.len() + 1);
    let fill = |template: &str| {
        let words = [
            ("{row}", &*column("row", &format!("\"{}-1\",", table.id))),
            ("{reason}", &*column("reason", &format!("\"Not{condition}\","))),
            ("{id}", table.id),
            ("{kind}", table.kind),
            ("{condition}", condition),
            ("{field}", kind.field()),
            ("{name}", &name),
            ("{NAME}", &name.to_uppercase()),
            ("{about}", table.about),
            ("{source}", table.source),
        ];
        words.iter().fold(template.to_owned(), |text, (placeholder, word)| text.replace(placeholder, word))
    };

    let module = document.with_file_name("mod.rs");
    let registered = register(&read(&module)?, &name).with_context(|| module.display().to_string())?;
    write(&rule, &fill(RULE))?;
    write(&document, "Printed by `cargo xtask tables`.\n")?;
    write(&cases, &fill(CASES))?;
    write(&module, &registered)?;
    run::run("cargo", &["fmt", "--package", "capi-policy"])?;
    run::say(
        "now fill in the rows and the cases, then: cargo xtask tables && ACCEPT_FACTS=1 cargo test --test cases facts && cargo test --test cases --test tables",
    );
    Ok(())
}

/// `MS-RDY`: what the ids of the kind start with, and the code.
fn table_id(kind: Kind, options: &Options) -> Result<String> {
    let tables = catalog::tables();
    let of_kind = tables.iter().find(|table| table.kind == kind.to_string());
    let prefix = of_kind.and_then(|table| table.id.split('-').next()).context("expected a kind with tables")?;
    let code = options.code.clone().unwrap_or_else(|| options.condition.chars().take(3).collect()).to_uppercase();
    ensure!((2..=4).contains(&code.len()), "{code:?} is not a code: expected two to four letters");
    let id = format!("{prefix}-{code}");
    match tables.iter().find(|table| table.id == id) {
        Some(table) => bail!("{id} is the id of {} {}: choose another with --code", table.kind, table.condition),
        None => Ok(id),
    }
}

/// The table as the new rule starts out, so that its document is right from the start.
fn describe(kind: Kind, condition: &str, id: &str) -> TableDescription {
    // The catalog's texts live as long as the policy; these live as long as this command.
    let keep = |text: String| -> &'static str { text.leak() };
    let row = |number, when: &str, status: &str, reason: String| RowDescription {
        id: keep(format!("{id}-{number}")),
        when: when.to_owned(),
        then: OutcomeDescription { status: status.to_owned(), reason, message: String::new(), act: String::new() },
        guard: "",
        profiles: Vec::new(),
        others: Vec::new(),
        columns: Vec::new(),
    };
    TableDescription {
        id: keep(id.to_owned()),
        kind: keep(kind.to_string()),
        condition: keep(condition.to_owned()),
        about: "Says what it decides and what a reader has to know.",
        source: "the document that describes it",
        rows: vec![
            row(1, "it holds", "True", condition.to_owned()),
            row(2, "otherwise", "False", format!("Not{condition}")),
        ],
        facts: Vec::new(),
    }
}

/// The kind's `mod.rs` with one more rule: declared, exported, and decided last.
fn register(module: &str, name: &str) -> Result<String> {
    let table = name.to_uppercase();
    let module = insert_sorted(module, "mod ", &format!("mod {name};"));
    let module = insert_sorted(&module, "pub use ", &format!("pub use {name}::{table};"));
    let (before, tables) =
        module.split_once("pub static TABLES").context("expected `pub static TABLES`, found none")?;
    let (tables, after) = tables.split_once("];").context("expected a list of tables, found none")?;
    let tables = tables.trim_end().trim_end_matches(',');
    Ok(format!("{before}pub static TABLES{tables}, &{table}];{after}"))
}

/// One more line among those that start alike.
fn insert_sorted(text: &str, start: &str, line: &str) -> String {
    let mut lines: Vec<_> = text.lines().collect();
    let alike = |other: &str| other.starts_with(start);
    let last = lines.iter().rposition(|other| alike(other)).map_or(0, |at| at + 1);
    let at = lines.iter().position(|other| alike(other) && *other > line).unwrap_or(last);
    lines.insert(at, line);
    lines.join("\n") + "\n"
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().context("a file in a folder")?;
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    fs::write(path, text).with_context(|| path.display().to_string())?;
    let shown = path.strip_prefix(run::root()).unwrap_or(path);
    run::say(&format!("wrote {}", shown.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::register;

    #[test]
    fn a_rule_is_declared_and_exported_in_order_and_decided_last() {
        let before = "mod a;\nmod z;\n\npub use a::A;\npub use z::Z;\n\npub static TABLES: &[&T] = &[&Z, &A];\n";
        let after = "mod a;\nmod m;\nmod z;\n\npub use a::A;\npub use m::M;\npub use z::Z;\n\npub static TABLES: &[&T] = &[&Z, &A, &M];\n";
        assert_eq!(register(before, "m").ok().as_deref(), Some(after));
        assert!(register("mod a;\n", "m").is_err());
    }
}
