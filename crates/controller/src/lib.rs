//! The controller behind `capi-policy watch`: decides about the objects of a cluster as they change, and observes what would
//! be different or applies it.

mod actions;
mod apply;
mod cache;
mod capture;
mod case;
mod certificates;
mod client;
mod clock;
mod cluster_fleet;
mod decide;
mod decision;
mod decision_log;
mod differences;
mod discovery;
mod entry;
mod events;
mod fields;
mod fleet_state;
mod fleets;
mod foresight;
mod gate;
mod http;
mod intake;
mod key;
mod kinds;
mod kubeconfig;
mod leader;
pub mod live;
mod logging;
mod memory;
mod metrics;
mod options;
mod outlook;
mod policy;
pub mod printable;
pub mod profile;
mod progress;
mod refusal;
mod schedule;
mod server_list;
mod server_probe;
mod static_pods;
mod steady;
mod tireless;
mod trim;
mod workload;
mod writers;

use self::apply::Applier;
use self::cache::Cache;
use self::decide::Decider;
use self::decision_log::DecisionLog;
use self::differences::SharedCounts;
use self::events::Events;
use self::fleets::Fleets;
use self::gate::{Gate, Readiness};
use self::http::Ends;
use self::intake::Intake;
use self::key::GroupKind;
use self::kinds::Kinds;
use self::leader::{Candidate, Leadership};
use self::metrics::Metrics;
use self::policy::Policy;
use self::profile::Profiles;
use self::progress::Progress;
use self::schedule::{Queue, Turns};
use self::server_probe::{Answers, Probe};
use self::steady::Steady;
use self::workload::Workloads;
use self::writers::Writers;
use anyhow::{Context, Result};
use kube::runtime::events::{Recorder, Reporter};
use kube::{Client, Config};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Semaphore, watch};

pub use self::capture::run as capture;
pub use self::decision_log::files as decision_log_files;
pub use self::options::{LogFormat, Mode, Options};
pub use self::policy::Source;
pub use self::server_list::ServerList;

/// How long decisions that have begun may take to end when the program is told to stop; a pod has thirty seconds.
const STOP_WITHIN: Duration = Duration::from_secs(20);

