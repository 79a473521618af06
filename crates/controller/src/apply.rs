//! A decision in, server-side apply of the conditions and status fields that the policy owns out; then the actions.

use super::actions;
use super::decision::{Condition, Decision, stored_conditions};
use super::differences::path;
use super::index::Entry;
use super::key::Key;
use super::metrics::Metrics;
use super::question::Question;
use super::refusal::Refusal;
use super::world::World;
use futures::{FutureExt, StreamExt, stream};
use kube::api::{DynamicObject, Patch, PatchParams};
use kube::core::ApiResource;
use kube::{Api, Client, ResourceExt};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many objects of one decision are written at a time.
const AT_A_TIME: usize = 8;

/// The action that has nothing to be gone.
pub const CREATE: &str = "createRemediationRequest";

/// Writes decisions.
pub struct Applier {
    pub client: Client,
    pub world: Arc<World>,
    pub metrics: Arc<Metrics>,
    /// The first part of the field manager's name. The kind of the decided object follows: a health check and the
    /// machine itself both write conditions of the machine, and neither may take away the other's.
    pub field_manager: String,
}

/// What became of one write.
#[derive(Clone, Debug, Serialize)]
pub struct Written {
    /// `apply`, or the action's name.
    pub what: &'static str,
    pub object: String,
    /// `done`, or why not.
    pub result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    #[serde(skip)]
    pub refusal: Option<Refusal>,
    /// The object as this write has left it: its digest.
    #[serde(skip)]
    pub left: Option<(Key, [u8; 32])>,
}

impl Written {
    pub fn new<T>(what: &'static str, object: &Key, result: &kube::Result<T>) -> Self {
        let refusal = result.as_ref().err().map(Refusal::of).map(|refusal| match (what, refusal) {
            // What does not exist yet can't be gone: its kind is not served just now.
            (CREATE, Refusal::Gone) => Refusal::Trouble,
            _ => refusal,
        });
        let detail = result.as_ref().err().map(ToString::to_string);
        let result = refusal.map_or("done", Refusal::name);
        Self { what, object: object.to_string(), result, detail, refusal, left: None }
    }
}

impl Applier {
    /// Carries out a decision: conditions first, then actions. With `rehearse`, remediation requests that were refused
    /// before are only tried at first, and nothing is done while they would be refused again: conditions should not go
    /// back and forth with each attempt.
    pub async fn apply(&self, key: &Key, question: &Question, decision: &Decision, rehearse: bool) -> Vec<Written> {
        let mut written = Vec::new();
        if rehearse {
            written.extend(actions::rehearse(self, &decision.actions).await);
            if written.iter().any(|written| written.refusal.is_some()) {
                return written;
            }
            written.clear();
        }
        let manager = format!("{}-{}", self.field_manager, key.kind.kind.to_lowercase());
        let own = (key, &*question.object, &decision.conditions, &decision.status);
        let none = Map::new();
        let machines = decision.machines.iter().filter_map(|machine| {
            let (key, entry) = question.machines.get(&machine.name)?;
            Some((key, &**entry, &machine.conditions, &none))
        });
        // The machines first: when the health check says how many are unhealthy, they say so themselves already.
        let mut writes = Vec::new();
        for (key, entry, conditions, status) in machines.chain([own]) {
            if !stored(entry, conditions, status) {
                writes.push(self.apply_status(&manager, key, entry, conditions, status).boxed());
            }
        }
        let applied: Vec<Written> = stream::iter(writes).buffered(AT_A_TIME).collect().await;
        let failed: BTreeSet<String> =
            applied.iter().filter(|written| written.refusal.is_some()).map(|written| written.object.clone()).collect();
        written.extend(applied);
        written.extend(actions::run(self, key, question, &decision.actions, &failed).await);
        for write in &written {
            self.metrics.written(write.what, write.result);
            match (&write.detail, write.refusal) {
                (Some(detail), Some(Refusal::Gone | Refusal::Outdated)) => {
                    tracing::debug!(what = write.what, object = write.object, detail, "not written");
                }
                (Some(detail), _) => tracing::warn!(what = write.what, object = write.object, detail, "not written"),
                _ => tracing::debug!(what = write.what, object = write.object, "written"),
            }
        }
        written
    }

    async fn apply_status(
        &self,
        manager: &str,
        key: &Key,
        entry: &Entry,
        conditions: &[Condition],
        status: &Map<String, Value>,
    ) -> Written {
        let result = match self.api(key) {
            Some((api, resource)) => {
                let body = body(&resource, entry, conditions, status);
                api.patch_status(&key.name, &PatchParams::apply(manager).force(), &Patch::Apply(&body)).await
            }
            None => Err(unknown(key)),
        };
        let mut written = Written::new("apply", key, &result);
        if let Ok(object) = result {
            written.left = self.world.put_written(key.clone(), object).map(|digest| (key.clone(), digest));
        }
        written
    }

    /// The API of an object that is watched.
    pub fn api(&self, key: &Key) -> Option<(Api<DynamicObject>, ApiResource)> {
        let resource = self.world.resource(&key.kind)?;
        Some((Api::namespaced_with(self.client.clone(), &key.namespace, &resource), resource))
    }
}

/// The error for a kind that is not watched (any more).
pub fn unknown(key: &Key) -> kube::Error {
    kube::Error::Discovery(kube::error::DiscoveryError::MissingKind(key.kind.kind.to_string()))
}

/// Whether the object says all this already.
fn stored(entry: &Entry, conditions: &[Condition], status: &Map<String, Value>) -> bool {
    let data = &entry.object.data;
    conditions.iter().all(|condition| condition.stored_in(stored_conditions(data)))
        && status.iter().all(|(field, value)| data.pointer(&format!("/status{}", path(field))) == Some(value))
}

/// Names the version that was decided about: on any other the decision may be wrong, and the server refuses it.
fn body(resource: &ApiResource, entry: &Entry, conditions: &[Condition], fields: &Map<String, Value>) -> Value {
    let conditions: Vec<Value> = conditions
        .iter()
        .map(|condition| {
            let mut json = json!({
                "type": condition.kind,
                "status": condition.status,
                "reason": condition.reason,
                "message": condition.message,
                "lastTransitionTime": condition.last_transition_time,
            });
            if condition.observed_generation != 0 {
                json["observedGeneration"] = json!(condition.observed_generation);
            }
            json
        })
        .collect();
    let mut status = json!({ "conditions": conditions });
    for (field, value) in fields {
        let mut place = &mut status;
        for part in path(field).split('/').skip(1) {
            place = &mut place[part];
        }
        *place = value.clone();
    }
    json!({
        "apiVersion": resource.api_version,
        "kind": resource.kind,
        "metadata": {
            "name": entry.object.name_any(),
            "namespace": entry.object.namespace(),
            "uid": entry.object.metadata.uid,
            "resourceVersion": entry.version.to_string(),
        },
        "status": status,
    })
}
