//! The remediation request for a machine: created from the template, or deleted.

use super::target::Target;
use crate::outcome::{Action, Json};
use crate::view::{TemplateRef, label};

const CLONED_FROM_NAME: &str = "cluster.x-k8s.io/cloned-from-name";
const CLONED_FROM_GROUP_KIND: &str = "cluster.x-k8s.io/cloned-from-groupkind";

/// The request for a machine: the template's content, named like the machine and owned by it.
pub fn create(target: &Target<'_>) -> Option<Action> {
    let (template, reference) = (target.template?, target.health_check.spec.template()?);
    let machine = &target.machine.metadata;
    let content = template.spec.template;
    let copied = |field: &str| {
        let entries = content.member("metadata").and_then(|metadata| metadata.member(field)?.members());
        entries.into_iter().flatten().map(|(key, value)| (key.to_string(), Json::copy(value)))
    };
    let labels = [(label::CLUSTER_NAME, &*target.machine.spec.cluster_name)];
    let group_kind = group_kind(reference);
    let annotations = [(CLONED_FROM_NAME, &*reference.name), (CLONED_FROM_GROUP_KIND, &group_kind)];
    let owner = [
        ("apiVersion", "cluster.x-k8s.io/v1beta2"),
        ("kind", "Machine"),
        ("name", &machine.name),
        ("uid", &machine.uid),
    ];
    let metadata = [
        ("name", Json::from(&*machine.name)),
        ("namespace", Json::from(&*machine.namespace)),
        ("labels", Json::object(copied("labels").chain(texts(labels)))),
        ("annotations", Json::object(copied("annotations").chain(texts(annotations)))),
        ("ownerReferences", Json::List(vec![Json::object(texts(owner))])),
    ];
    let spec = content.member("spec").map(|spec| ("spec", Json::copy(spec)));
    let object = [
        ("apiVersion", Json::from(&*reference.api_version)),
        ("kind", Json::from(reference.request_kind())),
        ("metadata", Json::object(named(metadata))),
    ];
    let object = Json::object(named(object).chain(named(spec)));
    Some(Action::CreateRemediationRequest { machine: machine.name.to_string(), object })
}

fn texts<'t>(entries: impl IntoIterator<Item = (&'t str, &'t str)>) -> impl Iterator<Item = (String, Json)> {
    named(entries.into_iter().map(|(name, text)| (name, text.into())))
}

fn named<'t>(members: impl IntoIterator<Item = (&'t str, Json)>) -> impl Iterator<Item = (String, Json)> {
    members.into_iter().map(|(name, value)| (name.to_owned(), value))
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
