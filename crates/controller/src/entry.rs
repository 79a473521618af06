//! What is kept of an object: its text for the fleets, and what writing it needs.

use super::key::{Home, Key};
use kube::ResourceExt;
use kube::core::DynamicObject;
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// The label with which Cluster API's controllers share a management cluster.
const WATCH_FILTER: &str = "cluster.x-k8s.io/watch-filter";

/// An object as it was last read.
pub struct Entry {
    /// The object without what no rule reads, as JSON. Fleets keep the same text.
    pub text: Arc<str>,
    pub uid: Option<Box<str>>,
    /// Its resource version.
    pub version: u64,
    pub generation: i64,
    pub home: Home,
    /// The value of the label `cluster.x-k8s.io/watch-filter`.
    pub watch_filter: Option<Box<str>>,
    /// Whether it is the server's answer to a write of ours, so what a watch brings of older versions is no news.
    written: bool,
}

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// What a list says is so: after a restore the server's versions are lower than those seen before.
    List,
    Watch,
    /// The answer to a write of ours.
    Write,
}

impl Entry {
    /// Keeps an object that has been trimmed; `version` is its resource version from before.
    pub fn new(key: &Key, object: &DynamicObject, version: u64, source: Source) -> serde_json::Result<Self> {
        Ok(Self {
            text: serde_json::to_string(object)?.into(),
            uid: object.metadata.uid.as_deref().map(Into::into),
            version,
            generation: object.metadata.generation.unwrap_or_default(),
            home: key.home(object),
            watch_filter: object.labels().get(WATCH_FILTER).map(|value| value.as_str().into()),
            written: source == Source::Write,
        })
    }

    /// Whether this one is to be forgotten in favour of the one that is kept: the kept one is newer, as far as versions can
    /// be compared.
    pub fn is_outdated_by(&self, kept: &Self, source: Source) -> bool {
        let newer = kept.version > self.version && kept.uid == self.uid;
        match source {
            Source::List => false,
            Source::Watch => kept.written && newer,
            Source::Write => newer,
        }
    }

    /// The conditions that the object carries.
    pub fn conditions(&self) -> Vec<StoredCondition<'_>> {
        serde_json::from_str::<WithConditions<'_>>(&self.text)
            .map(|object| object.status.conditions)
            .unwrap_or_default()
    }

    /// The object's status.
    pub fn status(&self) -> Value {
        serde_json::from_str::<WithStatus>(&self.text).map(|object| object.status).unwrap_or_default()
    }
}

/// A condition as it is stored.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredCondition<'a> {
    #[serde(borrow, rename = "type")]
    pub condition_type: Cow<'a, str>,
    #[serde(borrow, default)]
    pub status: Cow<'a, str>,
    #[serde(borrow, default)]
    pub reason: Cow<'a, str>,
    #[serde(borrow, default)]
    pub message: Cow<'a, str>,
    #[serde(default)]
    pub observed_generation: i64,
}

#[derive(Deserialize)]
struct WithConditions<'a> {
    #[serde(borrow, default)]
    status: Conditions<'a>,
}

#[derive(Default, Deserialize)]
struct Conditions<'a> {
    #[serde(borrow, default)]
    conditions: Vec<StoredCondition<'a>>,
}

#[derive(Deserialize)]
struct WithStatus {
    #[serde(default)]
    status: Value,
}

#[cfg(test)]
mod tests {
    use super::{Entry, Source};
    use crate::key::{GroupKind, Key};
    use serde_json::json;

    fn entry(version: u64, source: Source) -> Entry {
        let condition = json!({ "type": "Ready", "status": "True", "reason": "Is\u{e9}", "observedGeneration": 3 });
        let object = json!({
            "metadata": { "name": "m1", "namespace": "ns", "uid": "u" },
            "status": { "phase": "Running", "conditions": [condition, { "type": "Other" }] },
        });
        let object = serde_json::from_value(object).expect("an object");
        let key = Key::of(&GroupKind::new("cluster.x-k8s.io", "Machine"), &object);
        Entry::new(&key, &object, version, source).expect("JSON")
    }

    #[test]
    fn a_list_replaces_and_a_watch_is_compared_with_our_own_writes_only() {
        let outdated = |version, source, by: &Entry| entry(version, source).is_outdated_by(by, source);
        let (listed, written) = (entry(100, Source::List), entry(9, Source::Write));
        assert!(!outdated(7, Source::List, &listed), "the server was restored");
        assert!(!outdated(5, Source::Watch, &listed), "whatever it says, it says it now");
        assert!(outdated(8, Source::Watch, &written), "from before our write");
        assert!(!outdated(10, Source::Watch, &written));
        assert!(outdated(8, Source::Write, &written), "an answer that comes late");
        assert!(!outdated(3, Source::List, &written), "restored to before our write");
    }

    #[test]
    fn what_is_stored_is_read_from_the_text() {
        let entry = entry(1, Source::List);
        let conditions = entry.conditions();
        assert_eq!((&*conditions[0].reason, conditions[0].observed_generation), ("Is\u{e9}", 3));
        assert_eq!((&*conditions[1].condition_type, &*conditions[1].status), ("Other", ""));
        assert_eq!(entry.status()["phase"], "Running");
    }
}
