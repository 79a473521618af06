//! A snapshot and what to call it.

use super::relations::SUBJECTS;
use serde_json::Value;

/// A snapshot about one object.
pub struct Question {
    /// Kind of the object; empty when the snapshot holds none that is known.
    pub kind: String,
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The snapshot.
    pub snapshot: Value,
}

impl Question {
    /// Finds out what a snapshot is about.
    pub fn of(snapshot: Value) -> Self {
        let said = snapshot["kind"].as_str();
        // The policy prefers the more specific object, and so does the label: a Cluster comes with everything.
        let kinds = capi_policy::Kind::ALL.iter().map(|kind| (kind.to_string(), kind.field()));
        let subjects = SUBJECTS.iter().map(|subject| (subject.kind.name.to_owned(), subject.field));
        let found = kinds
            .chain(subjects)
            .filter(|(kind, _)| said.is_none_or(|said| said == *kind))
            .find(|(_, field)| snapshot[field].is_object());
        let (kind, object) = match &found {
            Some((kind, field)) => (kind.clone(), &snapshot[field]),
            None => (said.unwrap_or_default().to_owned(), &Value::Null),
        };
        let metadata = |field: &str| object["metadata"][field].as_str().unwrap_or_default().to_owned();
        Self { kind, namespace: metadata("namespace"), name: metadata("name"), snapshot }
    }

    /// `Kind namespace/name`.
    pub fn label(&self) -> String {
        let path =
            if self.namespace.is_empty() { self.name.clone() } else { format!("{}/{}", self.namespace, self.name) };
        format!("{} {path}", if self.kind.is_empty() { "snapshot" } else { &self.kind }).trim_end().to_owned()
    }

    /// Whether `KIND[/[NAMESPACE/]NAME]` means this one.
    pub fn is(&self, wanted: &str) -> bool {
        let mut parts = wanted.split('/');
        let kind = parts.next().unwrap_or_default().to_lowercase();
        let own = self.kind.to_lowercase();
        let short = SUBJECTS.iter().any(|subject| subject.kind.name == self.kind && subject.short == kind);
        let names: Vec<&str> = parts.collect();
        (short || kind == own || kind.strip_suffix('s') == Some(&own))
            && match names.as_slice() {
                [] => true,
                [name] => *name == self.name,
                [namespace, name] => *namespace == self.namespace && *name == self.name,
                _ => false,
            }
    }
}
