//! Carries out decisions: server-side apply of the conditions and status fields that the policy owns, then the actions.

use super::actions;
use super::cache::Cache;
use super::case::Case;
use super::decision::{Condition, Machine};
use super::decision_log::{DecisionLog, Intent};
use super::entry::Entry;
use super::fields::{self, Fields};
use super::key::Key;
use super::metrics::Metrics;
use super::progress::Progress;
use super::refusal::Refusal;
use super::writers::{Conflict, Writers, conflicts};
use futures::FutureExt;
use futures::future::join_all;
use kube::api::{DynamicObject, Patch, PatchParams};
use kube::core::ApiResource;
use kube::{Api, Client};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many objects of one decision are written at a time.
const AT_A_TIME: usize = 8;

/// The action that has nothing to be gone.
pub const CREATE: &str = "createRemediationRequest";
/// The condition that has a machine's owner replace it.
const HANDED_OVER: &str = "OwnerRemediated";
/// Without this condition of a machine, nothing is done about the machine either.
const VERDICT: &str = "HealthCheckSucceeded";

/// Writes decisions.
pub struct Applier {
    pub client: Client,
    pub cache: Arc<Cache>,
    pub metrics: Arc<Metrics>,
    pub progress: Arc<Progress>,
    pub log: Option<DecisionLog>,
    pub writers: Arc<Writers>,
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
    /// The resource version that the write has left.
    #[serde(skip)]
    pub version: Option<String>,
    /// Nothing may be done about the object in this turn.
    #[serde(skip)]
    pub stops_actions: bool,
}

impl Written {
    pub fn new<T>(what: &'static str, object: &Key, result: &kube::Result<T>) -> Self {
        let refusal = result.as_ref().err().map(Refusal::of).map(|refusal| match (what, refusal) {
            // What does not exist yet can't be gone: its kind is not served just now.
            (CREATE, Refusal::Gone) => Refusal::Trouble,
            _ => refusal,
        });
        Self::with(what, object, refusal, result.as_ref().err().map(ToString::to_string))
    }

    /// One that was not done.
    pub fn refused(what: &'static str, object: &Key, refusal: Refusal, detail: String) -> Self {
        Self::with(what, object, Some(refusal), Some(detail))
    }

    fn with(what: &'static str, object: &Key, refusal: Option<Refusal>, detail: Option<String>) -> Self {
        let result = refusal.map_or("done", Refusal::name);
        let stops_actions = refusal.is_some();
        Self { what, object: object.to_string(), result, detail, refusal, version: None, stops_actions }
    }
}

/// One object to write conditions and fields of.
#[derive(Clone, Copy)]
struct Target<'a> {
    key: &'a Key,
    entry: &'a Entry,
    conditions: &'a [Condition],
    status: &'a serde_json::Map<String, Value>,
    machine: Option<&'a Machine>,
}

impl Applier {
    /// Carries out a decision: conditions first, then actions. With `rehearse`, remediation requests that were refused
    /// before are only tried at first, and nothing is done while they would be refused again: conditions should not go
    /// back and forth with each attempt.
    pub async fn apply(&self, case: &Case, rehearse: bool) -> Vec<Written> {
        let Case { key, object, decision, machines, .. } = case;
        if rehearse {
            let tried = actions::rehearse(self, &decision.actions).await;
            if tried.iter().any(|written| written.refusal.is_some()) {
                return self.report(tried);
            }
        }
        let none = serde_json::Map::new();
        let own =
            Target { key, entry: object, conditions: &decision.conditions, status: &decision.status, machine: None };
        let machines = decision.machines.iter().filter_map(|machine| {
            let (key, entry) = machines.get(&machine.name)?;
            Some(Target { key, entry, conditions: &machine.conditions, status: &none, machine: Some(machine) })
        });
        let owned = decision.machine_conditions.iter().filter_map(|machine| {
            let (key, entry) = case.machines.get(&machine.name)?;
            Some(Target { key, entry, conditions: &machine.conditions, status: &none, machine: None })
        });
        // The machines first: when the health check says how many are unhealthy, they say so themselves already.
        let targets = machines
            .chain(owned)
            .chain([own])
            .filter(|target| !Fields::new(target.conditions, target.status).stored(target.entry));
        let targets: Vec<Target<'_>> = targets.collect();
        let mut written = Vec::new();
        for some in targets.chunks(AT_A_TIME) {
            written.extend(join_all(some.iter().map(|target| self.apply_status(key, *target).boxed())).await);
            // Whoever does not answer to these won't answer to the others; another attempt comes later.
            if written.iter().any(|written| written.refusal == Some(Refusal::Unanswered)) {
                return self.report(written);
            }
        }
        let done = actions::run(self, case, &written).await;
        written.extend(done);
        self.report(written)
    }

    fn report(&self, written: Vec<Written>) -> Vec<Written> {
        for write in &written {
            self.metrics.written(write.what, write.result);
            match (&write.detail, write.refusal) {
                (Some(detail), Some(Refusal::Gone | Refusal::Outdated | Refusal::Contested)) => {
                    tracing::debug!(what = write.what, object = write.object, detail, "not written");
                }
                (Some(detail), _) => tracing::warn!(what = write.what, object = write.object, detail, "not written"),
                _ => tracing::debug!(what = write.what, object = write.object, "written"),
            }
        }
        written
    }

