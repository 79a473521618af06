//! The controller behind `capi-policy watch`: decides about the objects of a cluster as they change, and observes what would
//! be different or applies it.

mod actions;
mod apply;
mod capture;
mod clock;
mod decide;
mod decision;
mod decision_log;
mod differences;
mod events;
mod fleets;
mod frame;
mod gate;
mod group;
mod http;
mod index;
mod intake;
mod key;
mod leader;
mod links;
mod logging;
mod memory;
mod metrics;
mod observed;
mod options;
mod question;
mod refusal;
mod reload;
mod schedule;
mod trim;
mod workload;
mod world;

use self::apply::Applier;
use self::decide::Decider;
use self::decision_log::DecisionLog;
use self::events::Events;
use self::intake::Intake;
use self::key::GroupKind;
use self::leader::Candidate;
use self::metrics::Metrics;
use self::reload::Policy;
use self::workload::Workloads;
use self::world::World;
use crate::group::relations::SUBJECTS;
use anyhow::{Context, Result};
use futures::channel::mpsc;
use kube::runtime::events::{Recorder, Reporter};
use kube::{Client, Config};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

pub use self::capture::run as capture;
pub use self::decision_log::files as decision_log_files;
pub use self::options::{LogFormat, Mode, Options};
pub use self::reload::Source;

/// Watches until a signal says stop.
pub fn run(options: Options, policy: Source) -> Result<()> {
    logging::start(options.log_format, &options.log_level)?;
    // Two programs' worth of dependencies bring two providers of cryptography; this one is meant.
    let _ = rustls::crypto::ring::default_provider().install_default();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(watch(options, policy))
}

async fn watch(options: Options, policy: Source) -> Result<()> {
    let policy = Arc::new(Policy::load(policy)?);
    let metrics = Arc::new(Metrics::new());
    metrics.policy(&policy.current().digest);
    let client = Client::try_from(config(options.kubeconfig.as_deref()).await?)?;
    let (queue, requests) = mpsc::unbounded();
    let (demand, mut demanded) = tokio::sync::mpsc::unbounded_channel();
    let world = Arc::new(World::new(queue, demand));
    let intake = Intake {
        client: client.clone(),
        world: world.clone(),
        metrics: metrics.clone(),
        namespace: options.namespace.clone(),
    };
    let required: Vec<GroupKind> = SUBJECTS.iter().map(|subject| (&subject.kind).into()).collect();
    for kind in &required {
        world.watched(kind);
    }
    tokio::spawn({
        let intake = intake.clone();
        async move {
            while let Some(kind) = demanded.recv().await {
                tokio::spawn(intake.clone().watch(kind));
            }
        }
    });

    let decider = Arc::new(decider(&options, client.clone(), world.clone(), policy.clone(), metrics.clone())?);
    let ready = Arc::new(AtomicBool::new(false));
    let listener = tokio::net::TcpListener::bind(&options.listen).await.context(options.listen.clone())?;
    tracing::info!(address = %listener.local_addr()?, policy = policy.current().digest, mode = ?options.mode, "watching");
    tokio::spawn(http::serve(listener, decider.clone(), ready.clone()));
    tokio::spawn({
        let (world, decider) = (world.clone(), decider.clone());
        let changed = move || decider.memory().keys().for_each(|key| world.wake_in(key.clone(), Duration::ZERO));
        policy.keep_fresh(metrics.clone(), changed)
    });

    let (open, gate) = watch::channel(false);
    let (stopping, stop) = watch::channel(false);
    let leading = Arc::new(AtomicBool::new(!options.leader_elect));
    tokio::spawn(gate::keep(world, Workloads::new(intake), required, ready, leading.clone(), open));
    let candidate = options.leader_elect.then(|| candidate(&options, client));
    let (releasing, release) = watch::channel(false);
    let mut election = tokio::spawn(leader::elect(candidate, leading, metrics, stopped(release)));
    let turns =
        schedule::run(requests, gate, options.concurrency, move |key| decider.clone().decide(key), stopped(stop));
    let mut turns = std::pin::pin!(turns);
    tokio::select! {
        () = &mut turns => anyhow::bail!("the queue ended"),
        lost = &mut election => return lost?,
        () = signalled() => tracing::info!("stopping"),
    }
    // What is running ends first; only then may another replica lead.
    let _ = stopping.send(true);
    turns.await;
    let _ = releasing.send(true);
    election.await?
}

fn decider(
    options: &Options,
    client: Client,
    world: Arc<World>,
    policy: Arc<Policy>,
    metrics: Arc<Metrics>,
) -> Result<Decider> {
    let applier = (options.mode == Mode::Apply).then(|| {
        let field_manager = options.field_manager.clone();
        let reporter = Reporter { controller: field_manager.clone(), instance: Some(Options::identity()) };
        let recorder = Recorder::new(client.clone(), reporter);
        let applier = Applier { client, world: world.clone(), metrics: metrics.clone(), field_manager };
        (applier, Events { recorder, metrics: metrics.clone() })
    });
    let log = options.decision_log.as_ref().map(|path| {
        DecisionLog::open(path, options.decision_log_max_bytes).with_context(|| path.display().to_string())
    });
    Ok(Decider {
        world,
        policy,
        metrics,
        log: log.transpose()?,
        applier,
        manner: question::Manner { profile: options.profile.clone(), explain: options.explain },
        ahead: options.ahead,
        watch_filter: options.watch_filter.clone(),
        memory: std::sync::Mutex::default(),
    })
}

fn candidate(options: &Options, client: Client) -> Candidate {
    Candidate {
        namespace: options.lease_namespace.clone().unwrap_or_else(|| client.default_namespace().to_owned()),
        client,
        name: options.lease_name.clone(),
        identity: Options::identity(),
        duration: Duration::from_secs(options.lease_seconds),
    }
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
