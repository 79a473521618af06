//! A snapshot and what to call it.

use crate::render::words;
use serde_json::Value;

/// The kinds that can be evaluated, in the order in which they are shown, and what kubectl calls them for short.
pub const KINDS: &[(&str, &str)] = &[
    ("Cluster", "cl"),
    ("KubeadmControlPlane", "kcp"),
    ("MachineDeployment", "md"),
    ("MachineSet", "ms"),
    ("MachineHealthCheck", "mhc"),
    ("MachinePool", "mp"),
    ("Machine", "ma"),
];

/// A snapshot about one object.
#[derive(Clone)]
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
        let kinds = capi_policy::Kind::ALL.iter().map(|kind| (kind.name(), kind.field()));
        let found = kinds
            .filter(|(kind, _)| said.is_none_or(|said| said == *kind))
            .find(|(_, field)| snapshot[field].is_object());
        let (kind, object) = match &found {
            Some((kind, field)) => ((*kind).to_owned(), &snapshot[field]),
            None => (said.unwrap_or_default().to_owned(), &Value::Null),
        };
        let metadata = |field: &str| object["metadata"][field].as_str().unwrap_or_default().to_owned();
        Self { kind, namespace: metadata("namespace"), name: metadata("name"), snapshot }
    }

    /// Where it is shown among others.
    pub fn place(&self) -> (usize, &str, &str) {
        let kind = KINDS.iter().position(|(kind, _)| *kind == self.kind).unwrap_or(KINDS.len());
        (kind, &self.namespace, &self.name)
    }

    /// `Kind namespace/name`.
    pub fn label(&self) -> String {
        let path = words::path(&self.namespace, &self.name);
        format!("{} {path}", if self.kind.is_empty() { "snapshot" } else { &self.kind }).trim_end().to_owned()
    }

    /// Whether `KIND[/[NAMESPACE/]NAME]` means this one.
    pub fn is(&self, wanted: &str) -> bool {
        let mut parts = wanted.split('/');
        let kind = parts.next().unwrap_or_default().to_lowercase();
        let own = self.kind.to_lowercase();
        let short = KINDS.iter().any(|(known, short)| *known == self.kind && *short == kind);
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
