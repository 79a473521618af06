//! A policy that keeps objects: one fleet a workload cluster, told what has changed before it is asked.

use super::index::{Changed, Entry};
use super::key::Key;
use super::question::{Manner, Question};
use super::world::World;
use crate::group::relations::SUBJECTS;
use capi_policy_host::{Assumption, EngineError, Fleet, FleetEngine, How, ObjectName, WorkloadCluster};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Fleets by workload cluster.
pub struct Fleets {
    engine: Arc<FleetEngine>,
    clusters: Mutex<BTreeMap<String, Arc<Mutex<Kept>>>>,
}

/// A fleet and what it knows.
struct Kept {
    fleet: Fleet,
    told: BTreeSet<Key>,
    /// What the policy can't read, and why.
    refused: BTreeMap<Key, String>,
    facts: BTreeMap<Key, String>,
    changed: Arc<Changed>,
}

impl Fleets {
    pub fn new(engine: Arc<FleetEngine>) -> Self {
        Self { engine, clusters: Mutex::default() }
    }

    /// Tells the object's fleet what it does not know yet, and asks it.
    pub fn evaluate(&self, world: &World, question: &Question, manner: &Manner, now: &str) -> Result<String, String> {
        let kept = self.clusters().entry(question.cluster()).or_insert_with(|| self.kept()).clone();
        let mut kept = locked(&kept);
        // What is not there was looked for: whoever can't be read is in the facts.
        kept.fleet.assume(Assumption::EverythingIsComplete).map_err(|error| error.to_string())?;
        kept.catch_up(world, question).map_err(|error| error.to_string())?;
        if let Some((key, why)) = question.objects().find_map(|key| kept.refused.get_key_value(key)) {
            return Err(format!("{key}: {why}"));
        }
        let how = How { now, profile: &manner.profile, explain: manner.explain };
        let decision = kept.fleet.evaluate(&name(&question.key), how);
        decision.map_err(|error| error.to_string())
    }

    /// Forgets an object that can be decided about, and a cluster of which nothing is left.
    pub fn forget(&self, key: &Key) {
        let clusters: Vec<_> = self.clusters().iter().map(|(name, kept)| (name.clone(), kept.clone())).collect();
        for (cluster, kept) in clusters {
            let mut kept = locked(&kept);
            if !kept.told.contains(key) {
                continue;
            }
            kept.remove(key);
            if !kept.told.iter().any(|key| SUBJECTS.iter().any(|subject| key.kind.is(&subject.kind))) {
                self.clusters().remove(&cluster);
            }
        }
    }

    fn clusters(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Mutex<Kept>>>> {
        locked(&self.clusters)
    }

    fn kept(&self) -> Arc<Mutex<Kept>> {
        let (told, facts, refused) = (BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
        Arc::new(Mutex::new(Kept { fleet: self.engine.fleet(), told, refused, facts, changed: Arc::default() }))
    }
}

impl Kept {
    /// What has changed, and what the question reads for the first time. As it is now, which may be newer than the
    /// question: then the change has woken the object once more.
    fn catch_up(&mut self, world: &World, question: &Question) -> Result<(), EngineError> {
        let mut news = self.changed.take();
        news.extend(question.objects().filter(|key| !self.told.contains(key)).cloned());
        let mut failure = None;
        for key in news {
            let entry = world.index().follow(&key, &self.changed);
            if let Some(entry) = entry {
                failure = self.tell(&key, &entry).err().or(failure);
            } else {
                self.remove(&key);
            }
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        if self.facts.get(&question.key) != Some(&question.observed) {
            self.fleet.observe(name(&question.key), question.observed.clone())?;
            self.facts.insert(question.key.clone(), question.observed.clone());
        }
        Ok(())
    }

    fn tell(&mut self, key: &Key, entry: &Entry) -> Result<(), EngineError> {
        self.refused.remove(key);
        match self.fleet.upsert(name(key), entry.text.clone()) {
            Ok(()) => {}
            // Only another version can be better.
            Err(EngineError::Malformed { message, .. }) => drop(self.refused.insert(key.clone(), message)),
            Err(error) => {
                self.told.remove(key);
                return Err(error);
            }
        }
        self.told.insert(key.clone());
        Ok(())
    }

    fn remove(&mut self, key: &Key) {
        self.facts.remove(key);
        self.refused.remove(key);
        if self.told.remove(key) {
            // A fleet that fails at this is made anew without the object.
            let _ = self.fleet.remove(&name(key));
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the fleet calls an object. A Node's namespace is the workload cluster, as `namespace/name`.
fn name(key: &Key) -> ObjectName {
    let [group, kind, namespace, name] =
        [&key.kind.group, &key.kind.kind, &key.namespace, &key.name].map(ToString::to_string);
    if !group.is_empty() {
        return ObjectName { group, kind, namespace, name, workload_cluster: None };
    }
    let cluster = namespace.split_once('/');
    let workload_cluster =
        cluster.map(|(namespace, name)| WorkloadCluster { namespace: namespace.to_owned(), name: name.to_owned() });
    ObjectName { group, kind, namespace: String::new(), name, workload_cluster }
}
