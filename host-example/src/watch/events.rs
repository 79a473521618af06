//! Events of a decision, recorded on the objects they are about.

use super::decision::Event;
use super::key::Key;
use super::metrics::Metrics;
use super::question::Question;
use k8s_openapi::api::core::v1::ObjectReference;
use kube::ResourceExt;
use kube::runtime::events::{self, EventType, Recorder};
use std::sync::Arc;

/// Records events.
pub struct Events {
    pub recorder: Recorder,
    pub metrics: Arc<Metrics>,
}

impl Events {
    /// Records an event. One that is lost is no reason to decide again.
    pub async fn record(&self, key: &Key, question: &Question, event: &Event) {
        let machine = question.machines.get(&event.object_name).filter(|_| event.object_kind == "Machine");
        let (about, entry) = machine.map_or((key, &question.object), |(key, entry)| (key, entry));
        let reference = ObjectReference {
            api_version: entry.object.types.as_ref().map(|types| types.api_version.clone()),
            kind: Some(about.kind.kind.to_string()),
            namespace: Some(about.namespace.to_string()),
            name: Some(about.name.to_string()),
            uid: entry.object.uid(),
            ..ObjectReference::default()
        };
        let event = events::Event {
            type_: if event.kind == "Warning" { EventType::Warning } else { EventType::Normal },
            reason: event.reason.clone(),
            note: Some(event.message.clone()),
            action: event.reason.clone(),
            secondary: None,
        };
        let result = self.recorder.publish(&event, &reference).await;
        self.metrics.written("event", if result.is_ok() { "done" } else { "trouble" });
        if let Err(error) = result {
            tracing::warn!(%about, reason = event.reason, %error, "event not recorded");
        }
    }
}
