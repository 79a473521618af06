//! Events of a decision, recorded on the objects they are about.

use super::cache::Cache;
use super::case::Case;
use super::decision::Event;
use super::metrics::Metrics;
use k8s_openapi::api::core::v1::ObjectReference;
use kube::runtime::events::{self, EventType, Recorder};
use std::sync::Arc;
use std::time::Duration;

/// How long recording may take. A decision waits for it no longer: what follows from it is more urgent.
const RECORD_WITHIN: Duration = Duration::from_secs(5);

/// Records events.
pub struct Events {
    pub recorder: Recorder,
    pub cache: Arc<Cache>,
    pub metrics: Arc<Metrics>,
}

impl Events {
    /// Records an event. One that is lost is no reason to decide again.
    pub async fn record(&self, case: &Case, event: &Event) {
        let machine = case.machines.get(&event.object_name).filter(|_| event.object_kind == "Machine");
        let (about, entry) = machine.map_or((&case.key, &case.object), |(key, entry)| (key, entry));
        let reference = ObjectReference {
            api_version: self.cache.kinds.resource(&about.kind).map(|resource| resource.api_version),
            kind: Some(about.kind.kind.to_string()),
            namespace: Some(about.namespace.to_string()),
            name: Some(about.name.to_string()),
            uid: entry.uid.as_deref().map(str::to_owned),
            ..ObjectReference::default()
        };
        let event = events::Event {
            type_: if event.kind == "Warning" { EventType::Warning } else { EventType::Normal },
            reason: event.reason.clone(),
            note: Some(event.message.clone()),
            action: event.reason.clone(),
            secondary: None,
        };
        let recorded = tokio::time::timeout(RECORD_WITHIN, self.recorder.publish(&event, &reference)).await;
        let error = match recorded {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some(format!("no answer within {} s", RECORD_WITHIN.as_secs())),
        };
        self.metrics.written("event", if error.is_none() { "done" } else { "trouble" });
        if let Some(error) = error {
            tracing::warn!(%about, reason = event.reason, error, "event not recorded");
        }
    }
}
