//! Tables as data.

use super::{Effect, Head, Says, Subject, Table, Written};
use crate::profile::{Column, Profile};
use serde::Serialize;

/// A table as data, for hosts and pages that show the rules they run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TableDescription {
    /// The id that its rows start with.
    pub id: &'static str,
    /// The kind of the evaluated object.
    pub kind: &'static str,
    /// The condition it sets, or the name of what it decides.
    pub condition: &'static str,
    /// What it decides, for a reader.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its rows.
    pub rows: Vec<RowDescription>,
    /// The names that messages may contain.
    #[serde(skip)]
    pub facts: Vec<&'static str>,
}

/// A row as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RowDescription {
    /// The row's id.
    pub id: &'static str,
    /// Its guard in words.
    pub when: String,
    /// Its guard as it is written.
    #[serde(skip)]
    pub guard: &'static str,
    /// The profiles that have this row; left out when all have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<&'static str>,
    /// What follows.
    #[serde(flatten)]
    pub then: OutcomeDescription,
    /// What follows under other profiles, one by one, where that differs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<ProfileOutcome>,
    /// The same by the columns of the printed table.
    #[serde(skip)]
    pub columns: Vec<(&'static str, OutcomeDescription)>,
}

/// What a row does under one profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProfileOutcome {
    /// The profile's name.
    pub profile: &'static str,
    /// What follows.
    #[serde(flatten)]
    pub then: OutcomeDescription,
}

/// What a row does, as data. In texts, names in braces stand for facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OutcomeDescription {
    /// The status it sets, `keep`, or `copy` and what is taken over; empty where it leaves the condition alone.
    pub status: String,
    /// The reason it sets.
    pub reason: String,
    /// The message it sets.
    pub message: String,
    /// What it decides beside the condition.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub act: String,
}

impl<S: Subject + 'static> Table<S> {
    /// The table as data.
    pub fn describe(&self) -> TableDescription {
        TableDescription {
            id: self.id,
            kind: self.kind,
            condition: self.condition,
            about: self.about,
            source: self.source,
            rows: rows(self),
            facts: facts(self),
        }
    }
}

fn rows(table: &dyn Written) -> Vec<RowDescription> {
    (0..).map_while(|row| describe(table, row, table.head(row)?)).collect()
}

fn facts(table: &dyn Written) -> Vec<&'static str> {
    (0..).map_while(|fact| table.fact(fact).map(|(name, _)| name)).collect()
}

fn describe(table: &dyn Written, row: usize, head: &Head) -> Option<RowDescription> {
    let says = |column| table.says(row, column).map(Says::describe);
    let mut profiles: Vec<_> = Profile::ALL.iter().copied().filter(|profile| head.belongs_to(*profile)).collect();
    let other = |profile: &Profile| {
        let column = head.column(*profile)?;
        Some(ProfileOutcome { profile: profile.name(), then: says(Some(column))? })
    };
    let others = profiles.iter().filter_map(other).collect();
    if profiles.len() == Profile::ALL.len() {
        profiles.clear();
    }
    let columns = head.columns.iter().enumerate();
    Some(RowDescription {
        id: head.id,
        when: in_words(head.when),
        guard: head.when,
        profiles: profiles.into_iter().map(Profile::name).collect(),
        then: says(None)?,
        others,
        columns: columns.filter_map(|(at, column)| Some((Column::name(*column), says(Some(at))?))).collect(),
    })
}

impl Says {
    fn describe(&self) -> OutcomeDescription {
        let act = in_words(self.act);
        let (status, reason, message) = match self.condition {
            Effect::Set(status, reason, message) => (status.as_str().to_owned(), reason.to_owned(), message.to_owned()),
            Effect::Keep => ("keep".to_owned(), String::new(), String::new()),
            Effect::Copy(from) => (format!("copy {}", in_words(from)), String::new(), String::new()),
            Effect::Nothing => (String::new(), String::new(), String::new()),
        };
        OutcomeDescription { status, reason, message, act }
    }
}

impl TableDescription {
    /// The Markdown file beside the code, below `src/rules`.
    pub fn file(&self) -> String {
        let condition = snake_case(self.condition);
        if self.kind == EVERY_KIND {
            format!("{condition}.md")
        } else {
            format!("{}/{condition}.md", snake_case(self.kind))
        }
    }
}

/// What stands for the kind in tables that all kinds share.
pub const EVERY_KIND: &str = "Every kind";

fn snake_case(name: &str) -> String {
    let mut text = String::new();
    let mut letters = name.chars().peekable();
    let mut before = '_';
    while let Some(letter) = letters.next() {
        // Of letters in a row that are all capitals, only the last can start a word: `APIServer`.
        let starts = letter.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || letters.peek().is_some_and(char::is_ascii_lowercase));
        if starts && before != '_' {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
        before = letter;
    }
    text
}

/// `machine_sets_remain` and `MachineSetsRemain` as `machine sets remain`; of a path, what reads as a sentence:
/// `remediations.nothing_unhealthy` as `nothing unhealthy`, but `infrastructure.found` as `infrastructure found`.
pub(super) fn in_words(name: &str) -> String {
    let mut words = String::new();
    for term in name.split_inclusive(' ') {
        let mut letters = sentence(term).chars().peekable();
        let mut quoted = false;
        while let Some(letter) = letters.next() {
            match letter {
                '_' | '.' => words.push(' '),
                '"' => quoted = !quoted,
                '(' if letters.peek() == Some(&'"') => words.push(' '),
                '(' => words.push_str(if words.ends_with(' ') { "(" } else { " (" }),
                ')' if term.contains('"') => {}
                'A'..='Z' if !quoted => {
                    if !words.is_empty() && !words.ends_with([' ', '(']) {
                        words.push(' ');
                    }
                    words.push(letter.to_ascii_lowercase());
                }
                _ => words.push(letter),
            }
        }
    }
    words
}

/// The part of a path that reads as a sentence: its last name, with the one before it when that is a single word; of `machines.len`, `machines`.
fn sentence(term: &str) -> &str {
    if let Some(list) = term.strip_suffix(".len") {
        return list.rsplit('.').next().unwrap_or(list);
    }
    let path = term.split_once('(').map_or(term, |(path, _)| path);
    let Some(last) = path.rfind('.') else { return term };
    let Some((before, name)) = path.split_at_checked(last) else { return term };
    let start = if name.contains('_') {
        last.saturating_add(1)
    } else {
        before.rfind('.').map_or(0, |at| at.saturating_add(1))
    };
    term.get(start..).unwrap_or(term)
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn names_are_told_in_words() {
        for (name, words) in [
            ("machine_sets_remain", "machine sets remain"),
            ("CreateRequest", "create request"),
            ("Unhealthy(NodeNotFound)", "unhealthy (node not found)"),
            ("Unhealthy (NodeNotFound)", "unhealthy (node not found)"),
            ("remediations.nothing_unhealthy", "nothing unhealthy"),
            ("infrastructure.found", "infrastructure found"),
            ("input.scaling.up", "scaling up"),
            ("input.machines.len", "machines"),
            ("descendants.worker_machines.len", "worker machines"),
            (r#"infrastructure.reports("Ready")"#, "infrastructure reports Ready"),
            ("not in_deletion and machines > 1", "not in deletion and machines > 1"),
            (r#"infrastructure.mirror("Ready", "Ready")"#, "infrastructure mirror Ready, Ready"),
        ] {
            assert_eq!(in_words(name), words);
        }
    }
}
