//! One cluster's objects, read once: those that can be decided about, and all that they lead to.

use super::intake::discover;
use super::key::{GroupKind, Key, cluster_name};
use super::links::reference;
use super::trim::trim;
use super::workload;
use crate::group::relations::{Link, SUBJECTS};
use anyhow::{Context, Result};
use kube::api::{DynamicObject, ListParams};
use kube::core::ApiResource;
use kube::{Api, Client};
use std::collections::BTreeMap;
use std::path::Path;

/// Reads a cluster's objects, trimmed.
pub fn run(kubeconfig: Option<&Path>, namespace: &str, cluster: &str) -> Result<Vec<DynamicObject>> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let client = Client::try_from(super::config(kubeconfig).await?)?;
        read(&client, namespace, cluster).await
    })
}

async fn read(client: &Client, namespace: &str, cluster: &str) -> Result<Vec<DynamicObject>> {
    let mut objects: BTreeMap<Key, DynamicObject> = BTreeMap::new();
    let mut wanted: Vec<Key> = Vec::new();
    let mut nodes: Vec<String> = Vec::new();
    for subject in SUBJECTS {
        let kind = GroupKind::from(&subject.kind);
        let Some(resource) = discover(client, &kind).await? else { continue };
        let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), namespace, &resource);
        for object in api.list(&ListParams::default()).await.with_context(|| kind.kind.to_string())?.items {
            let key = Key::of(&kind, &object);
            if cluster_name(&object).unwrap_or(&key.name) != cluster {
                continue;
            }
            for related in subject.related {
                if let Link::Referenced { at, .. } = related.link
                    && let Some((kind, name)) = reference(&object, at)
                {
                    wanted.push(Key::new(kind, namespace, &name));
                }
            }
            if let Some(node) = object.data.pointer("/status/nodeRef/name").and_then(|name| name.as_str()) {
                nodes.push(node.to_owned());
            }
            objects.insert(key, object);
        }
    }
    anyhow::ensure!(!objects.is_empty(), "there is no Cluster {namespace}/{cluster}");
    // A remediation request is called like its machine, and its kind like its template's.
    let machines: Vec<Key> = objects.keys().filter(|key| &*key.kind.kind == "Machine").cloned().collect();
    for template in wanted.clone() {
        if let Some(kind) = template.kind.kind.strip_suffix("RemediationTemplate") {
            let kind = GroupKind::new(&template.kind.group, &format!("{kind}Remediation"));
            wanted.extend(machines.iter().map(|machine| Key::new(kind.clone(), namespace, &machine.name)));
        }
    }
    for key in wanted {
        if let Some(resource) = discover(client, &key.kind).await? {
            let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), namespace, &resource);
            if let Some(object) = api.get_opt(&key.name).await.with_context(|| key.to_string())? {
                objects.insert(key, object);
            }
        }
    }
    match workload::connect(client, namespace, cluster).await {
        Ok(workload) => {
            let resource = ApiResource::erase::<k8s_openapi::api::core::v1::Node>(&());
            let api: Api<DynamicObject> = Api::all_with(workload, &resource);
            for node in api.list(&ListParams::default()).await.context("Nodes")?.items {
                if node.metadata.name.as_ref().is_some_and(|name| nodes.contains(name)) {
                    objects.insert(Key::of(&workload::node_kind(), &node), node);
                }
            }
        }
        Err(error) => anstream::eprintln!("no Nodes: {error:#}"),
    }
    let trimmed = objects.into_iter().map(|(key, mut object)| {
        trim(&key.kind.group, &key.kind.kind, &mut object);
        let api_version = object.types.take().map(|types| types.api_version);
        let version = api_version.unwrap_or_else(|| version_of(&key.kind));
        object.types = Some(kube::core::TypeMeta { api_version: version, kind: key.kind.kind.to_string() });
        object
    });
    Ok(trimmed.collect())
}

/// Items of a list do not say what they are.
fn version_of(kind: &GroupKind) -> String {
    if kind.group.is_empty() { "v1".to_owned() } else { format!("{}/v1beta2", kind.group) }
}
