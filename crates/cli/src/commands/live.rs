//! Objects straight from a cluster, where no file is named.

use super::policy;
use crate::render;
use anyhow::Result;
use capi_policy_controller::ServerList;
use capi_policy_controller::live::{Live, Namespaces, Target};
use capi_policy_controller::profile::{AUTO, Profiles};
use capi_policy_host::{Fleet, PolicyEngine};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

/// Which cluster, and how much of it.
#[derive(clap::Args)]
#[command(next_help_heading = "Options for a cluster")]
pub struct LiveArgs {
    /// Read this namespace [default: that of the context]
    #[arg(short, long, conflicts_with = "files")]
    namespace: Option<String>,
    /// Read all namespaces
    #[arg(short = 'A', long, conflicts_with_all = ["files", "namespace"])]
    all_namespaces: bool,
    /// The kubeconfig [default: as kubectl takes it]
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig [default: the current one]
    #[arg(long, value_name = "NAME", conflicts_with = "files")]
    context: Option<String>,
    /// Which servers the kubeconfig Secrets of workload clusters may lead to: HOST, HOST:PORT, *.DOMAIN or a network
    /// like 10.0.0.0/8 [default: any]
    #[arg(long, value_name = "SERVER,…")]
    workload_servers: Option<ServerList>,
    /// Show it again whenever it changes, until Ctrl-C
    #[arg(short, long, conflicts_with = "files")]
    pub watch: bool,
}

/// The objects of a cluster in a fleet.
pub struct LiveObjects {
    /// The objects.
    pub fleet: Fleet,
    /// Which rules apply to them.
    pub profiles: Profiles,
    live: Live,
    notes: Vec<String>,
}

impl LiveArgs {
    /// Reads everything that decisions need. The profile is that of the installed release where none is named.
    pub fn read(&self, engine: &PolicyEngine, profile: Option<&str>) -> Result<LiveObjects> {
        let namespaces = match &self.namespace {
            _ if self.all_namespaces => Namespaces::All,
            Some(namespace) => Namespaces::One(namespace.clone()),
            None => Namespaces::OfContext,
        };
        let target = Target {
            kubeconfig: self.kubeconfig.clone(),
            context: self.context.clone(),
            namespaces,
            workload_servers: self.workload_servers.clone().unwrap_or_default(),
        };
        let live = Live::connect(&target)?;
        let profiles = if let Some(profile) = profile.filter(|profile| *profile != AUTO) {
            Profiles::named(profile)
        } else {
            let (profiles, doubts) = live.profiles(&policy::catalog(engine)?.profiles)?;
            for doubt in doubts {
                render::note(&format!("{doubt}; --profile names others"));
            }
            profiles
        };
        let mut objects = LiveObjects { fleet: engine.fleet(), profiles, live, notes: Vec::new() };
        objects.live.read(&mut objects.fleet)?;
        objects.note();
        Ok(objects)
    }
}

impl LiveObjects {
    /// Waits until objects change, or long enough that times look different.
    pub fn follow(&mut self) -> Result<()> {
        let within = Duration::from_secs(if std::io::stdout().is_terminal() { 1 } else { 10 });
        self.live.follow(&mut self.fleet, within)?;
        self.note();
        Ok(())
    }

    /// That there is nothing to evaluate, and what to do about it.
    pub fn none(&self) -> String {
        let unread = self.live.unread();
        match self.live.namespace() {
            _ if !unread.is_empty() => format!("nothing could be read:\n  {}", unread.join("\n  ")),
            Some(namespace) => format!("no objects of Cluster API in namespace {namespace}; -A reads all namespaces"),
            None => "no objects of Cluster API in this cluster; --context names another one".to_owned(),
        }
    }

    /// What a person should know before believing the result, each once.
    fn note(&mut self) {
        let unread = self.live.unread();
        for unread in unread.iter().filter(|unread| !self.notes.contains(unread)) {
            render::note(&format!("not read, so what the objects last said counts: {unread}"));
        }
        self.notes = unread;
    }
}
