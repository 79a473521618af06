//! One cluster's objects, read once: a fleet says what to read, and the snapshots of its decisions what to keep.

use super::client::{self, PAGE};
use super::discovery::{Served, discover};
use super::key::{GroupKind, Home, Key, STATIC_PODS, workload};
use super::printable::printable;
use super::server_list::ServerList;
use super::trim::{conceal, trim};
use super::{clock, static_pods, workload as nodes};
use anyhow::{Context, Result, ensure};
use capi_policy::Profile;
use capi_policy::fleet::{Fleet, ObjectRef, Options, Presence, Scope, WorkloadCluster};
use capi_policy::time::Time;
use kube::api::{DynamicObject, ListParams};
use kube::core::ApiResource;
use kube::{Api, Client};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Reads a cluster's objects, without what no rule reads.
pub fn run(
    kubeconfig: Option<&Path>,
    namespace: &str,
    cluster: &str,
    servers: &ServerList,
) -> Result<Vec<DynamicObject>> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let client = client::connect(super::config(kubeconfig).await?, client::MANAGEMENT)?;
        let mut capture = Capture {
            client,
            namespace,
            cluster,
            fleet: Fleet::default(),
            kinds: BTreeMap::new(),
            home: String::new(),
        };
        capture.home = workload(namespace, cluster);
        capture.read(servers).await?;
        capture.objects()
    })
}

struct Capture<'a> {
    client: Client,
    namespace: &'a str,
    cluster: &'a str,
    home: String,
    fleet: Fleet,
    /// What the server calls each kind; none: it has no such kind.
    kinds: BTreeMap<GroupKind, Option<ApiResource>>,
}

