//! Nodes of each workload cluster, through the secret `<cluster>-kubeconfig`. Each cluster has a task of its own, so
//! that one that can't be reached holds up nobody.

use super::clock;
use super::intake::{Intake, Pauses, State, follow};
use super::key::{GroupKind, Key, workload};
use anyhow::{Context, Result};
use jiff::Timestamp;
use k8s_openapi::api::core::v1::{Node, Secret};
use kube::api::DynamicObject;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::ApiResource;
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, Client, Config, ResourceExt};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;

/// How often a workload cluster is asked whether it is there; so does Cluster API.
const PROBE_EVERY: Duration = Duration::from_secs(10);
/// How long an answer may take.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);
/// After so many failures in a row the connection counts as lost, and is made anew from the secret.
const FAILURES: u32 = 5;
/// How soon a cluster without a usable secret is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(3);

/// What is known of the way to a workload cluster.
#[derive(Clone, Debug, Default)]
pub struct Connection {
    /// Its Nodes are known.
    pub connected: bool,
    last_probe: Option<Timestamp>,
    last_success: Option<Timestamp>,
    failures: u32,
}

impl Connection {
    /// `observed.healthCheckingState`.
    pub fn health(&self) -> Value {
        let mut health = json!({ "consecutiveFailures": self.failures });
        if let Some(time) = self.last_probe {
            health["lastProbeTime"] = json!(clock::seconds(time));
        }
        if let Some(time) = self.last_success {
            health["lastProbeSuccessTime"] = json!(clock::seconds(time));
        }
        health
    }
}

/// The kind of the objects of a workload cluster.
pub fn node_kind() -> GroupKind {
    GroupKind::new("", "Node")
}

/// The tasks, one a Cluster.
pub struct Workloads {
    intake: Intake,
    tasks: Mutex<BTreeMap<String, JoinHandle<()>>>,
}

impl Workloads {
    pub fn new(intake: Intake) -> Self {
        Self { intake, tasks: Mutex::default() }
    }

    /// Starts what is new and ends what is gone.
    pub fn keep(&self, clusters: &[Key]) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted: BTreeMap<String, &Key> =
            clusters.iter().map(|key| (workload(&key.namespace, &key.name), key)).collect();
        tasks.retain(|name, task| {
            let keep = wanted.contains_key(name);
            if !keep {
                task.abort();
                self.intake.world.forget_workload(name);
            }
            keep
        });
        for (name, key) in wanted {
            tasks.entry(name.clone()).or_insert_with(|| {
                tokio::spawn(stay_connected(self.intake.clone(), name, key.namespace.to_string(), key.name.to_string()))
            });
        }
    }
}

async fn stay_connected(intake: Intake, name: String, namespace: String, cluster: String) {
    let state = Arc::new(Mutex::new(Connection::default()));
    let change = |how: &dyn Fn(&mut Connection)| {
        let mut connection = state.lock().unwrap_or_else(PoisonError::into_inner);
        how(&mut connection);
        intake.world.set_connection(&name, connection.clone());
    };
    loop {
        match tokio::time::timeout(PROBE_TIMEOUT, connect(&intake.client, &namespace, &cluster)).await {
            Ok(Ok(client)) => {
                tokio::select! {
                    () = watch_nodes(&intake, &name, client.clone(), &change) => {}
                    () = probe(client, &change) => {}
                }
                tracing::warn!(cluster = %name, "connection lost");
            }
            Ok(Err(error)) => tracing::debug!(cluster = %name, error = format!("{error:#}"), "not connected"),
            Err(_) => tracing::debug!(cluster = %name, "not connected in time"),
        }
        change(&|connection| connection.connected = false);
        tokio::time::sleep(TRY_AGAIN).await;
    }
}

/// A client of the workload cluster, once it has answered.
pub async fn connect(client: &Client, namespace: &str, cluster: &str) -> Result<Client> {
    let name = format!("{cluster}-kubeconfig");
    let secret = Api::<Secret>::namespaced(client.clone(), namespace).get(&name).await?;
    let value = secret.data.as_ref().and_then(|data| data.get("value")).context("the secret has no key `value`")?;
    let kubeconfig = Kubeconfig::from_yaml(std::str::from_utf8(&value.0)?)?;
    let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    config.connect_timeout = Some(PROBE_TIMEOUT);
    let workload = Client::try_from(config)?;
    workload.apiserver_version().await?;
    Ok(workload)
}

async fn watch_nodes(intake: &Intake, name: &str, client: Client, change: &impl Fn(&dyn Fn(&mut Connection))) {
    let resource = ApiResource::erase::<Node>(&());
    let kind = node_kind();
    let nodes = Api::<DynamicObject>::all_with(client, &resource);
    let events = watcher(nodes, watcher::Config::default()).backoff(Pauses::default());
    let key = |node: &DynamicObject| Key::new(kind.clone(), name, &node.name_any());
    follow(&intake.world, &intake.metrics, &kind, Some(name), key, events, |state| match state {
        State::Complete => change(&|connection| {
            let now = clock::now();
            *connection = Connection { connected: true, last_probe: Some(now), last_success: Some(now), failures: 0 };
        }),
        State::Failed(error) => tracing::warn!(cluster = %name, %error, "watch of Nodes interrupted"),
    })
    .await;
}

/// Ends when the cluster has not answered for long.
async fn probe(client: Client, change: &impl Fn(&dyn Fn(&mut Connection))) {
    let mut failures = 0;
    while failures < FAILURES {
        tokio::time::sleep(PROBE_EVERY).await;
        let answered = tokio::time::timeout(PROBE_TIMEOUT, client.apiserver_version()).await;
        let now = clock::now();
        failures = if matches!(answered, Ok(Ok(_))) { 0 } else { failures.saturating_add(1) };
        change(&|connection| {
            connection.last_probe = Some(now);
            connection.failures = failures;
            if failures == 0 {
                connection.last_success = Some(now);
            }
        });
    }
}
