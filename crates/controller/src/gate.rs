//! When decisions may be made, and which workload clusters are connected to.

use super::key::{GroupKind, Key};
use super::workload::Workloads;
use super::world::World;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// How often it is checked which Clusters there are and whether the first lists are complete.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Opens the gate to decisions while everything has been read and we lead; keeps a connection to every Cluster.
pub async fn keep(
    world: Arc<World>,
    workloads: Workloads,
    required: Vec<GroupKind>,
    ready: Arc<AtomicBool>,
    leading: Arc<AtomicBool>,
    open: watch::Sender<bool>,
) {
    let kind = GroupKind::new("cluster.x-k8s.io", "Cluster");
    loop {
        let clusters: Vec<Key> = world.index().keys(&kind).cloned().collect();
        workloads.keep(&clusters);
        let complete = world.complete(&required);
        ready.store(complete, Ordering::Relaxed);
        let wanted = complete && leading.load(Ordering::Relaxed);
        open.send_if_modified(|open| std::mem::replace(open, wanted) != wanted);
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
