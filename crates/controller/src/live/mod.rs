//! The objects of a cluster as they are now, in a fleet: for commands that evaluate without running a controller. The fleet
//! says what it wants, so no relation is known here. Reads only.

mod feed;
mod wanted;

use self::feed::{Feed, Source};
use self::wanted::Wanted;
use crate::client;
use crate::profile::{self, Profiles};
use crate::server_list::ServerList;
use anyhow::{Context, Result, anyhow};
use capi_policy_host::{EngineError, Fleet, ObjectName, Scope};
use futures::StreamExt;
use futures::future::join_all;
use futures::stream::{BoxStream, SelectAll};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::DynamicObject;
use kube::runtime::watcher;
use kube::{Client, Config};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error as _;
use std::path::PathBuf;
use std::time::Duration;
use tokio::runtime::Runtime;

/// Changes that come this close together are one.
const TOGETHER: Duration = Duration::from_millis(200);
/// How often it is checked whether a list takes too long.
const LOOK_EVERY: Duration = Duration::from_secs(1);

type Event = Result<watcher::Event<DynamicObject>, watcher::Error>;

/// Which objects to read.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// The kubeconfig; none: the one that kubectl takes.
    pub kubeconfig: Option<PathBuf>,
    /// The context of it; none: the current one.
    pub context: Option<String>,
    /// Where they are.
    pub namespaces: Namespaces,
    /// Which servers kubeconfig Secrets may lead to.
    pub workload_servers: ServerList,
}

/// Where objects are.
#[derive(Clone, Debug, Default)]
pub enum Namespaces {
    /// In the namespace of the context.
    #[default]
    OfContext,
    /// In this one.
    One(String),
    /// In all.
    All,
}

/// A cluster that is read.
pub struct Live {
    runtime: Runtime,
    client: Client,
    server: String,
    /// None: all.
    namespace: Option<String>,
    servers: ServerList,
    feeds: BTreeMap<Scope, Feed>,
    events: SelectAll<BoxStream<'static, (Scope, Event)>>,
    /// Objects that the policy can't read, with the reason.
    malformed: BTreeMap<ObjectName, String>,
}

impl Live {
    /// Gets ready to read; nothing is read yet.
    pub fn connect(target: &Target) -> Result<Self> {
        // Another part of the program may have installed it: that is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let config = runtime.block_on(config(target));
        let config =
            config.context("no cluster to read from; name files with -f, or a kubeconfig with --kubeconfig")?;
        let server = config.cluster_url.to_string();
        let namespace = match &target.namespaces {
            Namespaces::OfContext => Some(config.default_namespace.clone()),
            Namespaces::One(namespace) => Some(namespace.clone()),
            Namespaces::All => None,
        };
        let client = {
            let _within = runtime.enter();
            client::guarded(client::connect(config, client::MANAGEMENT)?, || Err("reads only".to_owned()))
        };
        let servers = target.workload_servers.clone();
        let (feeds, events, malformed) = (BTreeMap::new(), SelectAll::new(), BTreeMap::new());
        Ok(Self { runtime, client, server, namespace, servers, feeds, events, malformed })
    }

    /// The namespace that is read; none: all of them.
    pub fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// The rules of the release that is installed, of those that the policy knows, and what speaks against them.
    pub fn profiles(&self, known: &[String]) -> Result<(Profiles, Vec<String>)> {
        let installed = self.runtime.block_on(profile::installed(&self.client, known));
        installed.with_context(|| {
            format!("asking {} what is installed; --context names another cluster, -f names files", self.server)
        })
    }

