//! A machine and the remediation template in, the request to create or delete out.

use super::target::Target;
use crate::outcome::Action;
use crate::view::{TemplateRef, label};
use serde_json::{Map, Value, json};

const CLONED_FROM_NAME: &str = "cluster.x-k8s.io/cloned-from-name";
const CLONED_FROM_GROUP_KIND: &str = "cluster.x-k8s.io/cloned-from-groupkind";

/// The request for a machine: the template's content, named like the machine and owned by it.
pub fn create(target: &Target<'_>) -> Option<Action> {
    let (template, reference) = (target.template?, target.health_check.spec.template()?);
    let machine = &target.machine.metadata;
    let content = &template.spec.template;
    let metadata = content.get("metadata");
    let copied =
        |field: &str| metadata.and_then(|m| m.get(field)).and_then(Value::as_object).cloned().unwrap_or_default();
    let mut labels = copied("labels");
    labels.insert(label::CLUSTER_NAME.to_owned(), json!(&*target.machine.spec.cluster_name));
    let mut annotations = copied("annotations");
    annotations.insert(CLONED_FROM_NAME.to_owned(), json!(&*reference.name));
    annotations.insert(CLONED_FROM_GROUP_KIND.to_owned(), json!(group_kind(reference)));
    let mut object = Map::new();
    object.insert("apiVersion".to_owned(), json!(&*reference.api_version));
    object.insert("kind".to_owned(), json!(reference.request_kind()));
    object.insert(
        "metadata".to_owned(),
        json!({
            "name": &*machine.name,
            "namespace": &*machine.namespace,
            "labels": labels,
            "annotations": annotations,
            "ownerReferences": [{
                "apiVersion": "cluster.x-k8s.io/v1beta2",
                "kind": "Machine",
                "name": &*machine.name,
                "uid": &*machine.uid,
            }],
        }),
    );
    if let Some(spec) = content.get("spec") {
        object.insert("spec".to_owned(), spec.clone());
    }
    Some(Action::CreateRemediationRequest { machine: machine.name.to_string(), object: Value::Object(object) })
}

/// Ends a remediation that is no longer needed.
pub fn delete(target: &Target<'_>) -> Option<Action> {
    let (request, reference) = (target.request?, target.health_check.spec.template()?);
    Some(Action::DeleteRemediationRequest {
        machine: target.machine.metadata.name.to_string(),
        api_version: reference.api_version.to_string(),
        kind: reference.request_kind().to_owned(),
        namespace: request.metadata.namespace.to_string(),
        name: request.metadata.name.to_string(),
    })
}

/// Why there is no request, for the host's log.
pub fn failure(target: &Target<'_>) -> String {
    let machine = target.machine.metadata.key();
    match (target.health_check.spec.template(), target.template) {
        (Some(reference), None) => {
            format!("remediation template {} {} for Machine {machine} not found", reference.kind, reference.name)
        }
        _ => format!("the remediation request for Machine {machine} could not be created"),
    }
}

fn group_kind(reference: &TemplateRef<'_>) -> String {
    match reference.api_version.split_once('/') {
        Some((group, _)) => format!("{}.{group}", reference.kind),
        None => reference.kind.to_string(),
    }
}
