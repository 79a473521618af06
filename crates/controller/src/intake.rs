//! One kube watcher for every kind. What the server lists replaces what was cached; after any interruption it is listed
//! again, since nobody knows whether the same server, with the same data, is there afterwards.

use super::cache::Cache;
use super::client::{PAGE, WATCH_SECONDS};
use super::discovery::{Served, discover};
use super::entry::Source;
use super::key::{GroupKind, Key};
use super::kinds::Watched;
use super::metrics::Metrics;
use super::printable::short;
use super::tireless;
use futures::{Stream, StreamExt};
use kube::core::{ApiResource, DynamicObject};
use kube::runtime::utils::Backoff;
use kube::runtime::watcher;
use kube::runtime::watcher::DefaultBackoff;
use kube::{Api, Client};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::AbortHandle;

/// However often it was interrupted, a watch is tried again after this. By default it is a minute in the end, and a
/// machine whose Node is lost meanwhile would wait so much longer for its remediation.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Starts watches.
#[derive(Clone)]
pub struct Intake {
    pub client: Client,
    pub cache: Arc<Cache>,
    pub metrics: Arc<Metrics>,
    /// Counts how often the server came back after it had not answered.
    pub outages: tokio::sync::watch::Receiver<u64>,
    /// Kinds without which nothing is decided.
    pub required: Arc<BTreeSet<GroupKind>>,
    pub tasks: Arc<Mutex<BTreeMap<GroupKind, AbortHandle>>>,
}

/// Why a watch ended.
#[derive(Debug, thiserror::Error)]
pub enum Interruption {
    #[error(transparent)]
    Watch(#[from] watcher::Error),
    #[error("more than {0} bytes of objects")]
    TooMuch(usize),
    #[error("the server did not answer for a while")]
    Outage,
    #[error("the watch ended")]
    Ended,
}

impl Interruption {
    /// The reason in a few words: a server may answer with whole pages.
    pub fn says(&self) -> String {
        short(&self.to_string()).into_owned()
    }

    /// The server's own answer, if it is one.
    pub fn code(&self) -> Option<u16> {
        use watcher::Error::{InitialListFailed, WatchFailed, WatchStartFailed};
        match self {
            Self::Watch(
                InitialListFailed(kube::Error::Api(status))
                | WatchStartFailed(kube::Error::Api(status))
                | WatchFailed(kube::Error::Api(status)),
            ) => Some(status.code),
            _ => None,
        }
    }
}

impl Intake {
    /// Watches a kind until [`Intake::stop`].
    pub fn start(&self, kind: GroupKind) {
        let (intake, watched) = (self.clone(), kind.clone());
        let task = tokio::spawn(async move {
            let interrupted = || intake.set_interrupted(&watched, "its watch has failed");
            tireless::run(&watched.kind, || intake.clone().watch(watched.clone()), interrupted).await;
        });
        let task = task.abort_handle();
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).insert(kind, task);
    }

    /// Ends the watch of a kind that nobody refers to any more, and drops its objects.
    pub fn stop(&self, kind: &GroupKind) {
        if let Some(task) = self.tasks.lock().unwrap_or_else(PoisonError::into_inner).remove(kind) {
            task.abort();
        }
        self.cache.forget_kind(kind);
        self.metrics.watch_current(&kind.kind, false);
    }

    async fn watch(mut self, kind: GroupKind) {
        let mut pauses = Pauses::default();
        loop {
            match discover(&self.client, &kind).await {
                Ok(Served::As(resource)) => {
                    let (complete, interruption) = self.follow(&kind, &resource).await;
                    if complete {
                        pauses.reset();
                    }
                    self.interrupted(&kind, &interruption);
                }
                Ok(Served::Not) => self.not_served(&kind, &format!("{} is not served", kind.kind)),
                Ok(Served::InOtherVersions(versions)) => {
                    let versions = versions.join(", ");
                    let name = format!("{} of {}", kind.kind, kind.group);
                    self.not_served(&kind, &format!("{name} is served as {versions} only; v1beta2 is needed"));
                }
                Err(kube::Error::Api(status)) if status.is_forbidden() => self.forbidden(&kind),
                // Nothing is known, so nothing is decided.
                Err(error) => {
                    let error = short(&error.to_string()).into_owned();
                    tracing::warn!(kind = %kind.kind, group = %kind.group, error, "discovery failed");
                    self.set_interrupted(&kind, &error);
                }
            }
            self.metrics.watch_current(&kind.kind, false);
            tokio::time::sleep(pauses.next().unwrap_or(LONGEST_PAUSE)).await;
        }
    }

