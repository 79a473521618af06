//! An object's key in, the snapshot that its decision reads out.

use super::index::Entry;
use super::key::{GroupKind, Key};
use super::links::{Asking, Found, connection};
use super::observed;
use super::world::{Watched, World};
use crate::group::relations::{SUBJECT, SUBJECTS, Subject};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// A snapshot, all but the time.
pub struct Question {
    /// The object as it is stored.
    pub object: Arc<Entry>,
    /// Machines of the snapshot: a health check writes conditions of theirs.
    pub machines: BTreeMap<String, (Key, Arc<Entry>)>,
    /// The JSON object without its closing brace.
    body: String,
}

/// How the policy is asked.
pub struct Manner {
    pub profile: String,
    /// Whether it says how it came to each decision.
    pub explain: bool,
}

/// What asking led to.
pub enum Asked {
    /// The snapshot is complete.
    Ready(Box<Question>),
    /// The object is gone, or not one to decide about.
    Nothing,
    /// Something has not been read yet; its arrival wakes the object.
    NotYet,
}

impl Question {
    /// What the decision depends on, time aside.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The snapshot at a time.
    pub fn snapshot(&self, now: &str) -> String {
        format!("{},\"now\":\"{now}\"}}", self.body)
    }
}

impl World {
    /// Puts together what the decision about an object reads, and notes it so that changes wake the object.
    pub fn ask(&self, key: &Key, manner: &Manner, refused: bool) -> Asked {
        let Some(subject) = SUBJECTS.iter().find(|subject| key.kind.is(&subject.kind)) else { return Asked::Nothing };
        let mut index = self.index();
        let Some(object) = index.get(key).cloned() else { return Asked::Nothing };
        let mut asking =
            Asking { index: &index, found: Found::new(), queries: BTreeSet::new(), kinds: BTreeSet::new() };
        asking.found.insert(SUBJECT, vec![(key.clone(), object.clone())]);
        for related in subject.related {
            let objects = asking.follow(&related.link);
            asking.found.insert(related.field, objects);
        }
        let Asking { mut found, mut queries, kinds, .. } = asking;
        let workload = observed::workload_of(subject, key, &object);
        queries.extend(workload.iter().map(|workload| connection(workload)));
        found.remove(SUBJECT);
        index.subscribe(key, queries);
        drop(index);

        let watched: Vec<_> = kinds.iter().map(|kind| (kind, self.watched(kind))).collect();
        if watched.iter().any(|(_, watched)| matches!(watched, Watched::Starting)) {
            return Asked::NotYet;
        }
        let unreadable: BTreeSet<GroupKind> =
            watched.iter().filter(|(_, w)| matches!(w, Watched::Unreadable)).map(|(kind, _)| (*kind).clone()).collect();
        let machines = found.get("machines").map(Vec::as_slice).unwrap_or_default();
        let cluster_exists =
            subject.field == "cluster" || found.get("cluster").is_some_and(|cluster| !cluster.is_empty());
        let reading = observed::Reading {
            subject,
            object: &object,
            machines,
            unreadable: &unreadable,
            workload: workload.as_deref(),
            cluster_exists,
            refused,
        };
        let Some(observed) = observed::observed(self, &reading) else {
            return Asked::NotYet;
        };
        let body = write(subject, &object, &found, manner, &observed);
        let machines = found.remove("machines").unwrap_or_default();
        let machines = machines.into_iter().map(|(key, entry)| (key.name.to_string(), (key, entry))).collect();
        Asked::Ready(Box::new(Question { object, machines, body }))
    }
}

fn write(subject: &Subject, object: &Entry, found: &Found, manner: &Manner, observed: &Value) -> String {
    let Manner { profile, explain } = manner;
    let mut body = format!("{{\"kind\":\"{}\",\"profile\":\"{profile}\",\"explain\":{explain}", subject.kind.name);
    let _ = write!(body, ",\"{}\":{}", subject.field, object.text);
    for related in subject.related {
        let objects = found.get(related.field).map(Vec::as_slice).unwrap_or_default();
        if related.many {
            let texts: Vec<&str> = objects.iter().map(|(_, entry)| entry.text.get()).collect();
            let _ = write!(body, ",\"{}\":[{}]", related.field, texts.join(","));
        } else if let Some((_, entry)) = objects.first() {
            let _ = write!(body, ",\"{}\":{}", related.field, entry.text);
        }
    }
    let _ = write!(body, ",\"observed\":{observed}");
    body
}