    /// Reads what the fleet wants, and what that makes it want, until there is no more.
    pub fn read(&mut self, fleet: &mut Fleet) -> Result<()> {
        loop {
            let wanted = Wanted::of(fleet)?;
            let scopes = wanted.scopes(self.namespace.as_deref());
            let new: Vec<_> = scopes.into_iter().filter(|scope| !self.feeds.contains_key(scope)).collect();
            if new.is_empty() {
                return Ok(());
            }
            let source = Source { client: &self.client, servers: &self.servers };
            let opened = self.runtime.block_on(join_all(new.iter().map(|scope| source.open(scope))));
            for (scope, opened) in new.into_iter().zip(opened) {
                let (feed, events) = Feed::new(opened, wanted.refers_to(&scope));
                fleet.mark(scope.clone(), feed.is_complete())?;
                self.feeds.insert(scope.clone(), feed);
                self.events.extend(events.map(|events| events.map(move |event| (scope.clone(), event)).boxed()));
            }
            while self.feeds.values().any(Feed::is_reading) {
                let next = self.runtime.block_on(async { tokio::time::timeout(LOOK_EVERY, self.events.next()).await });
                match next {
                    Ok(Some((scope, event))) => self.take(fleet, &scope, event)?,
                    Ok(None) => break,
                    Err(_) => {
                        for (scope, feed) in &mut self.feeds {
                            feed.is_given_up(scope, 0);
                        }
                    }
                }
            }
        }
    }

    /// Takes in what changes within that time; whether anything did.
    pub fn follow(&mut self, fleet: &mut Fleet, within: Duration) -> Result<bool> {
        let (mut changed, mut left) = (false, within);
        while let Ok(Some((scope, event))) =
            self.runtime.block_on(async { tokio::time::timeout(left, self.events.next()).await })
        {
            changed = true;
            left = TOGETHER;
            self.take(fleet, &scope, event)?;
        }
        if changed {
            self.read(fleet)?;
        }
        Ok(changed)
    }

    /// What could not be read, and why, in words.
    pub fn unread(&self) -> Vec<String> {
        let feeds = self.feeds.iter().filter_map(|(scope, feed)| Some(format!("{}: {}", label(scope), feed.failed()?)));
        let malformed = self.malformed.iter().map(|(name, why)| format!("{} {}: {why}", name.kind, name.name));
        feeds.chain(malformed).collect()
    }

    fn take(&mut self, fleet: &mut Fleet, scope: &Scope, event: Event) -> Result<()> {
        let Some(feed) = self.feeds.get_mut(scope) else { return Ok(()) };
        if feed.is_given_up(scope, 0) {
            return Ok(());
        }
        match event {
            Ok(watcher::Event::Init) => feed.listed = BTreeSet::new(),
            Ok(watcher::Event::InitApply(object) | watcher::Event::Apply(object)) => {
                let (name, text) = feed.object(scope, object)?;
                if feed.is_given_up(scope, text.len()) {
                    return Ok(fleet.mark(scope.clone(), false)?);
                }
                feed.listed.insert(name.clone());
                feed.known.insert(name.clone());
                match fleet.upsert(name.clone(), text) {
                    Ok(()) => drop(self.malformed.remove(&name)),
                    Err(error @ EngineError::Malformed { .. }) => {
                        self.malformed.insert(name, error.to_string());
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            Ok(watcher::Event::InitDone) => {
                for gone in feed.complete() {
                    fleet.remove(&gone)?;
                }
                fleet.mark(scope.clone(), true)?;
            }
            Ok(watcher::Event::Delete(object)) => {
                let (name, _) = feed.object(scope, object)?;
                feed.known.remove(&name);
                self.malformed.remove(&name);
                fleet.remove(&name)?;
            }
            Err(error) => {
                feed.fail(feed::reason(&error));
                fleet.mark(scope.clone(), false)?;
            }
        }
        Ok(())
    }
}

/// How the server is reached: by the file and the context, else as kubectl does or from inside a pod.
async fn config(target: &Target) -> Result<Config> {
    let options = KubeConfigOptions { context: target.context.clone(), ..KubeConfigOptions::default() };
    Ok(match &target.kubeconfig {
        Some(path) => Config::from_custom_kubeconfig(Kubeconfig::read_from(path)?, &options).await?,
        None if target.context.is_some() => Config::from_kubeconfig(&options).await?,
        // That this is no Pod either is nothing that a person at a terminal can use.
        None => Config::infer()
            .await
            .map_err(|error| error.source().map_or_else(|| anyhow!("{error}"), |e| anyhow!("{e}")))?,
    })
}

fn label(scope: &Scope) -> String {
    match (&scope.workload_cluster, &scope.namespace) {
        (Some(cluster), _) => format!("{}s of {}/{}", scope.kind, cluster.namespace, cluster.name),
        (None, Some(namespace)) => format!("{}s in {namespace}", scope.kind),
        (None, None) => format!("{}s", scope.kind),
    }
}
