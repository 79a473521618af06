//! What was read from the servers, shared by those who watch, the fleets and those who write.

use super::cluster_fleet::ClusterFleet;
use super::entry::{Entry, Source};
use super::key::{GroupKind, Home, Key};
use super::kinds::{Kinds, Watched};
use super::trim::trim;
use super::workload::Connection;
use kube::core::DynamicObject;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;

/// Objects, kinds, connections, and the fleets that they are passed to.
pub struct Cache {
    objects: Mutex<BTreeMap<Key, Arc<Entry>>>,
    connections: Mutex<BTreeMap<String, Connection>>,
    fleets: Mutex<BTreeMap<Arc<str>, Arc<ClusterFleet>>>,
    /// Gets each new fleet.
    new_fleets: UnboundedSender<Arc<ClusterFleet>>,
    /// The workload clusters whose static Pods decisions read.
    static_pods: watch::Sender<BTreeSet<String>>,
    pub kinds: Kinds,
    /// The only namespace that is read, if it is one only.
    pub namespace: Option<String>,
}

impl Cache {
    pub fn new(kinds: Kinds, namespace: Option<String>, new_fleets: UnboundedSender<Arc<ClusterFleet>>) -> Self {
        let (objects, connections, fleets) = (Mutex::default(), Mutex::default(), Mutex::default());
        let static_pods = watch::Sender::default();
        Self { objects, connections, fleets, new_fleets, static_pods, kinds, namespace }
    }

