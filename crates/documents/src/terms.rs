//! What the names in a table mean: the comment of the function behind each name.

use capi_policy::table::TableDescription;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Words of guards that are no facts.
const SYNTAX: &[&str] = &["not", "and", "or", "otherwise"];

/// Name and meaning of every fact that guards and messages name, in the order of the names.
///
/// # Panics
///
/// When the function behind a name has no comment.
pub fn of(table: &TableDescription, root: &Path) -> Vec<(String, String)> {
    let sources = sources(table, root);
    let mut names = BTreeSet::new();
    for row in &table.rows {
        names.extend(row.guard.split_whitespace().map(|name| name.split('(').next().unwrap_or(name).to_owned()));
        let outcomes = row.columns.iter().map(|(_, outcome)| outcome).chain([&row.then]);
        for text in outcomes.flat_map(|outcome| [&outcome.reason, &outcome.message]) {
            names.extend(text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.to_owned())));
        }
    }
    let names = names.iter().filter(|name| !SYNTAX.contains(&&***name));
    let meaning = |name: &String| {
        let comment = meaning(name, &sources)?;
        assert!(!comment.is_empty(), "{}: the function `{name}` needs a comment", table.file());
        Some((format!("`{name}`"), comment))
    };
    names.filter_map(meaning).collect()
}

/// A file in which functions are looked for.
struct Source {
    text: String,
    /// Whether its methods are facts by their bare names.
    methods_are_facts: bool,
}

/// Where functions are looked for: the rule itself, the module whose methods a macro of it makes facts, its kind, what kinds share.
fn sources(table: &TableDescription, root: &Path) -> Vec<Source> {
    let rule = root.join("src/rules").join(table.file()).with_extension("rs");
    let mut folders = vec![rule.parent().map(Path::to_path_buf).unwrap_or_default()];
    folders.extend(["src/rules", "src/conditions", "src"].map(|folder| root.join(folder)));
    let text = fs::read_to_string(&rule).unwrap_or_default();
    let facts_of = text.split_once("_facts!(").and_then(|(before, _)| before.rsplit('\n').next()).map(str::to_owned);
    let mut sources = vec![Source { text, methods_are_facts: false }];
    if let Some(module) = facts_of {
        let text = fs::read_to_string(rule.with_file_name(module).with_extension("rs")).unwrap_or_default();
        sources.push(Source { text, methods_are_facts: true });
    }
    for folder in folders {
        let entries = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
        let mut paths: Vec<_> =
            entries.filter(|path| path.extension().is_some_and(|e| e == "rs") && *path != rule).collect();
        paths.sort();
        // A table's own functions are nobody else's.
        let others = paths
            .iter()
            .filter_map(|path| fs::read_to_string(path).ok())
            .filter(|text| !text.starts_with("#![doc = include_str!"));
        sources.extend(others.map(|text| Source { text, methods_are_facts: false }));
    }
    sources
}

fn meaning(path: &str, sources: &[Source]) -> Option<String> {
    let (part, name) = path.rsplit_once('.').map_or((None, path), |(part, name)| (part.rsplit('.').next(), name));
    if name == "len" {
        return Some(format!("how many {}", part.unwrap_or_default().replace('_', " ")));
    }
    let function = format!("fn {name}");
    sources.iter().find_map(|Source { text, methods_are_facts }| {
        let mut found = text.match_indices(&function).map(|(at, _)| at);
        let at = found.find(|at| {
            let parameters = &text[at + function.len()..];
            let is_method = parameters.starts_with("(&self") || parameters.starts_with("(self");
            parameters.starts_with(['(', '<']) && (part.is_some() == is_method || *methods_are_facts)
        })?;
        Some(comment(&text[..at]))
    })
}

/// The comment above a function, empty when there is none.
fn comment(before: &str) -> String {
    let lines = before.rsplit('\n').skip(1).map(str::trim).take_while(|line| line.starts_with("///"));
    let mut lines: Vec<_> = lines.map(|line| line.trim_start_matches('/').trim()).collect();
    lines.reverse();
    lines.join(" ").replace('|', "\\|").replace('<', "&lt;")
}
