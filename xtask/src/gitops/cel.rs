//! Flux: health checks in CEL, for `healthCheckExprs` of a Kustomization.

use super::HEADER;
use super::health::{Clause, Compiled, Health, Kind};
use anyhow::{Result, ensure};
use std::fmt::Write;

/// A patch of a Kustomization with the expressions of every kind.
///
/// Flux compares generations itself, and takes an object for which no expression holds to be in progress: so nothing is said about
/// progress, and what is paused is never current.
pub fn kustomization(kinds: &[(&Kind, Vec<Compiled>)]) -> Result<String> {
    let mut text = format!(
        "# {HEADER}\n# Merge `spec` into the Kustomization that applies the clusters.\n\
         apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: clusters\n  namespace: flux-system\n\
         spec:\n  wait: true\n  healthCheckExprs:\n"
    );
    for (kind, rules) in kinds {
        let _ = writeln!(text, "    - apiVersion: {}/v1beta2\n      kind: {}", kind.group, kind.kind);
        let (before, rest) = split(kind, rules)?;
        let degraded: Vec<_> = rest.iter().filter(|rule| rule.health == Health::Degraded).map(all).collect();
        let none = |rules: &[Compiled]| rules.iter().map(not).collect::<Vec<_>>();
        let exists = ["has(status.conditions)".to_owned(), "!has(metadata.deletionTimestamp)".to_owned()];
        if !degraded.is_empty() {
            let mut failed = [&exists[..], &none(before)].concat();
            failed.push(format!("({})", degraded.join("\n          || ")));
            let _ = writeln!(text, "      failed: >-\n          {}", failed.join("\n          && "));
        }
        let current = [&exists[..], &none(rules)].concat();
        let _ = writeln!(text, "      current: >-\n          {}", current.join("\n          && "));
    }
    Ok(text)
}

/// The rules before those that find something degraded, and the others.
fn split<'a>(kind: &Kind, rules: &'a [Compiled]) -> Result<(&'a [Compiled], &'a [Compiled])> {
    let degraded = |rule: &Compiled| rule.health == Health::Degraded;
    let first = rules.iter().position(degraded).unwrap_or(rules.len());
    let (before, rest) = rules.split_at(first);
    let count = rest.iter().take_while(|rule| degraded(rule)).count();
    let others = rest.iter().skip(count).any(degraded);
    ensure!(!others, "{}: the rules that find something degraded have to stand together", kind.kind);
    Ok((before, rest))
}

fn all(rule: &Compiled) -> String {
    rule.clauses.iter().map(exists).collect::<Vec<_>>().join(" && ")
}

fn not(rule: &Compiled) -> String {
    match &rule.clauses[..] {
        [one] if one.matches => format!("!{}", exists(one)),
        [one] => exists(one).trim_start_matches('!').to_owned(),
        _ => format!("!({})", all(rule)),
    }
}

fn exists(clause: &Clause) -> String {
    let mut tests = vec![format!("c.type == '{}'", clause.condition), one_of("c.status", clause.statuses)];
    if !clause.reasons.is_empty() {
        tests.push(one_of("c.reason", &clause.reasons));
    }
    tests.extend(clause.other_than.as_ref().map(|message| format!("c.message != '{message}'")));
    let exists = format!("status.conditions.exists(c, {})", tests.join(" && "));
    if clause.matches { exists } else { format!("!{exists}") }
}

fn one_of(field: &str, values: &[impl AsRef<str>]) -> String {
    let values: Vec<_> = values.iter().map(|value| format!("'{}'", value.as_ref())).collect();
    match &values[..] {
        [one] => format!("{field} == {one}"),
        several => format!("{field} in [{}]", several.join(", ")),
    }
}
