//! Every object that is watched, by what others call it, and who asked for what.

use super::frame;
use super::key::{GroupKind, Key, Query};
use kube::core::DynamicObject;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

/// A watched object.
pub struct Entry {
    /// The object, trimmed.
    pub object: DynamicObject,
    /// The same as JSON, made once for all the decisions that read it.
    pub text: Arc<str>,
    /// Of the text.
    pub digest: [u8; 32],
    /// Its resource version.
    pub version: u64,
    /// It is the server's answer to a write of ours, so what a watch brings of older versions is no news.
    written: bool,
    frame: OnceLock<[u8; 32]>,
    answers: Vec<Query>,
}

impl Entry {
    pub fn new(key: &Key, object: DynamicObject, version: u64) -> serde_json::Result<Self> {
        let text = serde_json::to_string(&object)?;
        let digest = Sha256::digest(&text).into();
        Ok(Self {
            text: text.into(),
            digest,
            frame: OnceLock::new(),
            answers: key.answers(&object),
            object,
            version,
            written: false,
        })
    }

    /// Digest of the object's frame.
    pub fn frame(&self) -> [u8; 32] {
        *self.frame.get_or_init(|| frame::digest(&self.object))
    }
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

/// Objects that have changed since they were taken to where they are kept a second time.
#[derive(Default)]
pub struct Changed(Mutex<BTreeSet<Key>>);

impl Changed {
    /// What has changed; from now on it has not.
    pub fn take(&self) -> BTreeSet<Key> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, key: &Key) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
    }
}

/// Objects, answers and who asked.
#[derive(Default)]
pub struct Index {
    objects: BTreeMap<Key, Arc<Entry>>,
    answers: BTreeMap<Query, BTreeSet<Key>>,
    readers: BTreeMap<Query, BTreeSet<Key>>,
    asked: BTreeMap<Key, BTreeSet<Query>>,
    followers: BTreeMap<Key, Vec<Weak<Changed>>>,
}

impl Index {
    pub fn get(&self, key: &Key) -> Option<&Arc<Entry>> {
        self.objects.get(key)
    }

    /// The objects that answer a query, by name.
    pub fn answer(&self, query: &Query) -> Vec<(&Key, &Arc<Entry>)> {
        match query {
            Query::Named(key) | Query::FrameOf(key) => self.objects.get_key_value(key).into_iter().collect(),
            _ => self.answers.get(query).into_iter().flatten().filter_map(|k| self.objects.get_key_value(k)).collect(),
        }
    }

    /// Every object of a kind.
    pub fn keys(&self, kind: &GroupKind) -> impl Iterator<Item = &Key> {
        let first = Key::new(kind.clone(), "", "");
        self.objects.range(first..).map(|(key, _)| key).take_while(move |key| key.kind == *kind)
    }

    /// Takes an object in. Returns whose decisions read what is new, the object itself included; nobody when nothing is.
    pub fn put(&mut self, key: Key, mut entry: Entry, source: Source) -> BTreeSet<Key> {
        let old = self.objects.get(&key);
        let newer = |old: &Entry| old.version > entry.version && old.object.metadata.uid == entry.object.metadata.uid;
        let outdated = match source {
            Source::List => false,
            Source::Watch => old.is_some_and(|old| old.written && newer(old)),
            Source::Write => old.is_some_and(|old| newer(old)),
        };
        if outdated {
            return BTreeSet::new();
        }
        entry.written = source == Source::Write;
        if old.is_some_and(|old| old.digest == entry.digest) {
            self.objects.insert(key, Arc::new(entry));
            return BTreeSet::new();
        }
        let frame_is_read = self.readers.contains_key(&Query::FrameOf(key.clone()));
        let old = self.take(&key);
        let same_frame = frame_is_read && old.as_ref().is_some_and(|old| old.frame() == entry.frame());
        let answers = old.iter().flat_map(|old| &old.answers).chain(&entry.answers);
        let concerned =
            self.concerned(&key, answers.filter(|query| !(same_frame && matches!(query, Query::FrameOf(_)))));
        for answer in entry.answers.iter().filter(|answer| !matches!(answer, Query::Named(_) | Query::FrameOf(_))) {
            self.answers.entry(answer.clone()).or_default().insert(key.clone());
        }
        self.note_change(&key);
        self.objects.insert(key, Arc::new(entry));
        concerned
    }