/// Watches until a signal says stop.
pub fn run(options: Options, policy: Source) -> Result<()> {
    options.check(policy.reference.as_deref())?;
    logging::start(options.log_format, &options.log_level)?;
    // Two programs' worth of dependencies bring two providers of cryptography; this one is meant.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // Before there is a runtime: pulling from a registry makes one of its own.
    let policy = Arc::new(Policy::load(policy)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(watch(options, policy));
    // What still runs now has had its time.
    runtime.shutdown_background();
    result
}

async fn watch(options: Options, policy: Arc<Policy>) -> Result<()> {
    let metrics = Arc::new(Metrics::new());
    metrics.policy(&policy.current().digest);
    let client = client::connect(config(options.kubeconfig.as_deref()).await?, client::MANAGEMENT)?;
    let known = policy.current().profiles()?;
    let profiles = profile::resolve(&options.profile, &client, &known, options.mode == Mode::Apply).await?;
    let (queue, requests) = Queue::new();
    let (start, mut started) = tokio::sync::mpsc::unbounded_channel();
    let (new_fleets, fleets) = tokio::sync::mpsc::unbounded_channel();
    let cache = Arc::new(Cache::new(Kinds::new(start), options.namespace.clone(), new_fleets));
    let (came_back, outages) = watch::channel(0);
    let intake = Intake {
        client: client.clone(),
        cache: cache.clone(),
        metrics: metrics.clone(),
        outages,
        required: Arc::new(required()),
        tasks: Arc::default(),
    };
    let kept: BTreeSet<GroupKind> = GroupKind::decidable().collect();
    for kind in &kept {
        cache.kinds.watch(kind);
    }
    tokio::spawn({
        let intake = intake.clone();
        async move {
            while let Some(kind) = started.recv().await {
                intake.start(kind);
            }
        }
    });
    let fleets = {
        let slots = Semaphore::new(std::thread::available_parallelism().map_or(2, NonZero::get));
        let (policy, metrics, watch_filter) = (policy.clone(), metrics.clone(), options.watch_filter.clone());
        let kinds = GroupKind::decidable().map(|kind| kind.kind).filter(|kind| options.decides(kind)).collect();
        let cache = cache.clone();
        let all = Arc::new(Fleets { cache, policy, queue, metrics, kinds, watch_filter, ahead: options.ahead, slots });
        tokio::spawn(all.clone().run(fleets));
        all
    };

    let (leadership, progress) = (Arc::new(Leadership::default()), Arc::new(Progress::default()));
    let (readiness, answers) = (Arc::new(Readiness::default()), Arc::new(Answers::default()));
    let steady = Arc::new(Steady::new(metrics.clone()));
    let writer = guarded(client.clone(), &leadership);
    let decider = Arc::new(decider(&options, profiles, writer, fleets.clone(), progress.clone(), steady.clone())?);
    let probe = Probe {
        client: client.clone(),
        answers: answers.clone(),
        steady: steady.clone(),
        metrics: metrics.clone(),
        outages: came_back,
    };
    tokio::spawn({
        let decider = decider.clone();
        probe.run(move || decider.plan_again())
    });
    let listener = tokio::net::TcpListener::bind(&options.listen).await.context(options.listen.clone())?;
    tracing::info!(address = %listener.local_addr()?, policy = policy.current().digest, mode = ?options.mode, "watching");
    let (ends, ready) = (decider.clone(), readiness.clone());
    tokio::spawn(http::serve(listener, Arc::new(Ends { decider: ends, readiness: ready, progress: progress.clone() })));
    tokio::spawn({
        let cache = cache.clone();
        policy.keep_fresh(metrics.clone(), move || cache.refresh_all())
    });

    let (open, gate) = watch::channel(false);
    let (stopping, stop) = watch::channel(false);
    let keeper = Gate {
        workloads: Workloads::new(intake.clone(), options.workload_servers.clone().unwrap_or_default()),
        intake,
        kept,
        answers,
        steady,
        leadership: leadership.clone(),
        progress: progress.clone(),
        readiness,
        writers: decider.applier.as_ref().map(|(applier, _)| applier.writers.clone()),
    };
    tokio::spawn(keeper.keep(open));
    let candidate = options.leader_elect.then(|| candidate(&options, client));
    let (releasing, release) = watch::channel(false);
    let election = leader::elect(candidate, leadership, progress.clone(), metrics.clone(), stopped(release));
    let mut election = tokio::spawn(election);
    let turns = Turns { limit: options.concurrency(), line_of: |key: &_| fleets.line_of(key), progress, metrics };
    let turns = turns.run(requests, gate, move |key| decider.clone().decide(key), stopped(stop));
    let mut turns = std::pin::pin!(turns);
    tokio::select! {
        () = &mut turns => anyhow::bail!("the queue ended"),
        lost = &mut election => return lost?,
        () = signalled() => tracing::info!("stopping"),
    }
    // What is running ends first; only then may another replica lead.
    let _ = stopping.send(true);
    if tokio::time::timeout(STOP_WITHIN, turns).await.is_err() {
        anyhow::bail!(
            "decisions that had begun did not end within {} s; the Lease is left to run out",
            STOP_WITHIN.as_secs()
        );
    }
    let _ = releasing.send(true);
    election.await?
}

/// What has to be known before the first decision: Cluster API's own kinds. Control planes and classes are not everywhere.
fn required() -> BTreeSet<GroupKind> {
    GroupKind::decidable().filter(|kind| &*kind.group == "cluster.x-k8s.io").collect()
}

/// A client that writes only while this replica leads, by its own clock.
fn guarded(client: Client, leadership: &Arc<Leadership>) -> Client {
    let leadership = leadership.clone();
    client::guarded(client, move || {
        leadership.holds().then_some(()).ok_or_else(|| "this replica does not lead".to_owned())
    })
}

fn decider(
    options: &Options,
    profiles: Profiles,
    client: Client,
    fleets: Arc<Fleets>,
    progress: Arc<Progress>,
    steady: Arc<Steady>,
) -> Result<Decider> {
    let (cache, metrics) = (fleets.cache.clone(), fleets.metrics.clone());
    let log = options.decision_log.as_ref().map(|path| {
        let max_bytes = options.decision_log_max_bytes;
        DecisionLog::open(path, max_bytes, metrics.clone()).with_context(|| path.display().to_string())
    });
    let log = log.transpose()?;
    let applier = (options.mode == Mode::Apply).then(|| {
        let field_manager = options.field_manager.clone();
        let reporter = Reporter { controller: field_manager.clone(), instance: Some(Options::identity()) };
        let recorder = Recorder::new(client.clone(), reporter);
        let writers = Arc::new(Writers::new(metrics.clone(), &field_manager));
        let events = Events { recorder, cache: cache.clone(), metrics: metrics.clone() };
        let (metrics, log) = (metrics.clone(), log.clone());
        (Applier { client, cache, metrics, progress, log, writers, field_manager }, events)
    });
    let (explain, memory, counts) = (options.explain, std::sync::Mutex::default(), SharedCounts::default());
    Ok(Decider { fleets, metrics, log, applier, profiles, explain, steady, memory, counts })
}

fn candidate(options: &Options, client: Client) -> Candidate {
    Candidate {
        namespace: options.lease_namespace.clone().unwrap_or_else(|| client.default_namespace().to_owned()),
        client,
        name: options.lease_name.clone(),
        identity: format!("{}_{:016x}", Options::identity(), random()),
        duration: Duration::from_secs(options.lease_seconds),
    }
}

/// Another number in every process. A Pod that was given up and the one in its place have the same name, and only one may
/// hold the Lease.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

async fn stopped(mut stop: watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

async fn signalled() {
    let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}

/// How the server is reached: by the file, else as kubectl does or from inside a pod.
async fn config(kubeconfig: Option<&Path>) -> Result<Config> {
    let Some(path) = kubeconfig else { return Ok(Config::infer().await?) };
    let kubeconfig = kube::config::Kubeconfig::read_from(path)?;
    Ok(Config::from_custom_kubeconfig(kubeconfig, &kube::config::KubeConfigOptions::default()).await?)
}
