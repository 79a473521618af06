//! The actions of a decision, in order. Each can be repeated without harm: what is done already counts as done.

use super::apply::{Applier, Written, unknown};
use super::decision::Action;
use super::key::{GroupKind, Key, group_of};
use super::question::Question;
use kube::api::{DeleteParams, DynamicObject, Patch, PatchParams, PostParams, Preconditions};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Runs the actions, but not those about machines whose conditions could not be written.
pub async fn run(
    applier: &Applier,
    key: &Key,
    question: &Question,
    actions: &[Action],
    failed: &BTreeSet<String>,
) -> Vec<Written> {
    let mut written = Vec::new();
    for action in actions {
        let machine = action.machine().and_then(|machine| question.machines.get(machine));
        if machine.is_some_and(|(machine, _)| failed.contains(&machine.to_string())) {
            continue;
        }
        let (object, result) = match action {
            Action::SetOwnerReference { owner } => (key.clone(), set_owner(applier, key, question, owner).await),
            Action::AddLabel { key: label, value } => (key.clone(), add_label(applier, key, label, value).await),
            Action::CreateRemediationRequest { object, .. } => create(applier, object, false).await,
            Action::DeleteRemediationRequest { api_version, kind, namespace, name, .. } => {
                let object = Key::new(GroupKind::new(group_of(api_version), kind), namespace, name);
                let result = delete(applier, &object).await;
                (object, result)
            }
            Action::DeleteMachine { name, .. } => {
                let Some((object, _)) = question.machines.get(name) else { continue };
                (object.clone(), delete(applier, object).await)
            }
        };
        written.push(Written::new(action.name(), &object, &result));
    }
    written
}

/// Asks the server whether it would take the new requests.
pub async fn rehearse(applier: &Applier, actions: &[Action]) -> Vec<Written> {
    let mut written = Vec::new();
    for action in actions {
        if let Action::CreateRemediationRequest { object, .. } = action {
            let (key, result) = create(applier, object, true).await;
            written.push(Written::new(action.name(), &key, &result));
        }
    }
    written
}

async fn set_owner(applier: &Applier, key: &Key, question: &Question, owner: &Value) -> kube::Result<()> {
    let (api, resource) = applier.api(key).ok_or_else(|| unknown(key))?;
    let body = json!({
        "apiVersion": resource.api_version,
        "kind": resource.kind,
        "metadata": { "name": &*key.name, "uid": question.object.object.metadata.uid, "ownerReferences": [owner] },
    });
    let manager = format!("{}-owner", applier.field_manager);
    let object = api.patch(&key.name, &PatchParams::apply(&manager).force(), &Patch::Apply(&body)).await?;
    applier.world.put_written(key.clone(), object);
    Ok(())
}

async fn add_label(applier: &Applier, key: &Key, label: &str, value: &str) -> kube::Result<()> {
    let (api, _) = applier.api(key).ok_or_else(|| unknown(key))?;
    let body = json!({ "metadata": { "labels": { label: value } } });
    let manager =
        PatchParams { field_manager: Some(format!("{}-owner", applier.field_manager)), ..PatchParams::default() };
    let object = api.patch(&key.name, &manager, &Patch::Merge(&body)).await?;
    applier.world.put_written(key.clone(), object);
    Ok(())
}

async fn create(applier: &Applier, object: &Value, dry_run: bool) -> (Key, kube::Result<()>) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (api_version, kind) = (text(&object["apiVersion"]), text(&object["kind"]));
    let (namespace, name) = (text(&object["metadata"]["namespace"]), text(&object["metadata"]["name"]));
    let key = Key::new(GroupKind::new(group_of(&api_version), &kind), &namespace, &name);
    let result = async {
        let (api, _) = applier.api(&key).ok_or_else(|| unknown(&key))?;
        let object: DynamicObject = serde_json::from_value(object.clone()).map_err(kube::Error::SerdeError)?;
        let params = PostParams { dry_run, field_manager: Some(applier.field_manager.clone()) };
        match api.create(&params, &object).await {
            // Named like the machine: the one that is there is the one wanted.
            Err(kube::Error::Api(status)) if status.is_already_exists() => Ok(()),
            other => other.map(drop),
        }
    };
    let result = result.await;
    (key, result)
}

/// Deletes the object that was decided about, and no other that has taken its name since.
async fn delete(applier: &Applier, key: &Key) -> kube::Result<()> {
    let (api, _) = applier.api(key).ok_or_else(|| unknown(key))?;
    let uid = applier.world.index().get(key).and_then(|entry| entry.object.metadata.uid.clone());
    let Some(uid) = uid else { return Ok(()) };
    let preconditions = Preconditions { uid: Some(uid), ..Preconditions::default() };
    match api.delete(&key.name, &DeleteParams::default().preconditions(preconditions)).await {
        Ok(deleted) => {
            if let Some(object) = deleted.left() {
                applier.world.put_written(key.clone(), object);
            }
            Ok(())
        }
        // Gone, or another object by now.
        Err(kube::Error::Api(status)) if matches!(status.code, 404 | 409) => Ok(()),
        Err(error) => Err(error),
    }
}
