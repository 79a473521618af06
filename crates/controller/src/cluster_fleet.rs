//! The fleet of one workload cluster: told what has changed before it is used, filled again when another policy decides.

use super::cache::Cache;
use super::case::Case;
use super::clock;
use super::decision::Decision;
use super::entry::Entry;
use super::key::{GroupKind, Home, Key, workload_cluster};
use super::policy::{Fleet, Loaded};
use capi_policy_host::{EngineError, How, ObjectName, Scope};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// What is observed of an object whose remediation request the server refuses.
const REQUEST_REFUSED: &str = r#"{"remediationRequestCreateFails":true}"#;

/// The fleet of a workload cluster, and what it has to be told.
pub struct ClusterFleet {
    /// The workload cluster, as `namespace/name`.
    pub name: Arc<str>,
    changed: Mutex<BTreeSet<Key>>,
    news: Notify,
    closed: AtomicBool,
    kept: Mutex<Option<Kept>>,
}

/// How to decide about an object.
#[derive(Clone, Debug)]
pub struct Request {
    pub key: Key,
    /// The time of the decision, RFC 3339.
    pub now: String,
    pub profile: String,
    pub explain: bool,
    /// Its remediation request was refused.
    pub refused: bool,
    /// Its time has come, whatever the fleet says.
    pub by_time: bool,
    /// Machines are decided about as well, and write their own conditions.
    pub machines_decide: bool,
}

/// What a turn of an object led to.
pub enum Turn {
    /// The object is gone.
    Gone,
    /// Something has not been read yet; its arrival makes the object due.
    NotYet,
    /// Neither its time nor a change has come.
    NotDue,
    /// The policy could not decide; it took so long to find out.
    Failed(String, Duration),
    Decided(Box<Case>, Duration),
}

impl ClusterFleet {
    pub fn new(name: Arc<str>, changed: BTreeSet<Key>) -> Self {
        let (changed, kept) = (Mutex::new(changed), Mutex::default());
        Self { name, changed, news: Notify::new(), closed: AtomicBool::new(false), kept }
    }

    /// An object has changed, or only its version: that is no reason to look at it now.
    pub fn changed(&self, key: Key, news: bool) {
        self.keys().insert(key);
        if news {
            self.refresh_soon();
        }
    }

    /// Something that decisions depend on may have changed.
    pub fn refresh_soon(&self) {
        self.news.notify_one();
    }

    /// Waits until there is something new. False: there is nothing left of the cluster.
    pub async fn has_news(&self) -> bool {
        self.news.notified().await;
        !self.closed.load(Ordering::Relaxed)
    }