    fn objects(&self) -> MutexGuard<'_, BTreeMap<Key, Arc<Entry>>> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fleets(&self) -> MutexGuard<'_, BTreeMap<Arc<str>, Arc<ClusterFleet>>> {
        self.fleets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get(&self, key: &Key) -> Option<Arc<Entry>> {
        self.objects().get(key).cloned()
    }

    /// Every object of a kind.
    pub fn keys(&self, kind: &GroupKind) -> Vec<Key> {
        let first = Key::new(kind.clone(), "", "");
        let objects = self.objects();
        objects.range(first..).map(|(key, _)| key).take_while(|key| key.kind == *kind).cloned().collect()
    }

    /// The fleet that an object is decided in.
    pub fn fleet_of(&self, entry: &Entry) -> Option<Arc<ClusterFleet>> {
        let Home::Cluster(name) = &entry.home else { return None };
        self.fleets().get(name).cloned()
    }

    /// Every fleet.
    pub fn all_fleets(&self) -> Vec<Arc<ClusterFleet>> {
        self.fleets().values().cloned().collect()
    }

    /// Takes in an object, unless a newer one is there. Returns its size.
    pub fn put(&self, key: &Key, api_version: &str, mut object: DynamicObject, source: Source) -> usize {
        let version = object.metadata.resource_version.as_deref().and_then(|v| v.parse().ok()).unwrap_or(0);
        trim(&key.kind, api_version, &mut object);
        let entry = match Entry::new(key, &object, version, source) {
            Ok(entry) => entry,
            Err(error) => {
                tracing::error!(%key, %error, "an object that can't be written as JSON is left out");
                return 0;
            }
        };
        let bytes = entry.text.len();
        let mut objects = self.objects();
        let before = objects.get(key).cloned();
        let gone = source == Source::Write && before.as_ref().is_none_or(|before| before.uid != entry.uid);
        // An object that is gone by now must not come back by the answer to a write.
        if gone || before.as_ref().is_some_and(|before| entry.is_outdated_by(before, source)) {
            return bytes;
        }
        let news = before.as_ref().is_none_or(|before| before.text != entry.text);
        let home = entry.home.clone();
        objects.insert(key.clone(), Arc::new(entry));
        drop(objects);
        if let Some(before) = before.filter(|before| before.home != home) {
            self.pass_on(key, &before.home, true);
        }
        self.pass_on(key, &home, news);
        bytes
    }

    /// Takes in what the server answered to a write of ours, so that no decision is made on what was before it.
    pub fn put_written(&self, key: &Key, object: DynamicObject) {
        if let Some(resource) = self.kinds.resource(&key.kind) {
            self.put(key, &resource.api_version, object, Source::Write);
        }
    }

    pub fn remove(&self, key: &Key) {
        let removed = self.objects().remove(key);
        if let Some(entry) = removed {
            self.pass_on(key, &entry.home, true);
        }
    }

    /// Tells the fleets of a home that one of its objects has changed, or only its version.
    fn pass_on(&self, key: &Key, home: &Home, news: bool) {
        let mut fleets = self.fleets();
        let concerned: Vec<Arc<ClusterFleet>> = match home {
            Home::Cluster(name) => {
                let fleet = fleets.entry(name.clone()).or_insert_with(|| self.new_fleet(name));
                vec![fleet.clone()]
            }
            Home::Namespace => {
                let first: Arc<str> = format!("{}/", key.namespace).into();
                let of_namespace = fleets.range(first.clone()..).take_while(|(name, _)| name.starts_with(&*first));
                of_namespace.map(|(_, fleet)| fleet.clone()).collect()
            }
            Home::Everywhere => fleets.values().cloned().collect(),
        };
        drop(fleets);
        for fleet in concerned {
            fleet.changed(key.clone(), news);
        }
    }

    /// A fleet that gets what it shares with others.
    fn new_fleet(&self, name: &Arc<str>) -> Arc<ClusterFleet> {
        let namespace = name.split_once('/').map_or("", |(namespace, _)| namespace);
        let shared = |(key, entry): (&Key, &Arc<Entry>)| match entry.home {
            Home::Everywhere => Some(key.clone()),
            Home::Namespace if *key.namespace == *namespace => Some(key.clone()),
            _ => None,
        };
        let fleet = Arc::new(ClusterFleet::new(name.clone(), self.objects().iter().filter_map(shared).collect()));
        // Nobody listens any more only when the program ends.
        let _ = self.new_fleets.send(fleet.clone());
        fleet
    }

    /// Ends the fleets of clusters of which nothing is left.
    pub fn drop_empty_fleets(&self) {
        let mut fleets = self.fleets();
        let objects = self.objects();
        let used: BTreeSet<&str> = objects.values().filter_map(|entry| entry.home.cluster()).collect();
        fleets.retain(|name, fleet| {
            let keep = used.contains(&**name);
            if !keep {
                fleet.close();
            }
            keep
        });
    }

    /// How large the objects of a kind in a namespace are together.
    pub fn bytes(&self, kind: &GroupKind, namespace: &str) -> usize {
        let first = Key::new(kind.clone(), namespace, "");
        let objects = self.objects();
        let found = objects.range(first..).take_while(|(key, _)| key.kind == *kind && *key.namespace == *namespace);
        found.map(|(_, entry)| entry.text.len()).sum()
    }

    /// After a complete list: what was not in it is gone.
    pub fn retain(&self, kind: &GroupKind, namespace: Option<&str>, listed: &BTreeSet<Key>) {
        let of_list = |key: &Key| namespace.is_none_or(|namespace| *key.namespace == *namespace);
        for key in self.keys(kind).iter().filter(|key| of_list(key) && !listed.contains(key)) {
            self.remove(key);
        }
    }

    /// Notes how far the watch of a kind is; whether that is new.
    pub fn set_watched(&self, kind: &GroupKind, watched: &Watched) -> bool {
        let new = self.kinds.set(kind, watched);
        if new {
            self.refresh_all();
        }
        new
    }

    /// Has every fleet look again at what it knows.
    pub fn refresh_all(&self) {
        self.all_fleets().iter().for_each(|fleet| fleet.refresh_soon());
    }

    /// Forgets a kind and its objects.
    pub fn forget_kind(&self, kind: &GroupKind) {
        self.kinds.remove(kind);
        self.retain(kind, None, &BTreeSet::new());
    }

    /// The connection to the workload cluster; none while the first attempt is under way.
    pub fn connection(&self, workload: &str) -> Option<Connection> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner).get(workload).cloned()
    }

    /// Notes whether decisions read the static Pods of a workload cluster.
    pub fn want_static_pods(&self, workload: &str, wanted: bool) {
        self.static_pods.send_if_modified(
            |all| {
                if wanted { all.insert(workload.to_owned()) } else { all.remove(workload) }
            },
        );
    }

    /// The workload clusters whose static Pods decisions read, whenever that changes.
    pub fn static_pods_wanted(&self) -> watch::Receiver<BTreeSet<String>> {
        self.static_pods.subscribe()
    }

    /// Notes the state of a connection.
    pub fn set_connection(&self, workload: &str, connection: Connection) {
        let now = (connection.facts(), connection.pods_listed);
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        let before = connections.insert(workload.to_owned(), connection);
        drop(connections);
        if before.is_none_or(|before| (before.facts(), before.pods_listed) != now)
            && let Some(fleet) = self.fleets().get(workload)
        {
            fleet.refresh_soon();
        }
    }

    /// Forgets a workload cluster, its Nodes and its Pods.
    pub fn forget_workload(&self, workload: &str) {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner).remove(workload);
        self.want_static_pods(workload, false);
        for kind in [GroupKind::node(), GroupKind::pod()] {
            self.retain(&kind, Some(workload), &BTreeSet::new());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cache;
    use crate::cluster_fleet::ClusterFleet;
    use crate::entry::Source;
    use crate::key::{GroupKind, Key};
    use crate::kinds::Kinds;
    use serde_json::{Value, json};
    use std::sync::Arc;
    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

    fn cache() -> (Cache, UnboundedReceiver<Arc<ClusterFleet>>) {
        let (fleets, new) = unbounded_channel();
        (Cache::new(Kinds::new(unbounded_channel().0), None, fleets), new)
    }

    fn put(cache: &Cache, kind: &str, name: &str, cluster: Option<&str>, more: &Value) -> Key {
        let kind = GroupKind::new(if kind == "TestMachine" { "example.com" } else { "cluster.x-k8s.io" }, kind);
        let metadata = json!({ "name": name, "namespace": "ns", "uid": name, "resourceVersion": "1" });
        let object = json!({ "metadata": metadata, "spec": { "clusterName": cluster }, "status": more });
        let object = serde_json::from_value(object).expect("an object");
        let key = Key::of(&kind, &object);
        cache.put(&key, "example.com/v1", object, Source::List);
        key
    }

    #[test]
    fn objects_reach_the_fleets_they_belong_to() {
        let (cache, mut new) = cache();
        let shared = put(&cache, "TestMachine", "shared", None, &json!({}));
        let machine = put(&cache, "Machine", "m1", Some("c1"), &json!({}));
        let fleet = new.try_recv().expect("a fleet");
        assert_eq!((&*fleet.name, fleet.take_changed()), ("ns/c1", vec![machine.clone(), shared.clone()]));
        put(&cache, "TestMachine", "shared", None, &json!({ "ready": true }));
        assert_eq!(fleet.take_changed(), [shared]);
        let moved = put(&cache, "Machine", "m1", Some("c2"), &json!({}));
        assert_eq!(fleet.take_changed(), std::slice::from_ref(&moved), "the fleet that it has left learns of it");
        let other = new.try_recv().expect("another fleet");
        assert!(other.take_changed().contains(&moved));
        cache.drop_empty_fleets();
        assert_eq!(cache.all_fleets().len(), 1);
        cache.remove(&moved);
        assert_eq!(other.take_changed(), [moved]);
    }

    #[test]
    fn an_answer_to_a_write_does_not_bring_an_object_back() {
        let (cache, _new) = cache();
        let machine = put(&cache, "Machine", "m1", Some("c1"), &json!({}));
        cache.remove(&machine);
        let object = json!({ "metadata": { "name": "m1", "namespace": "ns", "uid": "m1", "resourceVersion": "9" } });
        cache.put(&machine, "", serde_json::from_value(object).expect("an object"), Source::Write);
        assert!(cache.get(&machine).is_none());
    }
}
