//! Every object that is watched, by what others call it, and who asked for what.

use super::key::{GroupKind, Key, Query};
use kube::core::DynamicObject;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A watched object.
pub struct Entry {
    /// The object, trimmed.
    pub object: DynamicObject,
    /// The same as JSON, made once for all the snapshots it goes into.
    pub text: Box<RawValue>,
    /// Its resource version.
    pub version: u64,
    answers: Vec<Query>,
}

impl Entry {
    pub fn new(key: &Key, object: DynamicObject, version: u64) -> serde_json::Result<Self> {
        Ok(Self { text: serde_json::value::to_raw_value(&object)?, answers: key.answers(&object), object, version })
    }
}

/// Objects, answers and who asked.
#[derive(Default)]
pub struct Index {
    objects: BTreeMap<Key, Arc<Entry>>,
    answers: BTreeMap<Query, BTreeSet<Key>>,
    readers: BTreeMap<Query, BTreeSet<Key>>,
    asked: BTreeMap<Key, BTreeSet<Query>>,
}

impl Index {
    pub fn get(&self, key: &Key) -> Option<&Arc<Entry>> {
        self.objects.get(key)
    }

    /// The objects that answer a query, by name.
    pub fn answer(&self, query: &Query) -> Vec<(&Key, &Arc<Entry>)> {
        match query {
            Query::Named(key) => self.objects.get_key_value(key).into_iter().collect(),
            _ => self.answers.get(query).into_iter().flatten().filter_map(|k| self.objects.get_key_value(k)).collect(),
        }
    }

    /// Every object of a kind.
    pub fn keys(&self, kind: &GroupKind) -> impl Iterator<Item = &Key> {
        let first = Key::new(kind.clone(), "", "");
        self.objects.range(first..).map(|(key, _)| key).take_while(move |key| key.kind == *kind)
    }

    /// Takes an object in. Returns whose decisions read it, itself included; nobody when it says nothing new.
    pub fn put(&mut self, key: Key, entry: Entry) -> BTreeSet<Key> {
        let old = self.objects.get(&key);
        if old.is_some_and(|old| old.version > entry.version) {
            return BTreeSet::new();
        }
        if old.is_some_and(|old| old.text.get() == entry.text.get()) {
            self.objects.insert(key, Arc::new(entry));
            return BTreeSet::new();
        }
        let mut concerned = self.forget(&key);
        for answer in &entry.answers {
            concerned.extend(self.readers.get(answer).into_iter().flatten().cloned());
            if !matches!(answer, Query::Named(_)) {
                self.answers.entry(answer.clone()).or_default().insert(key.clone());
            }
        }
        concerned.insert(key.clone());
        self.objects.insert(key, Arc::new(entry));
        concerned
    }

    /// Drops an object. Returns whose decisions read it, itself included.
    pub fn remove(&mut self, key: &Key) -> BTreeSet<Key> {
        let mut concerned = self.forget(key);
        if let Some(queries) = self.asked.remove(key) {
            self.unsubscribe(key, &queries);
        }
        concerned.insert(key.clone());
        concerned
    }

    fn forget(&mut self, key: &Key) -> BTreeSet<Key> {
        let Some(old) = self.objects.remove(key) else { return BTreeSet::new() };
        let mut concerned = BTreeSet::new();
        for answer in &old.answers {
            concerned.extend(self.readers.get(answer).into_iter().flatten().cloned());
            if let Some(keys) = self.answers.get_mut(answer) {
                keys.remove(key);
                if keys.is_empty() {
                    self.answers.remove(answer);
                }
            }
        }
        concerned
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

    /// Everyone who asked for anything that the test says yes to.
    pub fn readers_of(&self, concerned: impl Fn(&Query) -> bool) -> BTreeSet<Key> {
        let readers = self.readers.iter().filter(|(query, _)| concerned(query));
        readers.flat_map(|(_, readers)| readers.iter().cloned()).collect()
    }
}