    /// Nothing is left of the cluster.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.refresh_soon();
    }

    fn keys(&self) -> MutexGuard<'_, BTreeSet<Key>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub fn take_changed(&self) -> Vec<Key> {
        std::mem::take(&mut *self.keys()).into_iter().collect()
    }

    /// The kinds that decisions in this cluster need. Not those of a fleet that is busy.
    pub fn wanted(&self) -> Option<BTreeSet<GroupKind>> {
        let kept = self.kept.try_lock().ok()?;
        kept.as_ref().map(|kept| kept.wanted.clone())
    }

    /// Tells the fleet what is new, and returns the objects that are due for that reason. Takes as long as it takes.
    pub fn refresh(&self, cache: &Cache, policy: &Arc<Loaded>, now: &str) -> Result<Vec<Key>, String> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = self.current(&mut kept, cache, policy)?;
        let mut due = std::mem::take(&mut kept.gone);
        if kept.is_ready(cache, &self.name) {
            due.extend(kept.newly_due(now).map_err(|error| error.to_string())?);
        }
        Ok(due)
    }

    /// Decides about an object.
    pub fn decide(&self, cache: &Cache, policy: &Arc<Loaded>, request: &Request) -> Turn {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = match self.current(&mut kept, cache, policy) {
            Ok(kept) => kept,
            Err(error) => return Turn::Failed(error, Duration::ZERO),
        };
        let Some(object) = kept.told.get(&request.key).cloned() else { return Turn::Gone };
        let due = kept.queued.remove(&request.key);
        if !kept.is_ready(cache, &self.name) {
            return Turn::NotYet;
        }
        if !due && !request.by_time {
            return Turn::NotDue;
        }
        let start = clock::instant();
        match kept.decide(request, object, policy) {
            Ok(case) => Turn::Decided(Box::new(case), start.elapsed()),
            Err(error) => {
                // It is still due; what is to happen next is the caller's to decide.
                kept.queued.insert(request.key.clone());
                Turn::Failed(error, start.elapsed())
            }
        }
    }

    /// The fleet as it should be now.
    fn current<'k>(
        &self,
        kept: &'k mut Option<Kept>,
        cache: &Cache,
        policy: &Arc<Loaded>,
    ) -> Result<&'k mut Kept, String> {
        if let Some(before) = kept.as_ref().filter(|before| before.policy != policy.digest) {
            *kept = Some(Kept::filled(policy, before).map_err(|error| error.to_string())?);
        }
        let kept = kept.get_or_insert_with(|| Kept::new(policy));
        let mut changed = std::mem::take(&mut *self.keys());
        while let Some(key) = changed.pop_first() {
            let entry = cache.get(&key).filter(|entry| self.is_home_of(&key, entry));
            if let Err(error) = kept.take_in(&key, entry) {
                // What the fleet was not told of yet is still news.
                self.keys().append(&mut changed);
                self.keys().insert(key);
                return Err(error.to_string());
            }
        }
        kept.learn(cache, &self.name).map_err(|error| error.to_string())?;
        Ok(kept)
    }

    fn is_home_of(&self, key: &Key, entry: &Entry) -> bool {
        match &entry.home {
            Home::Cluster(name) => *name == self.name,
            Home::Namespace => self.name.split_once('/').is_some_and(|(namespace, _)| *namespace == *key.namespace),
            Home::Everywhere => true,
        }
    }
}

/// A fleet and what it knows.
struct Kept {
    fleet: Fleet,
    /// Digest of its policy.
    policy: String,
    /// The objects as the fleet has them.
    told: BTreeMap<Key, Arc<Entry>>,
    /// Those that the policy can't read.
    unreadable: BTreeSet<Key>,
    complete: BTreeMap<GroupKind, bool>,
    /// What is observed of the workload cluster.
    facts: String,
    connected: bool,
    /// Objects whose remediation requests are refused.
    refused: BTreeSet<Key>,
    /// Objects that are due and wait for their turn.
    queued: BTreeSet<Key>,
    /// Objects that are gone and were decided about.
    gone: Vec<Key>,
    wanted: BTreeSet<GroupKind>,
    /// Something changed that may refer to other kinds.
    look_for_kinds: bool,
}

impl Kept {
    fn new(policy: &Loaded) -> Self {
        Self {
            fleet: policy.fleet(),
            policy: policy.digest.clone(),
            told: BTreeMap::new(),
            unreadable: BTreeSet::new(),
            complete: BTreeMap::new(),
            facts: String::new(),
            connected: false,
            refused: BTreeSet::new(),
            queued: BTreeSet::new(),
            gone: Vec::new(),
            wanted: BTreeSet::new(),
            look_for_kinds: true,
        }
    }

    /// A fleet of another policy with the objects of the one before.
    fn filled(policy: &Loaded, before: &Self) -> Result<Self, EngineError> {
        let mut kept = Self { gone: before.gone.clone(), ..Self::new(policy) };
        for (key, entry) in &before.told {
            kept.take_in(key, Some(entry.clone()))?;
        }
        Ok(kept)
    }

    /// Takes in an object as it is now, or that it is gone.
    fn take_in(&mut self, key: &Key, entry: Option<Arc<Entry>>) -> Result<(), EngineError> {
        let Some(entry) = entry else { return self.forget(key) };
        let before = self.told.get(key);
        if before.is_some_and(|before| before.text == entry.text) && !self.unreadable.contains(key) {
            self.told.insert(key.clone(), entry);
            return Ok(());
        }
        self.look_for_kinds |=
            key.kind.is_decidable() && before.is_none_or(|before| before.generation != entry.generation);
        match self.fleet.upsert(key.in_fleet(), entry.text.clone()) {
            Ok(()) => drop(self.unreadable.remove(key)),
            Err(EngineError::Malformed { message, .. }) => {
                tracing::error!(%key, error = message, "the policy can't read this object: its kind counts as not read");
                self.fleet.remove(&key.in_fleet())?;
                self.unreadable.insert(key.clone());
            }
            Err(error) => return Err(error),
        }
        self.queued.remove(key);
        self.told.insert(key.clone(), entry);
        Ok(())
    }