    /// Lists and watches until the first interruption. Says whether a list was complete.
    async fn follow(&mut self, kind: &GroupKind, resource: &ApiResource) -> (bool, Interruption) {
        let api: Api<DynamicObject> = match &self.cache.namespace {
            Some(namespace) => Api::namespaced_with(self.client.clone(), namespace, resource),
            None => Api::all_with(self.client.clone(), resource),
        };
        let events = watcher(api, config());
        let key = |object: &DynamicObject| Key::of(kind, object);
        let api_version = &*resource.api_version;
        let feed = Feed { cache: &self.cache, metrics: &self.metrics, kind, api_version, workload: None };
        let complete = std::sync::atomic::AtomicBool::new(false);
        let on_complete = || {
            complete.store(true, std::sync::atomic::Ordering::Relaxed);
            self.metrics.watch_current(&kind.kind, true);
            self.cache.set_watched(kind, &Watched::Complete(resource.clone()));
        };
        self.outages.mark_unchanged();
        let interruption = tokio::select! {
            interruption = feed.follow(key, events, on_complete) => interruption,
            _ = self.outages.changed() => Interruption::Outage,
        };
        (complete.into_inner(), interruption)
    }

    fn interrupted(&self, kind: &GroupKind, interruption: &Interruption) {
        tracing::warn!(kind = %kind.kind, error = interruption.says(), "watch interrupted");
        self.metrics.watch_failed(&kind.kind);
        match interruption.code() {
            Some(403) => self.forbidden(kind),
            Some(404) => self.not_served(kind, &format!("{} is not served", kind.kind)),
            _ => self.set_interrupted(kind, &interruption.says()),
        }
    }

    /// The cache may be behind the server. Nobody waits for the first list of a kind that can't be listed now.
    fn set_interrupted(&self, kind: &GroupKind, why: &str) {
        self.cache.kinds.interrupted(kind, why);
        self.cache.refresh_all();
    }

    fn forbidden(&self, kind: &GroupKind) {
        self.metrics.forbidden(&kind.kind);
        if self.cache.kinds.resource(kind).is_some() {
            self.set_interrupted(kind, "reading it is forbidden");
        } else {
            self.cache.set_watched(kind, &Watched::Unreadable);
        }
    }

    fn not_served(&self, kind: &GroupKind, why: &str) {
        if self.cache.set_watched(kind, &Watched::NotServed(why.to_owned())) {
            tracing::warn!(kind = %kind.kind, group = %kind.group, why, "nothing is known of this kind");
            if !self.required.contains(kind) {
                self.cache.retain(kind, None, &BTreeSet::new());
            }
        }
    }
}

/// How everything is watched.
pub fn config() -> watcher::Config {
    watcher::Config::default().timeout(WATCH_SECONDS).page_size(PAGE)
}

/// The pauses between the attempts of a watch: longer each time, up to a point.
#[derive(Default)]
pub struct Pauses(DefaultBackoff);

impl Iterator for Pauses {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        self.0.next().map(|pause| pause.min(LONGEST_PAUSE))
    }
}

impl Backoff for Pauses {
    fn reset(&mut self) {
        self.0.reset();
    }
}

/// Where the objects of a watch go.
pub struct Feed<'a> {
    pub cache: &'a Cache,
    pub metrics: &'a Metrics,
    pub kind: &'a GroupKind,
    pub api_version: &'a str,
    /// The workload cluster that all of them belong to, and how many bytes of objects it may have.
    pub workload: Option<(&'a str, usize)>,
}

impl Feed<'_> {
    /// Takes in everything that a watch brings, until the first interruption. Calls `complete` after each list.
    pub async fn follow(
        &self,
        key: impl Fn(&DynamicObject) -> Key,
        events: impl Stream<Item = Result<watcher::Event<DynamicObject>, watcher::Error>>,
        complete: impl Fn(),
    ) -> Interruption {
        let mut events = std::pin::pin!(events);
        let mut listed = BTreeSet::new();
        let mut bytes = 0_usize;
        while let Some(event) = events.next().await {
            let size = match event {
                Ok(watcher::Event::Init) => {
                    listed.clear();
                    0
                }
                Ok(watcher::Event::InitApply(object)) => {
                    let key = key(&object);
                    listed.insert(key.clone());
                    self.cache.put(&key, self.api_version, object, Source::List)
                }
                Ok(watcher::Event::InitDone) => {
                    self.cache.retain(self.kind, self.workload.map(|(name, _)| name), &listed);
                    listed.clear();
                    self.metrics.watch_started(&self.kind.kind);
                    complete();
                    0
                }
                Ok(watcher::Event::Apply(object)) => {
                    self.cache.put(&key(&object), self.api_version, object, Source::Watch)
                }
                Ok(watcher::Event::Delete(object)) => {
                    self.cache.remove(&key(&object));
                    0
                }
                Err(error) => return error.into(),
            };
            bytes = bytes.saturating_add(size);
            if let Some((workload, limit)) = self.workload.filter(|(_, limit)| bytes > *limit) {
                // The sum counts objects again that have changed.
                bytes = self.cache.bytes(self.kind, workload);
                if bytes > limit {
                    return Interruption::TooMuch(limit);
                }
            }
        }
        Interruption::Ended
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_PAUSE, Pauses};
    use std::time::Duration;

    #[test]
    fn pauses_become_longer_but_not_for_ever() {
        let pauses: Vec<Duration> = Pauses::default().take(20).collect();
        assert!(pauses[0] < pauses[2] && pauses[2] < LONGEST_PAUSE, "{pauses:?}");
        assert_eq!(pauses[10..], [LONGEST_PAUSE; 10]);
    }
}
