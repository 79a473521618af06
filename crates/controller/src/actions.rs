//! The actions of a decision, in order. Each can be repeated without harm: what is done already counts as done.

use super::apply::{Applier, Written, unknown, versions};
use super::case::Case;
use super::decision::{Action, Decision};
use super::entry::Entry;
use super::key::{GroupKind, Key, group_of};
use super::refusal::Refusal;
use kube::ResourceExt;
use kube::api::{DeleteParams, DynamicObject, Patch, PatchParams, PostParams, Preconditions};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Runs the actions, but not those about machines whose conditions could not be written.
pub async fn run(applier: &Applier, case: &Case, conditions: &[Written]) -> Vec<Written> {
    let Case { key, object, decision, machines, .. } = case;
    let versions = versions(conditions);
    let mut written = Vec::new();
    for action in &decision.actions {
        let machine = action.machine().and_then(|machine| machines.get(machine));
        let stopped = |machine: &Key| conditions.iter().any(|w| w.stops_actions && w.object == machine.to_string());
        if machine.is_some_and(|(machine, _)| stopped(machine)) {
            continue;
        }
        let step = Step { applier, by: key, action, why: why(action, decision) };
        let done = match action {
            Action::SetOwnerReference { owner } => {
                Written::new(action.name(), key, &set_owner(applier, key, object, owner).await)
            }
            Action::AddLabel { key: label, value } => {
                Written::new(action.name(), key, &add_label(applier, key, object, label, value).await)
            }
            Action::CreateRemediationRequest { object, .. } => {
                let Some((machine, entry)) = machine else { continue };
                step.create(object, machine, entry).await
            }
            Action::DeleteRemediationRequest { api_version, kind, namespace, name, .. } => {
                let object = Key::new(GroupKind::new(group_of(api_version), kind), namespace, name);
                let Some(entry) = case.entry(&object) else { continue };
                step.delete(&object, entry, None).await
            }
            Action::DeleteMachine { .. } => {
                let Some((object, entry)) = machine else { continue };
                step.delete(object, entry, versions.get(&*object.to_string()).copied()).await
            }
        };
        let unanswered = done.refusal == Some(Refusal::Unanswered);
        written.push(done);
        if unanswered {
            break;
        }
    }
    written
}

/// What was decided about the machine of an action, for the record.
fn why(action: &Action, decision: &Decision) -> Value {
    let machine = decision.machines.iter().find(|machine| Some(&*machine.name) == action.machine());
    json!({ "machine": machine, "threshold": decision.threshold })
}

/// One action that can't be undone.
struct Step<'a> {
    applier: &'a Applier,
    by: &'a Key,
    action: &'a Action,
    why: Value,
}

impl Step<'_> {
    async fn create(self, object: &Value, machine: &Key, entry: &Entry) -> Written {
        let Self { applier, by, action, why } = self;
        let key = request(object);
        let intent = match applier.intend(by, action.name(), machine, entry, None, why).await {
            Ok(intent) => intent,
            Err(refused) => return refused,
        };
        let written = Written::new(action.name(), &key, &create(applier, &key, object, false).await);
        applier.conclude(intent, by, &written).await;
        written
    }

    /// Deletes the very object that was decided about, as it was: not one that has taken its name, and not one that
    /// somebody has changed since.
    async fn delete(self, key: &Key, entry: &Entry, version: Option<&str>) -> Written {
        let Self { applier, by, action, why } = self;
        let intent = match applier.intend(by, action.name(), key, entry, version, why).await {
            Ok(intent) => intent,
            Err(refused) => return refused,
        };
        let written = Written::new(action.name(), key, &delete(applier, key, entry, version).await);
        applier.conclude(intent, by, &written).await;
        written
    }
}

/// Asks the server whether it would take the new requests.
pub async fn rehearse(applier: &Applier, actions: &[Action]) -> Vec<Written> {
    let mut written = Vec::new();
    for action in actions {
        if let Action::CreateRemediationRequest { object, .. } = action {
            let key = request(object);
            written.push(Written::new(action.name(), &key, &create(applier, &key, object, true).await));
        }
    }
    written
}

async fn set_owner(applier: &Applier, key: &Key, entry: &Entry, owner: &Value) -> kube::Result<()> {
    let (api, resource) = applier.api(key).ok_or_else(|| unknown(key))?;
    let body = json!({
        "apiVersion": resource.api_version,
        "kind": resource.kind,
        "metadata": { "name": &*key.name, "uid": entry.uid, "ownerReferences": [owner] },
    });
    let manager = format!("{}-owner", applier.field_manager);
    let params = PatchParams::apply(&manager).force();
    let object = applier.noted(api.patch(&key.name, &params, &Patch::Apply(&body)).await)?;
    applier.cache.put_written(key, object);
    Ok(())
}

async fn add_label(applier: &Applier, key: &Key, entry: &Entry, label: &str, value: &str) -> kube::Result<()> {
    let (api, _) = applier.api(key).ok_or_else(|| unknown(key))?;
    // The server refuses it for an object that has taken the name.
    let body = json!({ "metadata": { "uid": entry.uid, "labels": { label: value } } });
    let manager =
        PatchParams { field_manager: Some(format!("{}-owner", applier.field_manager)), ..PatchParams::default() };
    let object = applier.noted(api.patch(&key.name, &manager, &Patch::Merge(&body)).await)?;
    applier.cache.put_written(key, object);
    Ok(())
}

/// What a remediation request is called.
fn request(object: &Value) -> Key {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (api_version, kind) = (text(&object["apiVersion"]), text(&object["kind"]));
    let (namespace, name) = (text(&object["metadata"]["namespace"]), text(&object["metadata"]["name"]));
    Key::new(GroupKind::new(group_of(&api_version), &kind), &namespace, &name)
}

async fn create(applier: &Applier, key: &Key, object: &Value, dry_run: bool) -> kube::Result<()> {
    let (api, _) = applier.api(key).ok_or_else(|| unknown(key))?;
    let wanted: DynamicObject = serde_json::from_value(object.clone()).map_err(kube::Error::SerdeError)?;
    let params = PostParams { dry_run, field_manager: Some(applier.field_manager.clone()) };
    match applier.noted(api.create(&params, &wanted).await) {
        // Named like the machine: one that is there is the one wanted, unless it was made for an earlier machine of that name.
        Err(kube::Error::Api(status)) if status.is_already_exists() => {
            let there = api.get(&key.name).await?;
            let owners = |object: &DynamicObject| -> BTreeSet<String> {
                object.owner_references().iter().map(|owner| owner.uid.clone()).collect()
            };
            if owners(&there).is_superset(&owners(&wanted)) { Ok(()) } else { Err(kube::Error::Api(status)) }
        }
        other => other.map(drop),
    }
}

async fn delete(applier: &Applier, key: &Key, entry: &Entry, version: Option<&str>) -> kube::Result<()> {
    let (api, _) = applier.api(key).ok_or_else(|| unknown(key))?;
    let resource_version = Some(version.map_or_else(|| entry.version.to_string(), str::to_owned));
    let preconditions = Preconditions { uid: entry.uid.as_deref().map(str::to_owned), resource_version };
    match applier.noted(api.delete(&key.name, &DeleteParams::default().preconditions(preconditions)).await) {
        Ok(deleted) => {
            if let Some(object) = deleted.left() {
                applier.cache.put_written(key, object);
            }
            Ok(())
        }
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
        Err(error) => Err(error),
    }
}
