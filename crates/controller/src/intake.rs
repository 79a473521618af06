//! One kube watcher for every kind; what it brings goes into the world.

use super::key::{GroupKind, Key};
use super::metrics::Metrics;
use super::world::{Watched, World};
use futures::{Stream, StreamExt, TryStreamExt};
use kube::core::{ApiResource, DynamicObject};
use kube::runtime::utils::Backoff;
use kube::runtime::watcher::DefaultBackoff;
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, Client};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// How soon a kind that the server does not know, or does not let us read, is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(30);
/// How soon a server that can't be asked is asked again.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// However often it was interrupted, a watch is tried again after this. By default it is a minute in the end, and a
/// machine whose Node is lost meanwhile would wait so much longer for its remediation.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Starts watches.
#[derive(Clone)]
pub struct Intake {
    pub client: Client,
    pub world: Arc<World>,
    pub metrics: Arc<Metrics>,
    /// Only this namespace.
    pub namespace: Option<String>,
}

impl Intake {
    /// Watches a kind for good.
    pub async fn watch(self, kind: GroupKind) {
        let resource = loop {
            let pause = match discover(&self.client, &kind).await {
                Ok(Some(resource)) => break resource,
                Ok(None) => {
                    self.world.set_watched(&kind, &Watched::Unknown);
                    TRY_AGAIN
                }
                Err(kube::Error::Api(status)) if status.is_forbidden() => {
                    self.metrics.forbidden(&kind.kind);
                    self.world.set_watched(&kind, &Watched::Unreadable);
                    TRY_AGAIN
                }
                // Nothing is known yet, so nothing is decided yet.
                Err(error) => {
                    tracing::warn!(kind = %kind.kind, group = %kind.group, %error, "can't ask the server for this kind");
                    ASK_AGAIN
                }
            };
            tokio::time::sleep(pause).await;
        };
        let api: Api<DynamicObject> = match &self.namespace {
            Some(namespace) => Api::namespaced_with(self.client.clone(), namespace, &resource),
            None => Api::all_with(self.client.clone(), &resource),
        };
        let events = watcher(api, watcher::Config::default()).backoff(Pauses::default());
        let key = |object: &DynamicObject| Key::of(&kind, object);
        follow(&self.world, &self.metrics, &kind, None, key, events, |state| match state {
            State::Complete => self.world.set_watched(&kind, &Watched::Complete(resource.clone())),
            State::Failed(error) => self.report(&kind, error),
        })
        .await;
    }

    fn report(&self, kind: &GroupKind, error: &watcher::Error) {
        use watcher::Error::{InitialListFailed, WatchStartFailed};
        tracing::warn!(kind = %kind.kind, %error, "watch interrupted");
        let forbidden = matches!(
            error,
            InitialListFailed(kube::Error::Api(status)) | WatchStartFailed(kube::Error::Api(status)) if status.is_forbidden()
        );
        if forbidden {
            self.metrics.forbidden(&kind.kind);
            if self.world.resource(kind).is_none() {
                self.world.set_watched(kind, &Watched::Unreadable);
            }
        }
    }
}

/// How the server calls the kind, in the version it recommends; none when it has no such kind.
pub async fn discover(client: &Client, kind: &GroupKind) -> kube::Result<Option<ApiResource>> {
    match kube::discovery::group(client, &kind.group).await {
        Ok(group) => Ok(group.recommended_kind(&kind.kind).map(|(resource, _)| resource)),
        Err(kube::Error::Discovery(_)) => Ok(None),
        Err(kube::Error::Api(status)) if status.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
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

/// What a watch reports beside objects.
pub enum State<'e> {
    /// A list is complete.
    Complete,
    /// It was interrupted; the watcher goes on by itself.
    Failed(&'e watcher::Error),
}

/// Takes in everything that a watch brings. With a namespace, the watch is only about objects filed under it.
pub async fn follow(
    world: &World,
    metrics: &Metrics,
    kind: &GroupKind,
    namespace: Option<&str>,
    key: impl Fn(&DynamicObject) -> Key,
    events: impl Stream<Item = Result<watcher::Event<DynamicObject>, watcher::Error>>,
    tell: impl Fn(State<'_>),
) {
    let mut events = std::pin::pin!(events.into_stream());
    let mut listed = BTreeSet::new();
    while let Some(event) = events.next().await {
        match event {
            Ok(watcher::Event::Init) => listed.clear(),
            Ok(watcher::Event::InitApply(object)) => {
                let key = key(&object);
                listed.insert(key.clone());
                world.put(key, object);
            }
            Ok(watcher::Event::InitDone) => {
                world.retain(kind, namespace, &listed);
                listed.clear();
                metrics.watch_started(&kind.kind);
                tell(State::Complete);
            }
            Ok(watcher::Event::Apply(object)) => drop(world.put(key(&object), object)),
            Ok(watcher::Event::Delete(object)) => world.remove(&key(&object)),
            Err(error) => tell(State::Failed(&error)),
        }
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
