//! Tables as data and as Markdown.

use serde::Serialize;
use std::fmt::Write;

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
}

/// A row as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RowDescription {
    /// The row's id.
    pub id: &'static str,
    /// Its guard in words.
    pub when: String,
    /// What follows.
    #[serde(flatten)]
    pub then: OutcomeDescription,
    /// What follows under profile `cluster-api`, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster_api: Option<OutcomeDescription>,
}

/// What a row does, as data: texts in angle brackets are made from the facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OutcomeDescription {
    /// The status it sets, `keep`, or the step that follows.
    pub status: String,
    /// The reason it sets.
    pub reason: String,
    /// The message it sets.
    pub message: String,
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

    /// The table as Markdown: the text of the `.md` file beside the code.
    pub fn markdown(&self) -> String {
        let differs = self.rows.iter().any(|row| row.cluster_api.is_some());
        let mut text =
            format!("# {} `{}`\n\n{}\n\nSource: {}.\n\n", self.kind, self.condition, self.about, self.source);
        text.push_str("| row | when | status | reason | message |");
        text.push_str(if differs {
            " under `cluster-api` |\n|---|---|---|---|---|---|\n"
        } else {
            "\n|---|---|---|---|---|\n"
        });
        for row in &self.rows {
            let OutcomeDescription { status, reason, message } = &row.then;
            let _ = write!(text, "| {} | {} | {status} | {} | {} |", row.id, row.when, cell(reason), cell(message));
            if differs {
                let other = row.cluster_api.as_ref().map(OutcomeDescription::line).unwrap_or_default();
                let _ = write!(text, " {} |", cell(&other));
            }
            text.push('\n');
        }
        text
    }
}

impl OutcomeDescription {
    fn line(&self) -> String {
        let parts: Vec<&str> =
            [&*self.status, &*self.reason, &*self.message].into_iter().filter(|p| !p.is_empty()).collect();
        parts.join(", ")
    }
}

/// What stands for the kind in tables that all kinds share.
pub const EVERY_KIND: &str = "Every kind";

fn snake_case(name: &str) -> String {
    in_words(name).replace(' ', "_")
}

fn cell(text: &str) -> String {
    text.replace('<', "&lt;").replace('|', "\\|")
}

/// `machine_sets_remain` and `MachineSetsRemain` as `machine sets remain`.
pub(super) fn in_words(name: &str) -> String {
    let mut words = String::new();
    for (i, letter) in name.chars().enumerate() {
        match letter {
            '_' => words.push(' '),
            'A'..='Z' => {
                if i > 0 {
                    words.push(' ');
                }
                words.push(letter.to_ascii_lowercase());
            }
            _ => words.push(letter),
        }
    }
    words
}