    fn forget(&mut self, key: &Key) -> Result<(), EngineError> {
        if self.told.remove(key).is_none() {
            return Ok(());
        }
        self.unreadable.remove(key);
        self.refused.remove(key);
        self.queued.remove(key);
        if key.kind.is_decidable() {
            self.gone.push(key.clone());
        }
        self.fleet.remove(&key.in_fleet())
    }

    /// Takes in what is known beside the objects: which kinds were listed, and the way to the workload cluster.
    fn learn(&mut self, cache: &Cache, name: &str) -> Result<(), EngineError> {
        if std::mem::take(&mut self.look_for_kinds) {
            self.wanted = self.fleet.wanted_kinds()?;
            self.wanted.iter().for_each(|kind| cache.kinds.watch(kind));
        }
        for (kind, complete) in cache.kinds.complete() {
            let Some(complete) = complete else { continue };
            let complete = complete && !self.unreadable.iter().any(|key| key.kind == kind);
            if self.complete.get(&kind) != Some(&complete) {
                self.fleet.mark(kind.scope(cache.namespace.as_deref()), complete)?;
                self.complete.insert(kind, complete);
            }
        }
        let Some(connection) = cache.connection(name) else { return Ok(()) };
        let facts = connection.facts();
        if self.facts != facts {
            let cluster = ObjectName { workload_cluster: Some(workload_cluster(name)), ..ObjectName::default() };
            self.fleet.observe(cluster, facts.clone())?;
            self.facts = facts;
        }
        if self.connected != connection.connected {
            let nodes = Scope { workload_cluster: Some(workload_cluster(name)), ..GroupKind::node().scope(None) };
            self.fleet.mark(nodes, connection.connected)?;
            self.connected = connection.connected;
        }
        Ok(())
    }

    /// Whether everything has been read that can be read: each kind was listed or can't be, and whether the workload
    /// cluster can be reached is known.
    fn is_ready(&self, cache: &Cache, name: &str) -> bool {
        let starting = |(kind, complete): &(GroupKind, Option<bool>)| complete.is_none() && self.wanted.contains(kind);
        let cluster = workload_cluster(name);
        let cluster = Key::new(GroupKind::new("cluster.x-k8s.io", "Cluster"), &cluster.namespace, &cluster.name);
        let connects = self.told.contains_key(&cluster) && cache.connection(name).is_none();
        !connects && !cache.kinds.complete().iter().any(starting)
    }

    /// The objects that have become due.
    fn newly_due(&mut self, now: &str) -> Result<Vec<Key>, EngineError> {
        let due = self.fleet.due(now)?;
        let keys = due.into_iter().filter_map(|ObjectName { kind, namespace, name, .. }| {
            Some(Key::new(GroupKind::named(&kind)?, &namespace, &name))
        });
        let new: Vec<Key> = keys.filter(|key| !self.queued.contains(key)).collect();
        self.queued.extend(new.iter().cloned());
        Ok(new)
    }

    fn decide(&mut self, request: &Request, object: Arc<Entry>, policy: &Loaded) -> Result<Case, String> {
        let Request { key, now, profile, explain, .. } = request;
        let name = key.in_fleet();
        if request.refused != self.refused.contains(key) {
            let facts = if request.refused { REQUEST_REFUSED } else { "{}" };
            self.fleet.observe(name.clone(), facts.to_owned()).map_err(|error| error.to_string())?;
            if request.refused {
                self.refused.insert(key.clone());
            } else {
                self.refused.remove(key);
            }
        }
        let answer = self.fleet.evaluate(&name, How { now, profile, explain: *explain });
        let answer = answer.map_err(|error| error.to_string())?;
        let value = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
        let decision = Decision::parse(&value, request.machines_decide).map_err(|error| error.to_string())?;
        let told = |key: &Key| self.told.get(key).cloned();
        Ok(Case::new(key.clone(), object, decision, value, policy.digest.clone(), told))
    }
}
