//! The fleet of one workload cluster: told what has changed before it is used, filled again when another policy decides.

use super::cache::Cache;
use super::case::Case;
use super::clock;
use super::entry::Entry;
use super::fleet_state::FleetState;
use super::key::{GroupKind, Home, Key};
use super::policy::Loaded;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// The fleet of a workload cluster, and what it has to be told.
pub struct ClusterFleet {
    /// The workload cluster, as `namespace/name`.
    pub name: Arc<str>,
    changed: Mutex<BTreeSet<Key>>,
    news: Notify,
    closed: AtomicBool,
    kept: Mutex<Option<FleetState>>,
}

/// How to decide about an object.
#[allow(clippy::struct_excessive_bools, reason = "five facts about a turn that have nothing to do with each other")]
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
    /// The owner was about to do something when it was last decided about.
    pub expects: bool,
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
        // Before what has changed meanwhile makes it due once more.
        let queued = kept.as_ref().is_some_and(|kept| kept.queued.contains(&request.key));
        let kept = match self.current(&mut kept, cache, policy) {
            Ok(kept) => kept,
            Err(error) => return Turn::Failed(error, Duration::ZERO),
        };
        let Some(object) = kept.told.get(&request.key).cloned() else { return Turn::Gone };
        let due = kept.queued.remove(&request.key) || queued;
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
        kept: &'k mut Option<FleetState>,
        cache: &Cache,
        policy: &Arc<Loaded>,
    ) -> Result<&'k mut FleetState, String> {
        if let Some(before) = kept.as_ref().filter(|before| before.policy != policy.digest) {
            *kept = Some(FleetState::filled(policy, before).map_err(|error| error.to_string())?);
        }
        let kept = kept.get_or_insert_with(|| FleetState::new(policy));
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

#[cfg(test)]
mod tests {
    use super::{ClusterFleet, Request, Turn};
    use crate::cache::Cache;
    use crate::entry::Source;
    use crate::key::{GroupKind, Key};
    use crate::kinds::{Kinds, Watched};
    use crate::policy::Loaded;
    use crate::workload::Connection;
    use kube::core::{ApiResource, GroupVersionKind};
    use serde_json::{Value, json};
    use std::sync::Arc;
    use tokio::sync::mpsc::unbounded_channel;

    const NOW: &str = "2026-01-01T00:00:00Z";

    fn put(cache: &Cache, kind: &str, name: &str, spec: &Value) -> Key {
        let metadata = json!({ "name": name, "namespace": "ns", "uid": name, "creationTimestamp": NOW });
        let object = json!({ "metadata": metadata, "spec": spec });
        let object = serde_json::from_value(object).expect("an object");
        let key = Key::of(&GroupKind::new("cluster.x-k8s.io", kind), &object);
        cache.put(&key, "cluster.x-k8s.io/v1beta2", object, Source::List);
        key
    }

    /// A Cluster with a Machine, of which nothing else has been read yet.
    fn fleet() -> (Cache, Arc<ClusterFleet>, Arc<Loaded>, Key) {
        let (fleets, mut new) = unbounded_channel();
        let cache = Cache::new(Kinds::new(unbounded_channel().0), None, fleets);
        put(&cache, "Cluster", "c1", &json!({}));
        let machine = put(&cache, "Machine", "m1", &json!({ "clusterName": "c1" }));
        (cache, new.try_recv().expect("a fleet"), Arc::new(Loaded::native()), machine)
    }

    fn read_everything(cache: &Cache) {
        for (kind, _) in cache.kinds.complete() {
            let gvk = GroupVersionKind::gvk(&kind.group, "v1beta2", &kind.kind);
            cache.set_watched(&kind, &Watched::Complete(ApiResource::from_gvk(&gvk)));
        }
        cache.set_connection("ns/c1", Connection::default());
    }

    fn turn(cache: &Cache, fleet: &ClusterFleet, policy: &Arc<Loaded>, key: &Key) -> &'static str {
        let request = Request {
            key: key.clone(),
            now: NOW.to_owned(),
            profile: "documented".to_owned(),
            explain: false,
            refused: false,
            by_time: false,
            expects: false,
            machines_decide: true,
        };
        match fleet.decide(cache, policy, &request) {
            Turn::Gone => "gone",
            Turn::NotYet => "not yet",
            Turn::NotDue => "not due",
            Turn::Failed(..) => "failed",
            Turn::Decided(..) => "decided",
        }
    }

    #[test]
    fn an_object_has_a_turn_when_something_changes_and_everything_was_read() {
        let (cache, fleet, policy, machine) = fleet();
        let due = |fleet: &ClusterFleet| fleet.refresh(&cache, &policy, NOW).expect("a fleet");
        assert_eq!(due(&fleet), [], "nothing has been listed");
        assert_eq!(turn(&cache, &fleet, &policy, &machine), "not yet");
        read_everything(&cache);
        assert!(due(&fleet).contains(&machine));
        assert_eq!(due(&fleet), [], "they wait already");
        assert_eq!(turn(&cache, &fleet, &policy, &machine), "decided");
        assert_eq!(turn(&cache, &fleet, &policy, &machine), "not due");
        put(&cache, "Machine", "m1", &json!({ "clusterName": "c1", "version": "v1.36.3" }));
        assert!(due(&fleet).contains(&machine));
        cache.remove(&machine);
        assert!(due(&fleet).contains(&machine), "so that what was remembered of it is dropped");
        assert_eq!(turn(&cache, &fleet, &policy, &machine), "gone");
    }

    #[test]
    fn another_policy_knows_everything_before_it_decides() {
        let (cache, fleet, policy, machine) = fleet();
        fleet.refresh(&cache, &policy, NOW).expect("a fleet");
        read_everything(&cache);
        fleet.refresh(&cache, &policy, NOW).expect("a fleet");
        assert_eq!(turn(&cache, &fleet, &policy, &machine), "decided");
        let mut other = Loaded::native();
        "another".clone_into(&mut other.digest);
        let due = fleet.refresh(&cache, &Arc::new(other), NOW).expect("a fleet");
        assert!(due.len() == 2 && due.contains(&machine), "{due:?}");
    }

    #[test]
    fn what_the_policy_cannot_read_is_not_decided_and_keeps_nothing_else_from_being() {
        let (cache, fleet, policy, machine) = fleet();
        let unreadable = put(&cache, "Machine", "m2", &json!({ "clusterName": "c1", "minReadySeconds": "none" }));
        fleet.refresh(&cache, &policy, NOW).expect("a fleet");
        read_everything(&cache);
        let due = fleet.refresh(&cache, &policy, NOW).expect("a fleet");
        assert!(due.contains(&machine) && !due.contains(&unreadable), "{due:?}");
        assert_eq!(turn(&cache, &fleet, &policy, &machine), "decided");
    }
}