impl Capture<'_> {
    async fn read(&mut self, servers: &ServerList) -> Result<()> {
        while let Some(kind) = self.next_kind() {
            self.list(&kind).await?;
        }
        ensure!(!self.fleet.decidable().is_empty(), "there is no Cluster {}/{}", self.namespace, self.cluster);
        for object in self.not_read() {
            self.get(&object).await?;
        }
        match nodes::connect(&self.client, self.namespace, self.cluster, servers).await {
            Ok((workload, _)) => {
                self.list_nodes(workload.clone()).await?;
                self.list_static_pods(workload).await
            }
            Err(error) => {
                eprintln!("no Nodes: {}", printable(&format!("{error:#}")));
                Ok(())
            }
        }
    }

    /// A kind that the fleet wants and that was not listed yet.
    fn next_kind(&self) -> Option<GroupKind> {
        let wanted = self.fleet.wanted().kinds.into_iter().filter(|wanted| wanted.scope.workload_cluster.is_none());
        let mut kinds = wanted.map(|wanted| GroupKind::new(&wanted.scope.group, &wanted.scope.kind));
        kinds.find(|kind| !self.kinds.contains_key(kind))
    }

    /// Objects of other namespaces that the fleet wants.
    fn not_read(&self) -> Vec<ObjectRef> {
        let unread = self.fleet.wanted().objects.into_iter().filter(|wanted| wanted.presence == Presence::NotRead);
        unread.map(|wanted| wanted.object).filter(|object| object.place.workload_cluster.is_none()).collect()
    }

    async fn list(&mut self, kind: &GroupKind) -> Result<()> {
        let resource = self.discover(kind).await?;
        self.kinds.insert(kind.clone(), resource.clone());
        if let Some(resource) = &resource {
            let api: Api<DynamicObject> = Api::namespaced_with(self.client.clone(), self.namespace, resource);
            self.take_all(kind, &resource.api_version, &api, ListParams::default(), None)
                .await
                .with_context(|| kind.kind.to_string())?;
        }
        let scope = Scope { namespace: Some(self.namespace.to_owned()), ..Scope::of((&kind.group, &kind.kind)) };
        self.fleet.mark(&scope, resource.is_some());
        Ok(())
    }

    /// Reads a list page by page. The objects of a workload cluster may only be so large.
    async fn take_all(
        &mut self,
        kind: &GroupKind,
        api_version: &str,
        api: &Api<DynamicObject>,
        params: ListParams,
        cluster: Option<&WorkloadCluster>,
    ) -> Result<()> {
        let (mut params, mut bytes) = (params.limit(PAGE), 0_usize);
        loop {
            let page = api.list(&params).await?;
            for object in page.items {
                if cluster.is_none() && self.is_of_another(kind, &object) {
                    continue;
                }
                bytes = bytes.saturating_add(self.take(kind, api_version, object, cluster.cloned())?);
                ensure!(
                    cluster.is_none() || bytes <= nodes::MOST_BYTES,
                    "more than {} bytes of objects",
                    nodes::MOST_BYTES
                );
            }
            let Some(next) = page.metadata.continue_.filter(|next| !next.is_empty()) else { return Ok(()) };
            params.continue_token = Some(next);
        }
    }

    fn is_of_another(&self, kind: &GroupKind, object: &DynamicObject) -> bool {
        matches!(Key::of(kind, object).home(object), Home::Cluster(home) if *home != *self.home)
    }

    async fn get(&mut self, object: &ObjectRef) -> Result<()> {
        let kind = GroupKind::new(&object.place.group, &object.place.kind);
        let Some(Some(resource)) = self.kinds.get(&kind).cloned() else { return Ok(()) };
        let api: Api<DynamicObject> = Api::namespaced_with(self.client.clone(), &object.place.namespace, &resource);
        match api.get_opt(&object.name).await.with_context(|| format!("{} {}", kind.kind, object.name))? {
            Some(found) => drop(self.take(&kind, &resource.api_version, found, None)?),
            None => self.fleet.remove(object),
        }
        Ok(())
    }

    async fn list_nodes(&mut self, client: Client) -> Result<()> {
        let resource = ApiResource::erase::<k8s_openapi::api::core::v1::Node>(&());
        let cluster = WorkloadCluster::new(self.namespace, self.cluster);
        let api: Api<DynamicObject> = Api::all_with(client, &resource);
        self.take_all(&GroupKind::node(), "v1", &api, ListParams::default(), Some(&cluster)).await.context("Nodes")?;
        self.fleet.mark(&Scope { workload_cluster: Some(cluster), ..Scope::of(("", "Node")) }, true);
        Ok(())
    }

    /// The components of a control plane, if decisions read them; they can be decided about without.
    async fn list_static_pods(&mut self, client: Client) -> Result<()> {
        let kind = GroupKind::pod();
        if !self.fleet.wanted().kinds.iter().any(|wanted| wanted.scope.kind == *kind.kind) {
            return Ok(());
        }
        let resource = ApiResource::erase::<k8s_openapi::api::core::v1::Pod>(&());
        let api: Api<DynamicObject> = Api::namespaced_with(client, STATIC_PODS, &resource);
        let cluster = WorkloadCluster::new(self.namespace, self.cluster);
        let params = ListParams::default().labels(static_pods::COMPONENTS);
        match self.take_all(&kind, "v1", &api, params, Some(&cluster)).await {
            Ok(()) => {
                let namespace = Some(STATIC_PODS.to_owned());
                self.fleet.mark(&Scope { namespace, workload_cluster: Some(cluster), ..Scope::of(("", "Pod")) }, true);
            }
            Err(error) => eprintln!("no static Pods: {}", printable(&format!("{error:#}"))),
        }
        Ok(())
    }

    fn take(
        &mut self,
        kind: &GroupKind,
        api_version: &str,
        mut object: DynamicObject,
        cluster: Option<WorkloadCluster>,
    ) -> Result<usize> {
        trim(kind, api_version, &mut object);
        conceal(kind, &mut object);
        let (key, text) = (Key::of(kind, &object), serde_json::to_string(&object)?);
        let bytes = text.len();
        self.fleet.upsert(text, cluster).with_context(|| key.to_string())?;
        Ok(bytes)
    }

    async fn discover(&self, kind: &GroupKind) -> Result<Option<ApiResource>> {
        match discover(&self.client, kind).await? {
            Served::As(resource) => Ok(Some(resource)),
            Served::Not => Ok(None),
            Served::InOtherVersions(versions) => {
                let versions = versions.join(", ");
                anyhow::bail!("{} of {} is served as {versions} only; v1beta2 is needed", kind.kind, kind.group)
            }
        }
    }

    /// Every object that some decision reads, once.
    fn objects(&self) -> Result<Vec<DynamicObject>> {
        let now = Time::parse(&clock::seconds(clock::now())).context("the time")?;
        let options = Options { now, profile: Profile::default(), explain: false };
        let mut objects = BTreeMap::new();
        for subject in self.fleet.decidable() {
            let snapshot: BTreeMap<String, Value> = serde_json::from_str(&self.fleet.snapshot(&subject, options)?)?;
            for value in snapshot.into_values() {
                let found = if let Value::Array(items) = value { items } else { vec![value] };
                // What was last seen of an object has no name.
                for object in found.into_iter().filter(|object| object.pointer("/metadata/name").is_some()) {
                    let object: DynamicObject = serde_json::from_value(object)?;
                    let types = object.types.clone().unwrap_or_default();
                    let kind = GroupKind::new(super::key::group_of(&types.api_version), &types.kind);
                    objects.insert(Key::of(&kind, &object), object);
                }
            }
        }
        Ok(objects.into_values().collect())
    }
}
