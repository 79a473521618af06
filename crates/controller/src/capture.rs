//! One cluster's objects, read once: those that can be decided about, and all that they lead to.

use super::client;
use super::discovery::{Served, discover};
use super::key::{GroupKind, Key, cluster_name};
use super::links::{reference, request_kind};
use super::printable::printable;
use super::redact::redact;
use super::server_list::ServerList;
use super::trim::trim;
use super::workload;
use crate::group::relations::{Link, SUBJECTS};
use anyhow::{Context, Result};
use kube::api::{DynamicObject, ListParams};
use kube::core::ApiResource;
use kube::{Api, Client};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Reads a cluster's objects, trimmed.
pub fn run(
    kubeconfig: Option<&Path>,
    namespace: &str,
    cluster: &str,
    servers: &ServerList,
) -> Result<Vec<DynamicObject>> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let client = client::connect(super::config(kubeconfig).await?, client::MANAGEMENT)?;
        read(&client, namespace, cluster, servers).await
    })
}

async fn read(client: &Client, namespace: &str, cluster: &str, servers: &ServerList) -> Result<Vec<DynamicObject>> {
    let mut server = Server { client, namespace, kinds: BTreeMap::new() };
    let mut objects: BTreeMap<Key, DynamicObject> = BTreeMap::new();
    let mut wanted: BTreeSet<Key> = BTreeSet::new();
    let mut nodes: BTreeSet<String> = BTreeSet::new();
    let mut requests: BTreeSet<GroupKind> = BTreeSet::new();
    for subject in SUBJECTS {
        let kind = GroupKind::from(&subject.kind);
        let Some(api) = server.api(&kind).await? else { continue };
        for object in api.list(&ListParams::default()).await.with_context(|| kind.kind.to_string())?.items {
            let key = Key::of(&kind, &object);
            if cluster_name(&object).unwrap_or(&key.name) != cluster {
                continue;
            }
            for related in subject.related {
                match &related.link {
                    Link::Referenced { at, .. } => {
                        let referenced = reference(&object, at);
                        wanted.extend(referenced.map(|(kind, name)| Key::new(kind, namespace, &name)));
                    }
                    Link::Named { kind, at, .. } => match object.data.pointer(at).and_then(|name| name.as_str()) {
                        Some(name) if kind.group.is_empty() => drop(nodes.insert(name.to_owned())),
                        Some(name) => drop(wanted.insert(Key::new(kind.into(), namespace, name))),
                        None => {}
                    },
                    Link::RequestsFor { template, .. } => {
                        requests.extend(reference(&object, template).and_then(|(template, _)| request_kind(&template)));
                    }
                    _ => {}
                }
            }
            objects.insert(key, object);
        }
    }
    anyhow::ensure!(!objects.is_empty(), "there is no Cluster {namespace}/{cluster}");
    for machine in objects.keys().filter(|key| &*key.kind.kind == "Machine") {
        wanted.extend(requests.iter().map(|kind| Key::new(kind.clone(), namespace, &machine.name)));
    }
    for key in wanted {
        if let Some(api) = server.api(&key.kind).await?
            && let Some(object) = api.get_opt(&key.name).await.with_context(|| key.to_string())?
        {
            objects.insert(key, object);
        }
    }
    match workload::connect(client, namespace, cluster, servers).await {
        Ok((workload, _)) => {
            let resource = ApiResource::erase::<k8s_openapi::api::core::v1::Node>(&());
            let api: Api<DynamicObject> = Api::all_with(workload, &resource);
            for node in api.list(&ListParams::default()).await.context("Nodes")?.items {
                if node.metadata.name.as_ref().is_some_and(|name| nodes.contains(name)) {
                    objects.insert(Key::of(&workload::node_kind(), &node), node);
                }
            }
        }
        Err(error) => eprintln!("no Nodes: {}", printable(&format!("{error:#}"))),
    }
    let trimmed = objects.into_iter().map(|(key, mut object)| {
        trim(&key.kind.group, &key.kind.kind, &mut object);
        redact(&key.kind.group, &key.kind.kind, &mut object);
        let api_version = object.types.take().map(|types| types.api_version);
        let version = api_version.unwrap_or_else(|| version_of(&key.kind));
        object.types = Some(kube::core::TypeMeta { api_version: version, kind: key.kind.kind.to_string() });
        object
    });
    Ok(trimmed.collect())
}

/// The kinds that one namespace of a server has, each asked for once.
struct Server<'a> {
    client: &'a Client,
    namespace: &'a str,
    kinds: BTreeMap<GroupKind, Option<ApiResource>>,
}

impl Server<'_> {
    /// None when the server has no such kind.
    async fn api(&mut self, kind: &GroupKind) -> Result<Option<Api<DynamicObject>>> {
        if !self.kinds.contains_key(kind) {
            let resource = match discover(self.client, kind).await? {
                Served::As(resource) => Some(resource),
                Served::InOtherVersions(versions) => anyhow::bail!(
                    "{} of {} is served as {} only; v1beta2 is needed",
                    kind.kind,
                    kind.group,
                    versions.join(", ")
                ),
                Served::Not => None,
            };
            self.kinds.insert(kind.clone(), resource);
        }
        let resource = self.kinds.get(kind).and_then(Option::as_ref);
        Ok(resource.map(|resource| Api::namespaced_with(self.client.clone(), self.namespace, resource)))
    }
}

/// Items of a list do not say what they are.
fn version_of(kind: &GroupKind) -> String {
    if kind.group.is_empty() { "v1".to_owned() } else { format!("{}/v1beta2", kind.group) }
}
