//! What one fleet knows: objects, which kinds were listed, the way to the workload cluster, and who waits for a turn.

use super::cache::Cache;
use super::case::Case;
use super::cluster_fleet::Request;
use super::decision::Decision;
use super::entry::Entry;
use super::foresight::Owned;
use super::key::{GroupKind, Key, STATIC_PODS, workload_cluster};
use super::policy::{Fleet, Loaded};
use capi_policy_host::{EngineError, How, ObjectName, Scope};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is observed of an object whose remediation request the server refuses.
const REQUEST_REFUSED: &str = r#"{"remediationRequestCreateFails":true}"#;

/// A fleet and what it knows.
pub struct FleetState {
    fleet: Fleet,
    /// Digest of its policy.
    pub policy: String,
    /// The objects as the fleet has them.
    pub told: BTreeMap<Key, Arc<Entry>>,
    /// Those that the policy can't read.
    unreadable: BTreeSet<Key>,
    complete: BTreeMap<GroupKind, bool>,
    /// What is observed of the workload cluster.
    facts: String,
    connected: bool,
    pods_listed: bool,
    /// Objects whose remediation requests are refused.
    refused: BTreeSet<Key>,
    /// Objects that are due and wait for their turn.
    pub queued: BTreeSet<Key>,
    /// Objects that are gone and were decided about.
    pub gone: Vec<Key>,
    pub wanted: BTreeSet<GroupKind>,
    /// Something changed that may refer to other kinds.
    look_for_kinds: bool,
}

impl FleetState {
    pub fn new(policy: &Loaded) -> Self {
        Self {
            fleet: policy.fleet(),
            policy: policy.digest.clone(),
            told: BTreeMap::new(),
            unreadable: BTreeSet::new(),
            complete: BTreeMap::new(),
            facts: String::new(),
            connected: false,
            pods_listed: false,
            refused: BTreeSet::new(),
            queued: BTreeSet::new(),
            gone: Vec::new(),
            wanted: BTreeSet::new(),
            look_for_kinds: true,
        }
    }

    /// A fleet of another policy with the objects of the one before.
    pub fn filled(policy: &Loaded, before: &Self) -> Result<Self, EngineError> {
        let mut kept = Self { gone: before.gone.clone(), ..Self::new(policy) };
        for (key, entry) in &before.told {
            kept.take_in(key, Some(entry.clone()))?;
        }
        Ok(kept)
    }

    /// Takes in an object as it is now, or that it is gone.
    pub fn take_in(&mut self, key: &Key, entry: Option<Arc<Entry>>) -> Result<(), EngineError> {
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
        // Without a control plane nobody needs its Pods.
        self.look_for_kinds |= &*key.kind.kind == "KubeadmControlPlane";
        self.fleet.remove(&key.in_fleet())
    }

    /// Takes in what is known beside the objects: which kinds were listed, and the way to the workload cluster.
    pub fn learn(&mut self, cache: &Cache, name: &str) -> Result<(), EngineError> {
        if std::mem::take(&mut self.look_for_kinds) {
            let wanted = self.fleet.wanted()?;
            self.wanted = wanted.kinds;
            self.wanted.iter().for_each(|kind| cache.kinds.watch(kind));
            cache.want_static_pods(name, wanted.static_pods);
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
        if self.pods_listed != connection.pods_listed {
            let workload_cluster = Some(workload_cluster(name));
            self.fleet.mark(
                Scope { workload_cluster, ..GroupKind::pod().scope(Some(STATIC_PODS)) },
                connection.pods_listed,
            )?;
            self.pods_listed = connection.pods_listed;
        }
        Ok(())
    }

    /// Whether everything has been read that can be read: each kind was listed or can't be, and whether the workload
    /// cluster can be reached is known.
    pub fn is_ready(&self, cache: &Cache, name: &str) -> bool {
        let starting = |(kind, complete): &(GroupKind, Option<bool>)| complete.is_none() && self.wanted.contains(kind);
        let cluster = workload_cluster(name);
        let cluster = Key::new(GroupKind::new("cluster.x-k8s.io", "Cluster"), &cluster.namespace, &cluster.name);
        let connects = self.told.contains_key(&cluster) && cache.connection(name).is_none();
        !connects && !cache.kinds.complete().iter().any(starting)
    }

    /// The objects that have become due.
    pub fn newly_due(&mut self, now: &str) -> Result<Vec<Key>, EngineError> {
        let due = self.fleet.due(now)?;
        let keys = due.into_iter().filter_map(|ObjectName { kind, namespace, name, .. }| {
            Some(Key::new(GroupKind::named(&kind)?, &namespace, &name))
        });
        let new: Vec<Key> = keys.filter(|key| !self.queued.contains(key)).collect();
        self.queued.extend(new.iter().cloned());
        Ok(new)
    }

    pub fn decide(&mut self, request: &Request, object: Arc<Entry>, policy: &Loaded) -> Result<Case, String> {
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
        let owned = if request.expects || !value["ownerActions"].is_null() {
            Owned::by(&object, self.told.iter())
        } else {
            Owned::default()
        };
        let mut case = Case::new(key.clone(), object, decision, value, policy.digest.clone(), told);
        case.owned = owned;
        Ok(case)
    }
}
