//! An object's key in, what its decision reads out.

use super::index::Entry;
use super::key::{GroupKind, Key, cluster_name, workload};
use super::links::{Asking, Found, connection};
use super::memory::hex;
use super::observed;
use super::world::{Watched, World};
use crate::group::relations::{SUBJECT, SUBJECTS, Subject};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// What a decision reads, all but the time.
pub struct Question {
    pub key: Key,
    /// The object as it is stored.
    pub object: Arc<Entry>,
    /// Machines that it reads: a health check writes conditions of theirs.
    pub machines: BTreeMap<String, (Key, Arc<Entry>)>,
    subject: &'static Subject,
    found: Found,
    /// JSON.
    pub observed: String,
}

/// How the policy is asked.
#[derive(Clone)]
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
    /// Tells what the decision depends on, time aside. Objects that have been written since count as they are now.
    pub fn digest(&self, policy: &str, written: &BTreeMap<Key, [u8; 32]>) -> String {
        let whole = |key: &Key, entry: &Entry| *written.get(key).unwrap_or(&entry.digest);
        let mut hasher = Sha256::new();
        hasher.update(policy);
        hasher.update(whole(&self.key, &self.object));
        for related in self.subject.related {
            hasher.update(related.field);
            for (key, entry) in self.found.get(related.field).into_iter().flatten() {
                hasher.update(if related.link.is_upward() { entry.frame() } else { whole(key, entry) });
            }
        }
        hasher.update(&self.observed);
        hex(hasher)
    }

    /// Every object that the decision reads.
    pub fn objects(&self) -> impl Iterator<Item = &Key> {
        [&self.key].into_iter().chain(self.found.values().flatten().map(|(key, _)| key))
    }

    /// An object that the decision reads.
    pub fn entry(&self, key: &Key) -> Option<Arc<Entry>> {
        self.found.values().flatten().find(|(found, _)| found == key).map(|(_, entry)| entry.clone())
    }

    /// The workload cluster that the object belongs to.
    pub fn cluster(&self) -> String {
        let own = (self.subject.field == "cluster").then_some(&*self.key.name);
        workload(&self.key.namespace, own.or_else(|| cluster_name(&self.object.object)).unwrap_or_default())
    }

    /// The snapshot at a time.
    pub fn snapshot(&self, manner: &Manner, now: &str) -> String {
        let (Manner { profile, explain }, subject) = (manner, self.subject);
        let mut text = format!(
            "{{\"kind\":\"{}\",\"profile\":\"{profile}\",\"explain\":{explain},\"now\":\"{now}\",\"{}\":{}",
            subject.kind.name, subject.field, self.object.text
        );
        for related in subject.related {
            let objects = self.found.get(related.field).map(Vec::as_slice).unwrap_or_default();
            if related.many {
                let texts: Vec<&str> = objects.iter().map(|(_, entry)| &*entry.text).collect();
                let _ = write!(text, ",\"{}\":[{}]", related.field, texts.join(","));
            } else if let Some((_, entry)) = objects.first() {
                let _ = write!(text, ",\"{}\":{}", related.field, entry.text);
            }
        }
        let _ = write!(text, ",\"observed\":{}}}", self.observed);
        text
    }
}

impl World {
    /// Puts together what the decision about an object reads, and notes it so that changes wake the object.
    pub fn ask(&self, key: &Key, refused: bool) -> Asked {
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
        let unreadable: BTreeSet<GroupKind> = watched
            .iter()
            .filter(|(_, w)| matches!(w, Watched::Unreadable | Watched::NotServed(_)))
            .map(|(kind, _)| (*kind).clone())
            .collect();
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
        let machines =
            machines.iter().map(|(key, entry)| (key.name.to_string(), (key.clone(), entry.clone()))).collect();
        let (key, observed) = (key.clone(), observed.to_string());
        Asked::Ready(Box::new(Question { key, object, machines, subject, found, observed }))
    }
}
