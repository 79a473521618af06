//! All that is known of the cluster, shared by those who watch and those who decide.

use super::clock;
use super::index::{Entry, Index, Source};
use super::key::{GroupKind, Key, Query};
use super::trim::trim;
use super::workload::Connection;
use futures::channel::mpsc;
use kube::core::{ApiResource, DynamicObject};
use kube::runtime::scheduler::ScheduleRequest;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Changes that come this close together are one.
const BURST: Duration = Duration::from_millis(20);

/// How far the watch of a kind has come.
#[derive(Clone, Debug)]
pub enum Watched {
    /// The first list is not complete.
    Starting,
    /// The index has every object.
    Complete(ApiResource),
    /// The server does not serve the kind in a version that is known, so nothing is known of its objects.
    NotServed(String),
    /// The objects can't be read.
    Unreadable,
}

/// A kind that is watched.
struct Kind {
    watched: Watched,
    /// Why the index may be behind the server just now.
    interrupted: Option<String>,
    /// It was not referred to when that was last checked.
    unused: bool,
}

/// Objects, watches, connections, and the queue of what has to be decided again.
pub struct World {
    index: Mutex<Index>,
    kinds: Mutex<BTreeMap<GroupKind, Kind>>,
    connections: Mutex<BTreeMap<String, Connection>>,
    queue: mpsc::UnboundedSender<ScheduleRequest<Key>>,
    demand: tokio::sync::mpsc::UnboundedSender<GroupKind>,
    /// Kinds that are decided about.
    subjects: BTreeSet<GroupKind>,
}

impl World {
    pub fn new(
        queue: mpsc::UnboundedSender<ScheduleRequest<Key>>,
        demand: tokio::sync::mpsc::UnboundedSender<GroupKind>,
        subjects: BTreeSet<GroupKind>,
    ) -> Self {
        let (index, kinds, connections) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { index, kinds, connections, queue, demand, subjects }
    }

    pub fn index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in an object of a list: it replaces what is cached, however old it looks. Returns its size.
    pub fn put_listed(&self, key: Key, object: DynamicObject) -> usize {
        self.put(key, object, Source::List).map_or(0, |(_, bytes)| bytes)
    }

    /// Takes in an object of a watch. Returns its size.
    pub fn put_watched(&self, key: Key, object: DynamicObject) -> usize {
        self.put(key, object, Source::Watch).map_or(0, |(_, bytes)| bytes)
    }

    /// Takes in what the server answered to a write of ours, so that no decision is made on what was before it. Returns its
    /// digest.
    pub fn put_written(&self, key: Key, object: DynamicObject) -> Option<[u8; 32]> {
        // An object that is gone by now must not come back.
        let uid = self.index().get(&key).and_then(|entry| entry.object.metadata.uid.clone());
        if uid.is_none() || uid != object.metadata.uid {
            return None;
        }
        self.put(key, object, Source::Write).map(|(digest, _)| digest)
    }

    fn put(&self, key: Key, mut object: DynamicObject, source: Source) -> Option<([u8; 32], usize)> {
        let version = object.metadata.resource_version.as_deref().and_then(|v| v.parse().ok()).unwrap_or(0);
        trim(&key.kind.group, &key.kind.kind, &mut object);
        match Entry::new(&key, object, version) {
            Ok(entry) => {
                let result = (entry.digest, entry.text.len());
                let concerned = self.index().put(key, entry, source);
                self.wake(concerned);
                Some(result)
            }
            Err(error) => {
                tracing::error!(%key, %error, "an object that can't be written as JSON is left out");
                None
            }
        }
    }

    /// How large the objects of a kind in a namespace are together.
    pub fn bytes(&self, kind: &GroupKind, namespace: &str) -> usize {
        let index = self.index();
        let keys = index.keys(kind).filter(|key| *key.namespace == *namespace);
        keys.filter_map(|key| index.get(key)).map(|entry| entry.text.len()).sum()
    }

    pub fn remove(&self, key: &Key) {
        let concerned = self.index().remove(key);
        self.wake(concerned);
    }

    /// After a complete list: what was not in it is gone.
    pub fn retain(&self, kind: &GroupKind, namespace: Option<&str>, listed: &BTreeSet<Key>) {
        let of_list = |key: &&Key| namespace.is_none_or(|namespace| *key.namespace == *namespace);
        let gone: Vec<Key> =
            self.index().keys(kind).filter(of_list).filter(|key| !listed.contains(*key)).cloned().collect();
        for key in &gone {
            self.remove(key);
        }
    }

    fn kinds(&self) -> MutexGuard<'_, BTreeMap<GroupKind, Kind>> {
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far the watch of a kind is; asks for one if there is none.
    pub fn watched(&self, kind: &GroupKind) -> Watched {
        let mut kinds = self.kinds();
        if let Some(kind) = kinds.get(kind) {
            return kind.watched.clone();
        }
        kinds.insert(kind.clone(), Kind { watched: Watched::Starting, interrupted: None, unused: false });
        // Nobody listens any more only when the program ends.
        let _ = self.demand.send(kind.clone());
        Watched::Starting
    }

