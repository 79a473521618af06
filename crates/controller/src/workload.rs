//! Nodes and static Pods of each workload cluster, through the Secret `<cluster>-kubeconfig`. Each cluster has a task of its own, so
//! that one that can't be reached holds up nobody.

use super::intake::{Feed, Intake, Interruption, Pauses, config};
use super::key::{GroupKind, Key, workload};
use super::kubeconfig::{self, Refused};
use super::printable::short;
use super::server_list::ServerList;
use super::{certificates, client, clock, static_pods, tireless};
use anyhow::{Context, Result};
use jiff::Timestamp;
use k8s_openapi::api::core::v1::{Node, Secret};
use kube::api::DynamicObject;
use kube::config::KubeConfigOptions;
use kube::core::ApiResource;
use kube::runtime::utils::Backoff;
use kube::runtime::watcher;
use kube::{Api, Client, Config, ResourceExt};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;

/// How often a workload cluster is asked whether it is there; so does Cluster API.
const PROBE_EVERY: Duration = Duration::from_secs(10);
/// How long an answer may take.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);
/// After so many failures in a row the connection counts as lost, and is made anew from the secret.
const FAILURES: u32 = 5;
/// How soon a cluster that can't be reached is tried again, at first and in the end.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How often the Secret of a cluster that can be reached is read again.
const READ_AGAIN: Duration = Duration::from_secs(30);
/// How long its Nodes may be behind before the connection counts as lost.
const BEHIND: Duration = Duration::from_secs(20);
/// How large the Nodes of one cluster may be together, without what no rule reads: some ten thousand Nodes.
pub const MOST_BYTES: usize = 32 << 20;

/// How long Cluster API keeps Node conditions without a successful probe, unless told otherwise.
const CONDITIONS_GRACE_SECONDS: i64 = 300;
/// How long Cluster API tolerates failing probes, unless told otherwise.
const CONNECTION_GRACE_SECONDS: i64 = 50;

/// What is known of the way to a workload cluster.
#[derive(Clone, Debug, Default)]
pub struct Connection {
    /// Its Nodes are known.
    pub connected: bool,
    /// So are the static Pods of its control plane.
    pub pods_listed: bool,
    /// Since when.
    since: Option<Timestamp>,
    last_probe: Option<Timestamp>,
    last_success: Option<Timestamp>,
    failures: u32,
}

impl Connection {
    /// What is observed of the workload cluster, as JSON. While it is connected, that does not change with each probe: a
    /// change would make everything in the cluster due.
    pub fn facts(&self) -> String {
        let time = |time: Option<Timestamp>| time.map(clock::seconds);
        if self.connected {
            let since = time(self.since);
            let state = json!({ "consecutiveFailures": 0, "lastProbeTime": since, "lastProbeSuccessTime": since });
            return json!({ "healthCheckingState": state }).to_string();
        }
        let (probe, success) = (time(self.last_probe), time(self.last_success));
        let mut state = json!({ "consecutiveFailures": self.failures });
        for (name, time) in [("lastProbeTime", probe), ("lastProbeSuccessTime", success)] {
            if let Some(time) = time {
                state[name] = json!(time);
            }
        }
        let facts = json!({
            "healthCheckingState": state,
            "remoteConditionsGracePeriodSeconds": CONDITIONS_GRACE_SECONDS,
            "remoteConnectionGracePeriodSeconds": CONNECTION_GRACE_SECONDS,
            "workloadClusterConnected": false,
            "nodeGetError": "ClusterNotConnected",
        });
        facts.to_string()
    }
}

/// The tasks, one a Cluster.
pub struct Workloads {
    intake: Intake,
    servers: Arc<ServerList>,
    tasks: Mutex<BTreeMap<String, JoinHandle<()>>>,
}

impl Workloads {
    pub fn new(intake: Intake, servers: ServerList) -> Self {
        Self { intake, servers: Arc::new(servers), tasks: Mutex::default() }
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
                self.intake.cache.forget_workload(name);
                self.intake.metrics.disconnected_for_good(name);
            }
            keep
        });
        for (name, key) in wanted {
            tasks.entry(name.clone()).or_insert_with(|| {
                let (intake, servers, key) = (self.intake.clone(), self.servers.clone(), key.clone());
                tokio::spawn(async move {
                    let lost = || intake.cache.set_connection(&name, Connection::default());
                    tireless::run(&name, || stay_connected(&intake, &servers, &name, &key), lost).await;
                })
            });
        }
    }
}

