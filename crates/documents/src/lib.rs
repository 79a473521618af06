//! The document beside each rule, printed from its table, its source and its cases.
//!
//! `cargo xtask tables` writes the documents, and a test compares them.

mod cases;
mod examples;
mod markdown;
mod terms;

pub use cases::{Case, CaseFile};
pub use examples::Examples;

use capi_policy::table::TableDescription;
use markdown::{cell, table};
use std::path::Path;

/// The document of one table. `root` is the folder of the project.
pub fn document(description: &TableDescription, examples: &Examples, root: &Path) -> String {
    let TableDescription { kind, condition, about, .. } = description;
    let mut text = format!("# {kind} `{condition}`\n\n{about}\n\nSource: {}.\n\n", source(description));
    text.push_str(&rows(description));
    let terms = terms::of(description, root);
    if !terms.is_empty() {
        text.push_str("\n## Terms\n\n");
        text.push_str(&table(
            &["term", "meaning"],
            terms.iter().map(|(name, meaning)| vec![name.clone(), meaning.clone()]),
        ));
    }
    text.push_str("\n## Examples\n\n");
    text.push_str(&examples.of(description));
    text
}

/// Where the rule comes from, with a link to the page that describes the documents.
fn source(description: &TableDescription) -> String {
    let up = "../".repeat(description.file().matches('/').count() + 2);
    description.source.replace("docs/documents.md", &format!("[docs/documents.md]({up}docs/documents.md)"))
}

fn rows(description: &TableDescription) -> String {
    let rows = &description.rows;
    let acts = rows.iter().any(|row| !row.then.act.is_empty());
    let sets = rows.iter().any(|row| !row.then.status.is_empty());
    let profiles = rows.iter().any(|row| !row.columns.is_empty() || !row.profiles.is_empty());
    let mut titles = vec!["row", "when"];
    titles.extend(if sets { &["status", "reason", "message"][..] } else { &[] });
    titles.extend(acts.then_some("action"));
    titles.extend(profiles.then_some("profiles"));
    let lines = rows.iter().map(|line| {
        let mut cells = vec![line.id.to_owned(), line.when.clone()];
        if sets {
            cells.extend([line.then.status.clone(), cell(&line.then.reason), cell(&line.then.message)]);
        }
        if acts {
            cells.push(line.then.act.clone());
        }
        if profiles {
            cells.push(cell(&of_profiles(line)));
        }
        cells
    });
    table(&titles, lines)
}

fn of_profiles(row: &capi_policy::table::RowDescription) -> String {
    let only = (!row.profiles.is_empty()).then(|| format!("only {}", row.profiles.join(", ")));
    let columns = row.columns.iter().map(|(column, outcome)| {
        let parts = [&outcome.status, &outcome.reason, &outcome.message, &outcome.act];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).map(String::as_str).collect();
        format!("{column}: {}", if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") })
    });
    only.into_iter().chain(columns).collect::<Vec<_>>().join("; ")
}
