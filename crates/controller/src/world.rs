//! All that is known of the cluster, shared by those who watch and those who decide.

use super::clock;
use super::index::{Entry, Index};
use super::key::{GroupKind, Key, Query};
use super::trim::trim;
use super::workload::Connection;
use crate::group::relations::SUBJECTS;
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
    /// The server has no such kind, so there are no objects.
    Unknown,
    /// The objects can't be read.
    Unreadable,
}

/// Objects, watches, connections, and the queue of what has to be decided again.
pub struct World {
    index: Mutex<Index>,
    kinds: Mutex<BTreeMap<GroupKind, Watched>>,
    connections: Mutex<BTreeMap<String, Connection>>,
    queue: mpsc::UnboundedSender<ScheduleRequest<Key>>,
    demand: tokio::sync::mpsc::UnboundedSender<GroupKind>,
}

impl World {
    pub fn new(
        queue: mpsc::UnboundedSender<ScheduleRequest<Key>>,
        demand: tokio::sync::mpsc::UnboundedSender<GroupKind>,
    ) -> Self {
        let (index, kinds, connections) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { index, kinds, connections, queue, demand }
    }

    pub fn index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in an object as the server gave it. Returns its digest.
    pub fn put(&self, key: Key, mut object: DynamicObject) -> Option<[u8; 32]> {
        let version = object.metadata.resource_version.as_deref().and_then(|v| v.parse().ok()).unwrap_or(0);
        trim(&key.kind.group, &key.kind.kind, &mut object);
        match Entry::new(&key, object, version) {
            Ok(entry) => {
                let digest = entry.digest;
                let concerned = self.index().put(key, entry);
                self.wake(concerned);
                Some(digest)
            }
            Err(error) => {
                tracing::error!(%key, %error, "an object that can't be written as JSON is left out");
                None
            }
        }
    }

    /// Takes in what the server answered to a write of ours, so that no decision is made on what was before it.
    pub fn put_written(&self, key: Key, object: DynamicObject) -> Option<[u8; 32]> {
        // An object that is gone by now must not come back.
        let uid = self.index().get(&key).and_then(|entry| entry.object.metadata.uid.clone());
        if uid.is_some() && uid == object.metadata.uid { self.put(key, object) } else { None }
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

    fn kinds(&self) -> MutexGuard<'_, BTreeMap<GroupKind, Watched>> {
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far the watch of a kind is; asks for one if there is none.
    pub fn watched(&self, kind: &GroupKind) -> Watched {
        let mut kinds = self.kinds();
        if let Some(watched) = kinds.get(kind) {
            return watched.clone();
        }
        kinds.insert(kind.clone(), Watched::Starting);
        // Nobody listens any more only when the program ends.
        let _ = self.demand.send(kind.clone());
        Watched::Starting
    }

    /// Notes how far the watch of a kind is, and wakes those who waited for it.
    pub fn set_watched(&self, kind: &GroupKind, watched: &Watched) {
        let before = self.kinds().insert(kind.clone(), watched.clone());
        let changed = !matches!(
            (&before, watched),
            (Some(Watched::Complete(_)), Watched::Complete(_))
                | (Some(Watched::Unreadable), Watched::Unreadable)
                | (Some(Watched::Unknown), Watched::Unknown)
        );
        if changed {
            let concerned = self.index().readers_of(|query| match query {
                Query::Named(key) | Query::FrameOf(key) => key.kind == *kind,
                Query::OwnedBy(of, _) | Query::OfCluster(of, ..) => of == kind,
            });
            self.wake(concerned);
        }
    }

    /// How the server calls a kind.
    pub fn resource(&self, kind: &GroupKind) -> Option<ApiResource> {
        match self.kinds().get(kind) {
            Some(Watched::Complete(resource)) => Some(resource.clone()),
            _ => None,
        }
    }

    /// Whether everything that has to be there before the first decision is there.
    pub fn complete(&self, required: &[GroupKind]) -> bool {
        let kinds = self.kinds();
        required.iter().all(|kind| kinds.get(kind).is_some_and(|watched| !matches!(watched, Watched::Starting)))
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
            if SUBJECTS.iter().any(|subject| key.kind.is(&subject.kind)) {
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