    /// Drops an object. Returns whose decisions read it, itself included.
    pub fn remove(&mut self, key: &Key) -> BTreeSet<Key> {
        let old = self.take(key);
        let concerned = self.concerned(key, old.iter().flat_map(|old| &old.answers));
        self.note_change(key);
        self.followers.remove(key);
        if let Some(queries) = self.asked.remove(key) {
            self.unsubscribe(key, &queries);
        }
        concerned
    }

    fn concerned<'q>(&self, key: &Key, changed: impl Iterator<Item = &'q Query>) -> BTreeSet<Key> {
        changed.filter_map(|query| self.readers.get(query)).flatten().chain([key]).cloned().collect()
    }

    fn take(&mut self, key: &Key) -> Option<Arc<Entry>> {
        let old = self.objects.remove(key)?;
        for answer in &old.answers {
            if let Some(keys) = self.answers.get_mut(answer) {
                keys.remove(key);
                if keys.is_empty() {
                    self.answers.remove(answer);
                }
            }
        }
        Some(old)
    }

    /// The object as it is now; a change of it is noted from here on.
    pub fn follow(&mut self, key: &Key, changed: &Arc<Changed>) -> Option<Arc<Entry>> {
        let entry = self.objects.get(key)?.clone();
        let followers = self.followers.entry(key.clone()).or_default();
        if !followers.iter().any(|follower| std::ptr::eq(follower.as_ptr(), Arc::as_ptr(changed))) {
            followers.push(Arc::downgrade(changed));
        }
        Some(entry)
    }

    fn note_change(&mut self, key: &Key) {
        if let Some(followers) = self.followers.get_mut(key) {
            followers.retain(|follower| follower.upgrade().inspect(|changed| changed.note(key)).is_some());
        }
    }

    /// Notes what the decision about an object reads.
    pub fn subscribe(&mut self, reader: &Key, queries: BTreeSet<Query>) {
        let before = self.asked.get(reader).cloned().unwrap_or_default();
        if before == queries {
            return;
        }
        self.unsubscribe(reader, &before);
        for query in &queries {
            self.readers.entry(query.clone()).or_default().insert(reader.clone());
        }
        self.asked.insert(reader.clone(), queries);
    }

    fn unsubscribe(&mut self, reader: &Key, queries: &BTreeSet<Query>) {
        for query in queries {
            if let Some(readers) = self.readers.get_mut(query) {
                readers.remove(reader);
                if readers.is_empty() {
                    self.readers.remove(query);
                }
            }
        }
    }

    /// Kinds that somebody's decision reads.
    pub fn kinds_read(&self) -> BTreeSet<GroupKind> {
        self.readers.keys().map(|query| query.kind().clone()).collect()
    }

    /// Everyone who asked for anything that the test says yes to.
    pub fn readers_of(&self, concerned: impl Fn(&Query) -> bool) -> BTreeSet<Key> {
        let readers = self.readers.iter().filter(|(query, _)| concerned(query));
        readers.flat_map(|(_, readers)| readers.iter().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Changed, Entry, Index, Source};
    use crate::key::{GroupKind, Key, Query};
    use serde_json::json;
    use std::collections::BTreeSet;
    use std::sync::Arc;

    fn put(index: &mut Index, key: &Key, phase: &str) {
        let object = json!({ "metadata": { "name": &*key.name }, "status": { "phase": phase } });
        let entry = Entry::new(key, serde_json::from_value(object).expect("an object"), 0).expect("JSON");
        index.put(key.clone(), entry, Source::Watch);
    }

    #[test]
    fn who_follows_an_object_learns_of_each_change_once() {
        let machine = Key::new(GroupKind::new("cluster.x-k8s.io", "Machine"), "ns", "m1");
        let (mut index, changed) = (Index::default(), Arc::new(Changed::default()));
        assert!(index.follow(&machine, &changed).is_none(), "there is no such object yet");
        put(&mut index, &machine, "Pending");
        let entry = index.follow(&machine, &changed).expect("an object");
        assert!(entry.text.contains("Pending"));
        index.follow(&machine, &changed);
        put(&mut index, &machine, "Pending");
        assert_eq!(changed.take(), BTreeSet::new(), "it says nothing new");
        put(&mut index, &machine, "Running");
        assert_eq!(changed.take(), BTreeSet::from([machine.clone()]));
        assert_eq!(changed.take(), BTreeSet::new());
        index.remove(&machine);
        assert_eq!(changed.take(), BTreeSet::from([machine.clone()]));
        put(&mut index, &machine, "Pending");
        assert_eq!(changed.take(), BTreeSet::new(), "an object of that name that nobody follows");
    }

    #[test]
    fn who_reads_a_frame_is_concerned_when_that_changes() {
        let cluster = Key::new(GroupKind::new("cluster.x-k8s.io", "Cluster"), "ns", "c1");
        let kind = GroupKind::new("cluster.x-k8s.io", "Machine");
        let (of_frame, of_all) = (Key::new(kind.clone(), "ns", "m1"), Key::new(kind, "ns", "m2"));
        let mut index = Index::default();
        index.subscribe(&of_frame, BTreeSet::from([Query::FrameOf(cluster.clone())]));
        index.subscribe(&of_all, BTreeSet::from([Query::Named(cluster.clone())]));
        let mut put = |paused: bool, phase: &str| {
            let object = json!({ "metadata": {}, "spec": { "paused": paused }, "status": { "phase": phase } });
            let entry = Entry::new(&cluster, serde_json::from_value(object).expect("an object"), 0).expect("JSON");
            index.put(cluster.clone(), entry, Source::Watch)
        };
        let everybody = BTreeSet::from([cluster.clone(), of_frame.clone(), of_all.clone()]);
        assert_eq!(put(false, "Pending"), everybody, "it is new");
        assert_eq!(put(false, "Provisioned"), BTreeSet::from([cluster.clone(), of_all.clone()]));
        assert_eq!(put(true, "Provisioned"), everybody);
        assert_eq!(index.remove(&cluster), everybody);
    }

    #[test]
    fn a_list_replaces_and_a_watch_is_compared_with_our_own_writes_only() {
        let machine = Key::new(GroupKind::new("cluster.x-k8s.io", "Machine"), "ns", "m1");
        let mut index = Index::default();
        let mut put = |version: u64, source: Source| {
            let object =
                json!({ "metadata": { "name": "m1", "uid": "u" }, "status": { "phase": version.to_string() } });
            let entry =
                Entry::new(&machine, serde_json::from_value(object).expect("an object"), version).expect("JSON");
            index.put(machine.clone(), entry, source);
            index.get(&machine).expect("it is there").version
        };
        assert_eq!(put(100, Source::List), 100);
        assert_eq!(put(7, Source::List), 7, "the server was restored");
        assert_eq!(put(5, Source::Watch), 5, "whatever it says, it says it now");
        assert_eq!(put(9, Source::Write), 9);
        assert_eq!(put(8, Source::Watch), 9, "from before our write");
        assert_eq!(put(8, Source::Write), 9, "an answer that comes late");
        assert_eq!(put(3, Source::List), 3, "restored to before our write");
        assert_eq!(put(4, Source::Watch), 4);
    }

    #[test]
    fn who_is_gone_follows_nothing() {
        let machine = Key::new(GroupKind::new("cluster.x-k8s.io", "Machine"), "ns", "m1");
        let mut index = Index::default();
        put(&mut index, &machine, "Pending");
        index.follow(&machine, &Arc::new(Changed::default()));
        put(&mut index, &machine, "Running");
        assert!(index.followers.get(&machine).is_none_or(Vec::is_empty));
    }
}
