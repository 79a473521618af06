//! Which Machines are created and deleted, in the order in which the server notes it.

use anyhow::{Context, Result};
use capi_policy_e2e::kube_objects::Kube;
use futures::StreamExt;
use kube::api::{DynamicObject, ListParams, WatchEvent, WatchParams};
use kube::{Api, ResourceExt};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::task::JoinHandle;

/// Names of Machines, each once.
#[derive(Clone, Debug, Default)]
pub struct Happened {
    pub created: Vec<String>,
    pub deleted: Vec<String>,
    version: String,
}

impl Happened {
    pub fn steps(&self) -> usize {
        self.created.len() + self.deleted.len()
    }

    fn note(&mut self, event: &WatchEvent<DynamicObject>) {
        let (object, gone) = match event {
            WatchEvent::Added(object) => {
                self.created.push(object.name_any());
                (object, false)
            }
            WatchEvent::Modified(object) => (object, object.metadata.deletion_timestamp.is_some()),
            WatchEvent::Deleted(object) => (object, true),
            WatchEvent::Bookmark(_) | WatchEvent::Error(_) => return,
        };
        if gone && !self.deleted.contains(&object.name_any()) {
            self.deleted.push(object.name_any());
        }
        self.version = object.resource_version().unwrap_or_default();
    }
}

/// A watch that goes on in the background.
pub struct Journal {
    api: Api<DynamicObject>,
    happened: Arc<Mutex<Happened>>,
    task: JoinHandle<()>,
}

impl Journal {
    /// Notes everything from now on.
    pub async fn start(kube: &Kube, namespace: &str) -> Result<Self> {
        let api = kube.api("Machine", namespace)?;
        let version = api.list(&ListParams::default()).await?.metadata.resource_version.context("no version")?;
        let events = api.watch(&WatchParams::default(), &version).await?;
        let happened = Arc::new(Mutex::new(Happened { version, ..Happened::default() }));
        let notes = happened.clone();
        let task = tokio::spawn(async move {
            let mut events = events.boxed();
            while let Some(Ok(event)) = events.next().await {
                notes.lock().unwrap_or_else(PoisonError::into_inner).note(&event);
            }
        });
        Ok(Self { api, happened, task })
    }

    /// What has happened: everything that is on the server now.
    pub async fn stop(self) -> Result<Happened> {
        let listed = self.api.list(&ListParams::default()).await?;
        let newest = listed.items.iter().filter_map(|machine| machine.resource_version()?.parse::<u64>().ok()).max();
        capi_policy_e2e::wait::eventually("the watch is current", capi_policy_e2e::wait::within(10), async || {
            let seen = self.happened.lock().unwrap_or_else(PoisonError::into_inner).version.parse::<u64>()?;
            Ok(newest.is_none_or(|newest| newest <= seen).then_some(()))
        })
        .await?;
        self.task.abort();
        Ok(self.happened.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }
}
