//! The tables of `docs/gitops.md`: the rules, and what was measured.

use super::health::{Clause, Compiled, Health, Kind, NOT_READ};
use crate::run;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

/// The page.
pub const PAGE: &str = "docs/gitops.md";

/// How often a check reported something about objects whose conditions mean something.
#[derive(Deserialize)]
struct Count {
    check: String,
    kind: String,
    meant: String,
    reported: String,
    objects: usize,
}

/// The rules of every kind, each kind a table.
pub fn rules(kinds: &[(&Kind, Vec<Compiled>)]) -> String {
    let mut text = String::new();
    for (kind, rules) in kinds {
        let _ = writeln!(text, "### {}\n\n| when | health |\n|---|---|", kind.kind);
        let _ = writeln!(text, "| it has a deletion timestamp | Progressing |");
        for rule in rules {
            let when: Vec<_> = rule.clauses.iter().map(words).collect();
            let _ = writeln!(text, "| {} | {} |", when.join(", and "), rule.health);
            if rule.health == Health::Suspended {
                let _ = writeln!(text, "| `status.observedGeneration` is not `metadata.generation` | Progressing |");
            }
        }
        let _ = writeln!(text, "| otherwise | Healthy |\n");
        let left_out = NOT_READ.iter().filter(|(of, _, why)| *of == kind.kind && !why.starts_with("set on Machines"));
        let left_out: Vec<_> = left_out.map(|(_, condition, why)| format!("`{condition}` ({why})")).collect();
        if !left_out.is_empty() {
            let _ = writeln!(text, "Not read: {}.\n", left_out.join(", "));
        }
    }
    text
}

fn words(clause: &Clause) -> String {
    let name = clause.condition;
    if !clause.matches {
        return format!("`{name}` is not True, or not reported");
    }
    let mut text = format!("`{name}` is {}", clause.statuses.join(" or "));
    if !clause.reasons.is_empty() {
        let _ = write!(text, " because of `{}`", clause.reasons.join("` or `"));
    }
    if let Some(message) = &clause.other_than {
        let _ = write!(text, " with another message than \u{201c}{message}\u{201d}");
    }
    text
}

/// What the checks of today report about the recorded objects, as the tests counted it.
pub fn measured() -> Result<String> {
    let mut counts: Vec<Count> = Vec::new();
    for file in ["argocd.json", "flux.json"] {
        let path = run::root().join("target/gitops").join(file);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        counts.extend(serde_json::from_str::<Vec<Count>>(&text)?);
    }
    let mut lines: BTreeMap<(&str, &str), [usize; 4]> = BTreeMap::new();
    for count in &counts {
        let line = lines.entry((&count.check, &count.kind)).or_default();
        let equal = count.meant == count.reported;
        let column = match (equal, count.reported.as_str()) {
            (true, _) => 1,
            (false, "Healthy") => 2,
            (false, _) => 3,
        };
        line[0] += count.objects;
        line[column] += count.objects;
    }
    let mut text = "| check | kind | objects | right | called healthy, and are not | otherwise wrong |\n|---|---|--:|--:|--:|--:|\n".to_owned();
    for ((check, kind), [objects, right, healthy, wrong]) in lines {
        let _ = writeln!(text, "| {check} | {kind} | {objects} | {right} | {healthy} | {wrong} |");
    }
    Ok(text)
}

/// The page with the text between its markers of that name replaced.
pub fn with(page: &str, name: &str, content: &str) -> Result<String> {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let (before, rest) = page.split_once(&begin).with_context(|| format!("{PAGE} has no {begin:?}"))?;
    let (_, after) = rest.split_once(&end).with_context(|| format!("{PAGE} has no {end:?}"))?;
    Ok(format!("{before}{begin}\n{}\n\n{end}{after}", content.trim()))
}
