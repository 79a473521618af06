//! Keeps every fleet current, and enqueues the objects that are due.

use super::cache::Cache;
use super::clock;
use super::cluster_fleet::{ClusterFleet, Request, Turn};
use super::entry::Entry;
use super::key::{Home, Key};
use super::metrics::Metrics;
use super::policy::Policy;
use super::refusal::backoff;
use super::schedule::Queue;
use super::tireless;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedReceiver;

/// Changes that come this close together are one.
const BURST: Duration = Duration::from_millis(20);

/// The fleets and who is decided about in them.
pub struct Fleets {
    pub cache: Arc<Cache>,
    pub policy: Arc<Policy>,
    pub queue: Queue,
    pub metrics: Arc<Metrics>,
    /// Kinds that are decided about.
    pub kinds: BTreeSet<Arc<str>>,
    pub watch_filter: Option<String>,
    /// How far ahead of the present decisions are made.
    pub ahead: Duration,
    /// How many fleets take in objects at a time.
    pub slots: Semaphore,
}

impl Fleets {
    /// Starts a task for each new fleet: one that takes long holds up no other.
    pub async fn run(self: Arc<Self>, mut new: UnboundedReceiver<Arc<ClusterFleet>>) {
        while let Some(fleet) = new.recv().await {
            fleet.refresh_soon();
            let fleets = self.clone();
            tokio::spawn(async move {
                let again = || fleet.refresh_soon();
                tireless::run(&fleet.name, || fleets.clone().follow(fleet.clone()), again).await;
            });
        }
    }

    async fn follow(self: Arc<Self>, fleet: Arc<ClusterFleet>) {
        let mut failures = 0_u32;
        while fleet.has_news().await {
            tokio::time::sleep(BURST).await;
            match self.clone().refresh(fleet.clone()).await {
                Ok(due) => {
                    failures = 0;
                    for key in due {
                        self.queue.wake_in(key, Duration::ZERO);
                    }
                }
                Err(error) => {
                    failures = failures.saturating_add(1);
                    self.metrics.retried("fleet");
                    tracing::error!(cluster = %fleet.name, error, "the policy could not take in what has changed");
                    tokio::time::sleep(backoff(failures)).await;
                    fleet.refresh_soon();
                }
            }
        }
    }

    /// Tells a fleet what is new, off the threads that serve the network. Returns the objects to have a turn.
    async fn refresh(self: Arc<Self>, fleet: Arc<ClusterFleet>) -> Result<Vec<Key>, String> {
        let _slot = self.slots.acquire().await.map_err(|error| error.to_string())?;
        let (fleets, now) = (self.clone(), clock::seconds(clock::now() + self.ahead));
        let due = tokio::task::spawn_blocking(move || {
            let due = fleet.refresh(&fleets.cache, &fleets.policy.current(), &now)?;
            Ok::<_, String>(due.into_iter().filter(|key| fleets.kinds.contains(&key.kind.kind)).collect())
        });
        due.await.map_err(|error| error.to_string())?
    }

    fn looks_after(&self, entry: &Entry) -> bool {
        self.watch_filter.as_ref().is_none_or(|filter| entry.watch_filter.as_deref() == Some(filter))
    }

    /// The line that an object waits in: that of its workload cluster.
    pub fn line_of(&self, key: &Key) -> Arc<str> {
        match self.cache.get(key).map(|entry| entry.home.clone()) {
            Some(Home::Cluster(name)) => name,
            _ => key.namespace.clone(),
        }
    }

    /// Decides about an object, off the threads that serve the network.
    pub async fn decide(self: &Arc<Self>, request: Request) -> Turn {
        let entry = self.cache.get(&request.key).filter(|entry| self.looks_after(entry));
        let Some(fleet) = entry.and_then(|entry| self.cache.fleet_of(&entry)) else { return Turn::Gone };
        let fleets = self.clone();
        let turn = tokio::task::spawn_blocking(move || fleet.decide(&fleets.cache, &fleets.policy.current(), &request));
        turn.await.unwrap_or_else(|error| Turn::Failed(error.to_string(), Duration::ZERO))
    }
}