    async fn apply_status(&self, by: &Key, target: Target<'_>) -> Written {
        let Target { key, entry, conditions, status, machine } = target;
        let uid = entry.uid.as_deref();
        let Some((api, resource)) = self.api(key) else { return Written::new::<()>("apply", key, &Err(unknown(key))) };
        let mut fields = Fields::new(conditions, status);
        let left = self.writers.left_to_others(key, uid);
        if let Some(field) = fields
            .differing(entry)
            .into_iter()
            .find(|(name, digest)| !left.contains(name) && self.writers.keeps_changing(key, uid, name, digest))
        {
            let manager = self.manager_of(&api, &key.name, &field.0).await;
            self.writers.leave(key, uid, &Conflict { field: field.0, manager });
            return Written::refused("apply", key, Refusal::Contested, "somebody keeps changing it back".to_owned());
        }
        fields.leave_out(&left);
        if fields.stored(entry) {
            return Written::refused("apply", key, Refusal::Contested, "another writes these fields".to_owned());
        }
        let hands_over = machine.filter(|_| fields.sets(HANDED_OVER, "False", entry));
        let intent = match hands_over {
            Some(machine) => match self.intend(by, "apply", key, entry, None, json!(machine)).await {
                Ok(intent) => intent,
                Err(refused) => return refused,
            },
            None => None,
        };
        let manager = format!("{}-{}", self.field_manager, by.kind.kind.to_lowercase());
        let mut result = self.patch(&api, &manager, false, key, fields.body(&resource, key, entry)).await;
        let mut contested = !left.is_empty();
        if let Some(found) = result.as_ref().err().map(conflicts).filter(|found| !found.is_empty()) {
            let (taken, others): (Vec<_>, Vec<_>) =
                found.into_iter().partition(|conflict| self.writers.may_take(key, uid, conflict));
            for conflict in &others {
                self.writers.leave(key, uid, conflict);
            }
            contested |= !others.is_empty();
            fields.leave_out(&others.into_iter().map(|conflict| conflict.field).collect());
            if !fields.stored(entry) {
                result = self.patch(&api, &manager, !taken.is_empty(), key, fields.body(&resource, key, entry)).await;
            }
        }
        let mut written = Written::new("apply", key, &result);
        if contested && written.refusal.is_none_or(|refusal| refusal == Refusal::Outdated) && conflicts_only(&result) {
            written = Written {
                stops_actions: fields.lacks(VERDICT, conditions),
                ..Written::refused("apply", key, Refusal::Contested, "another writes some of these fields".to_owned())
            };
        }
        if let Ok(object) = result {
            self.writers.wrote(key, uid, fields.digests());
            written.version.clone_from(&object.metadata.resource_version);
            self.cache.put_written(key, object);
        }
        self.conclude(intent, by, &written).await;
        written
    }

    async fn patch(
        &self,
        api: &Api<DynamicObject>,
        manager: &str,
        force: bool,
        key: &Key,
        body: Value,
    ) -> kube::Result<DynamicObject> {
        let params = PatchParams { force, ..PatchParams::apply(manager) };
        self.noted(api.patch_status(&key.name, &params, &Patch::Apply(&body)).await)
    }

    /// Notes whether the server answered.
    pub fn noted<T>(&self, result: kube::Result<T>) -> kube::Result<T> {
        self.progress.write(!result.as_ref().is_err_and(|error| Refusal::of(error) == Refusal::Unanswered));
        result
    }

    /// Who writes a condition, as the server remembers.
    async fn manager_of(&self, api: &Api<DynamicObject>, name: &str, condition: &str) -> String {
        let unknown = || "unknown".to_owned();
        let Ok(object) = api.get(name).await else { return unknown() };
        fields::manager_of(object.metadata.managed_fields.as_deref().unwrap_or_default(), condition)
            .unwrap_or_else(unknown)
    }

    /// Records what is about to be done and can't be undone. The error says that it must not be done.
    pub async fn intend(
        &self,
        by: &Key,
        what: &'static str,
        object: &Key,
        entry: &Entry,
        version: Option<&str>,
        why: Value,
    ) -> Result<Option<String>, Written> {
        let own = entry.version.to_string();
        let uid = entry.uid.as_deref();
        let intent = Intent { key: by, what, object, uid, resource_version: Some(version.unwrap_or(&own)), why };
        let Some(log) = &self.log else {
            tracing::info!(%by, what, %object, uid, "about to do");
            return Ok(None);
        };
        log.intent(&intent).await.map(Some).map_err(|error| {
            Written::refused(what, object, Refusal::NotRecorded, format!("no record, so not done: {error}"))
        })
    }

    /// Records what came of it.
    pub async fn conclude(&self, intent: Option<String>, by: &Key, written: &Written) {
        if let (Some(intent), Some(log)) = (intent, &self.log) {
            log.result(&intent, by, written).await;
        }
    }

    /// The API of an object that is watched.
    pub fn api(&self, key: &Key) -> Option<(Api<DynamicObject>, ApiResource)> {
        let resource = self.cache.kinds.resource(&key.kind)?;
        Some((Api::namespaced_with(self.client.clone(), &key.namespace, &resource), resource))
    }
}

/// Whether nothing but other writers stands in the way, if anything does.
fn conflicts_only<T>(result: &kube::Result<T>) -> bool {
    result.as_ref().err().is_none_or(|error| !conflicts(error).is_empty())
}

/// The error for a kind that is not watched (any more).
pub fn unknown(key: &Key) -> kube::Error {
    kube::Error::Discovery(kube::error::DiscoveryError::MissingKind(key.kind.kind.to_string()))
}

/// The versions that objects have after these writes.
pub fn versions(written: &[Written]) -> BTreeMap<&str, &str> {
    written.iter().filter_map(|written| Some((&*written.object, written.version.as_deref()?))).collect()
}