    /// Whether a kind is watched and can't be read.
    pub fn unreadable(&self, kind: &GroupKind) -> bool {
        self.kinds().get(kind).is_some_and(|kind| matches!(kind.watched, Watched::Unreadable))
    }

    /// Notes how far the watch of a kind is, and wakes those who waited for it. Says whether that is new.
    pub fn set_watched(&self, kind: &GroupKind, watched: &Watched) -> bool {
        let mut kinds = self.kinds();
        let new = Kind { watched: watched.clone(), interrupted: None, unused: false };
        let before = kinds.insert(kind.clone(), new).map(|before| before.watched);
        drop(kinds);
        let changed = match (&before, watched) {
            (Some(Watched::NotServed(before)), Watched::NotServed(now)) => before != now,
            (Some(Watched::Complete(_)), Watched::Complete(_)) | (Some(Watched::Unreadable), Watched::Unreadable) => {
                false
            }
            _ => true,
        };
        if changed {
            let concerned = self.index().readers_of(|query| query.kind() == kind);
            self.wake(concerned);
        }
        changed
    }

    /// Notes that the index may be behind the server for a kind, until its next complete list.
    pub fn interrupted(&self, kind: &GroupKind, why: &str) {
        if let Some(kind) = self.kinds().get_mut(kind) {
            kind.interrupted = Some(why.to_owned());
        }
    }

    /// Kinds that were wanted once and are referred to by nobody, now and when this was last asked.
    pub fn unused(&self, required: &BTreeSet<GroupKind>) -> Vec<GroupKind> {
        let used = self.index().kinds_read();
        let mut unused = Vec::new();
        for (kind, state) in self.kinds().iter_mut().filter(|(kind, _)| !required.contains(*kind)) {
            let before = std::mem::replace(&mut state.unused, !used.contains(kind));
            if before && state.unused {
                unused.push(kind.clone());
            }
        }
        unused
    }

    /// Forgets a kind and its objects.
    pub fn forget_kind(&self, kind: &GroupKind) {
        self.kinds().remove(kind);
        self.retain(kind, None, &BTreeSet::new());
    }

    /// How the server calls a kind.
    pub fn resource(&self, kind: &GroupKind) -> Option<ApiResource> {
        match self.kinds().get(kind).map(|kind| &kind.watched) {
            Some(Watched::Complete(resource)) => Some(resource.clone()),
            _ => None,
        }
    }

    /// Why nothing may be decided yet; `None` when everything that decisions need is there and current.
    pub fn missing(&self, required: &BTreeSet<GroupKind>) -> Option<String> {
        let kinds = self.kinds();
        required.iter().find_map(|required| {
            let Some(kind) = kinds.get(required) else { return Some(format!("{} is not watched yet", required.kind)) };
            match &kind.watched {
                Watched::Starting => {
                    let why = kind.interrupted.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
                    Some(format!("{} is not listed yet{why}", required.kind))
                }
                Watched::NotServed(why) => Some(why.clone()),
                Watched::Complete(_) => kind.interrupted.as_ref().map(|why| format!("{}: {why}", required.kind)),
                // Decisions say that it was not read.
                Watched::Unreadable => None,
            }
        })
    }

    /// The connection to the workload cluster; none while the first attempt is under way.
    pub fn connection(&self, workload: &str) -> Option<Connection> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner).get(workload).cloned()
    }

    /// Notes the state of a connection, and wakes those who read Nodes through it if that changes something.
    pub fn set_connection(&self, workload: &str, connection: Connection) {
        let connected = connection.connected;
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        let before = connections.insert(workload.to_owned(), connection);
        drop(connections);
        if before.is_none_or(|before| before.connected != connected) {
            self.wake_readers_of_nodes(workload);
        }
    }

    /// Forgets a workload cluster and its Nodes.
    pub fn forget_workload(&self, workload: &str) {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner).remove(workload);
        self.retain(&super::workload::node_kind(), Some(workload), &BTreeSet::new());
    }

    fn wake_readers_of_nodes(&self, workload: &str) {
        let nodes = super::workload::node_kind();
        let concerned = self
            .index()
            .readers_of(|query| matches!(query, Query::Named(key) if key.kind == nodes && *key.namespace == *workload));
        self.wake(concerned);
    }

    fn wake(&self, concerned: BTreeSet<Key>) {
        for key in concerned {
            if self.subjects.contains(&key.kind) {
                self.wake_in(key, BURST);
            }
        }
    }

    /// Has an object decided after a while, or sooner if something changes.
    pub fn wake_in(&self, key: Key, after: Duration) {
        let run_at = clock::instant().checked_add(after).unwrap_or_else(clock::instant);
        let _ = self.queue.unbounded_send(ScheduleRequest { message: key, run_at });
    }
}