async fn stay_connected(intake: &Intake, servers: &ServerList, name: &str, key: &Key) {
    let (namespace, cluster) = (&*key.namespace, &*key.name);
    let state = Arc::new(Mutex::new(Connection::default()));
    let change = |how: &dyn Fn(&mut Connection)| {
        let mut connection = state.lock().unwrap_or_else(PoisonError::into_inner);
        how(&mut connection);
        intake.metrics.connected(name, connection.connected);
        intake.cache.set_connection(name, connection.clone());
    };
    let pods_listed = |listed| change(&|connection| connection.pods_listed = listed);
    let (mut attempts, mut last_refusal, mut last_trouble) = (0_u32, None, None);
    loop {
        match connect(&intake.client, namespace, cluster, servers).await {
            Ok((client, secret)) => {
                let since = clock::instant();
                (last_refusal, last_trouble) = (None, None);
                let why = tokio::select! {
                    never = static_pods::follow(intake, name, client.clone(), &pods_listed) => never,
                    error = watch_nodes(intake, name, client.clone(), &change) => error.says(),
                    () = probe(client, &change) => "it does not answer".to_owned(),
                    () = replaced(&intake.client, namespace, cluster, secret) => "its kubeconfig has changed".to_owned(),
                };
                tracing::warn!(cluster = %name, why, "connection lost");
                attempts = if since.elapsed() > LONGEST_PAUSE { 0 } else { attempts.saturating_add(1) };
            }
            Err(error) => {
                attempts = attempts.saturating_add(1);
                if let Some(refused) = error.downcast_ref::<Refused>() {
                    intake.metrics.kubeconfig_refused(refused.reason());
                    if last_refusal.as_ref() != Some(refused) {
                        tracing::warn!(cluster = %name, %refused, "kubeconfig refused");
                        last_refusal = Some(refused.clone());
                    }
                } else if let Some(trouble) = error.chain().find_map(certificates::find) {
                    intake.metrics.certificate_failed("workload", trouble.reason);
                    if last_trouble != Some(trouble) {
                        tracing::warn!(cluster = %name, why = trouble.says, "no connection to the workload cluster");
                        last_trouble = Some(trouble);
                    }
                } else {
                    tracing::debug!(cluster = %name, error = &*short(&format!("{error:#}")), "not connected");
                }
            }
        }
        change(&|connection| (connection.connected, connection.pods_listed) = (false, false));
        tokio::time::sleep(pause(attempts, name)).await;
    }
}

/// Longer with each attempt that failed, and not the same for every cluster: those that were lost together would come
/// back together.
fn pause(attempts: u32, name: &str) -> Duration {
    let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(attempts.min(16))).min(LONGEST_PAUSE);
    let share = name.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())) % 100;
    pause.saturating_mul(400_u32.saturating_sub(share)) / 400
}

/// A client of the workload cluster, once it has answered, and the digest of the kubeconfig that led there.
pub async fn connect(
    client: &Client,
    namespace: &str,
    cluster: &str,
    servers: &ServerList,
) -> Result<(Client, [u8; 32])> {
    let value = kubeconfig(client, namespace, cluster).await?;
    let text = std::str::from_utf8(&value).map_err(|_| Refused::Malformed("not UTF-8"))?;
    let kubeconfig = kubeconfig::accept(text, servers)?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    let workload = client::connect(config, client::WORKLOAD)?;
    tokio::time::timeout(PROBE_TIMEOUT, workload.apiserver_version()).await.context("no answer in time")??;
    Ok((workload, Sha256::digest(&value).into()))
}

async fn kubeconfig(client: &Client, namespace: &str, cluster: &str) -> Result<Vec<u8>> {
    let name = format!("{cluster}-kubeconfig");
    let mut secret = Api::<Secret>::namespaced(client.clone(), namespace).get(&name).await?;
    let value = secret.data.as_mut().and_then(|data| data.remove("value"));
    Ok(value.context("the Secret has no key `value`")?.0)
}

/// Ends when the Secret holds another kubeconfig.
async fn replaced(client: &Client, namespace: &str, cluster: &str, digest: [u8; 32]) {
    loop {
        tokio::time::sleep(READ_AGAIN).await;
        let value = kubeconfig(client, namespace, cluster).await;
        if value.is_ok_and(|value| <[u8; 32]>::from(Sha256::digest(&value)) != digest) {
            return;
        }
    }
}

/// Ends when the Nodes can't be followed.
async fn watch_nodes(
    intake: &Intake,
    name: &str,
    client: Client,
    change: &impl Fn(&dyn Fn(&mut Connection)),
) -> Interruption {
    let resource = ApiResource::erase::<Node>(&());
    let kind = GroupKind::node();
    let nodes = Api::<DynamicObject>::all_with(client, &resource);
    let key = |node: &DynamicObject| Key::new(kind.clone(), name, &node.name_any());
    let workload = Some((name, MOST_BYTES));
    let feed = Feed { cache: &intake.cache, metrics: &intake.metrics, kind: &kind, api_version: "v1", workload };
    let mut pauses = Pauses::default();
    let complete = std::sync::atomic::AtomicBool::new(false);
    let mut since = None;
    loop {
        let interruption = feed
            .follow(key, watcher(nodes.clone(), config()), || {
                complete.store(true, Ordering::Relaxed);
                change(&|connection| {
                    let now = clock::now();
                    let since = connection.since.filter(|_| connection.connected).or(Some(now));
                    let (last_probe, last_success) = (Some(now), Some(now));
                    let pods_listed = connection.pods_listed;
                    *connection =
                        Connection { connected: true, pods_listed, since, last_probe, last_success, failures: 0 };
                });
            })
            .await;
        intake.metrics.watch_failed(&kind.kind);
        tracing::warn!(cluster = %name, error = interruption.says(), "watch of Nodes interrupted");
        if complete.swap(false, Ordering::Relaxed) {
            pauses.reset();
            since = Some(clock::instant());
        }
        let lasts = since.is_none_or(|since| since.elapsed() > BEHIND);
        if lasts || matches!(interruption, Interruption::TooMuch(_)) {
            return interruption;
        }
        tokio::time::sleep(pauses.next().unwrap_or(BEHIND)).await;
    }
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

#[cfg(test)]
mod tests {
    use super::{FIRST_PAUSE, LONGEST_PAUSE, pause};

    #[test]
    fn a_cluster_that_stays_away_is_tried_less_and_less() {
        let pauses: Vec<_> = (0..12).map(|attempts| pause(attempts, "ns/c1")).collect();
        assert!(pauses.is_sorted() && pauses[0] <= FIRST_PAUSE && pauses[11] <= LONGEST_PAUSE, "{pauses:?}");
        assert!(pauses[11] >= LONGEST_PAUSE * 3 / 4, "{pauses:?}");
        assert_ne!(pause(9, "ns/c1"), pause(9, "ns/c2"));
    }
}
