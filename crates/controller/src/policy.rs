//! The policy that decides, and its replacement while the program runs.

use super::key::GroupKind;
use super::memory::digest;
use super::metrics::Metrics;
use anyhow::{Context, Result};
use capi_policy::fleet as native;
use capi_policy_host::{self as host, EngineError, FleetEngine, How, ObjectName, Options, Scope};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// How often the file is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// A policy and the digest of its bytes.
pub struct Loaded {
    engine: Option<Arc<FleetEngine>>,
    pub digest: String,
}

impl Loaded {
    /// A fleet without any object.
    pub fn fleet(&self) -> Fleet {
        match &self.engine {
            Some(engine) => Fleet::Sandboxed(Box::new(engine.fleet())),
            None => Fleet::Native(Box::default()),
        }
    }

    /// The profiles that it has.
    pub fn profiles(&self) -> Result<Vec<String>> {
        #[derive(Deserialize)]
        struct Catalog {
            profiles: Vec<String>,
        }
        let catalog = match &self.engine {
            Some(engine) => engine.catalog()?,
            None => capi_policy::catalog::json(),
        };
        Ok(serde_json::from_str::<Catalog>(&catalog).context("the policy's catalog")?.profiles)
    }

    /// The policy that is part of this program.
    pub fn native() -> Self {
        Self { engine: None, digest: digest(&["native ", env!("CARGO_PKG_VERSION")]) }
    }
}

/// A fleet, in its sandbox or without.
pub enum Fleet {
    Sandboxed(Box<host::Fleet>),
    Native(Box<native::Fleet>),
}

impl Fleet {
    pub fn upsert(&mut self, name: ObjectName, text: Arc<str>) -> Result<(), EngineError> {
        match self {
            Self::Sandboxed(fleet) => fleet.upsert(name, text),
            Self::Native(fleet) => Ok(fleet.upsert(&*text, name.workload_cluster)?),
        }
    }

    pub fn remove(&mut self, name: &ObjectName) -> Result<(), EngineError> {
        match self {
            Self::Sandboxed(fleet) => fleet.remove(name),
            Self::Native(fleet) => Ok(native::json::remove(fleet, &json!(name).to_string())?),
        }
    }

    pub fn mark(&mut self, scope: Scope, complete: bool) -> Result<(), EngineError> {
        match self {
            Self::Sandboxed(fleet) => fleet.mark(scope, complete),
            Self::Native(fleet) => Ok(native::json::mark(fleet, &json!(scope).to_string(), complete)?),
        }
    }

    /// Reports facts about an object, or about the workload cluster when that alone is named.
    pub fn observe(&mut self, about: ObjectName, facts: String) -> Result<(), EngineError> {
        match self {
            Self::Sandboxed(fleet) => fleet.observe(about, facts),
            Self::Native(fleet) => Ok(native::json::observe(fleet, &json!(about).to_string(), &facts)?),
        }
    }

    /// The kinds to list in the management cluster.
    pub fn wanted(&mut self) -> Result<Wanted, EngineError> {
        let wanted = match self {
            Self::Sandboxed(fleet) => fleet.wanted()?,
            Self::Native(fleet) => native::json::wanted(fleet),
        };
        Wanted::parse(&wanted)
    }

    /// The objects that have to be evaluated by now.
    pub fn due(&mut self, now: &str) -> Result<Vec<ObjectName>, EngineError> {
        match self {
            Self::Sandboxed(fleet) => fleet.due(now),
            Self::Native(fleet) => {
                let due = native::json::due(fleet, &json!({ "now": now }).to_string())?;
                serde_json::from_str(&due).map_err(|error| invalid(&error))
            }
        }
    }

    /// The decision about an object as JSON.
    pub fn evaluate(&mut self, name: &ObjectName, how: How<'_>) -> Result<String, EngineError> {
        match self {
            Self::Sandboxed(fleet) => fleet.evaluate(name, how),
            Self::Native(fleet) => {
                let ObjectName { kind, namespace, name, .. } = name;
                let How { now, profile, explain } = how;
                let request = json!({
                    "kind": kind, "namespace": namespace, "name": name, "now": now, "profile": profile, "explain": explain,
                });
                Ok(native::json::evaluate(fleet, &request.to_string())?)
            }
        }
    }
}

/// What a fleet wants to be told of.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Kinds of the management cluster.
    pub kinds: BTreeSet<GroupKind>,
    /// The static Pods of its workload cluster.
    pub static_pods: bool,
}

impl Wanted {
    /// Reads a fleet's answer.
    pub fn parse(wanted: &str) -> Result<Self, EngineError> {
        #[derive(Deserialize)]
        struct Answer {
            kinds: Vec<WantedKind>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct WantedKind {
            #[serde(default)]
            group: String,
            kind: String,
            workload_cluster: Option<IgnoredAny>,
        }
        let answer: Answer = serde_json::from_str(wanted).map_err(|error| invalid(&error))?;
        let mut wanted = Self::default();
        for WantedKind { group, kind, workload_cluster } in answer.kinds {
            let kind = GroupKind::new(&group, &kind);
            if workload_cluster.is_none() {
                wanted.kinds.insert(kind);
            } else {
                wanted.static_pods |= kind == GroupKind::pod();
            }
        }
        Ok(wanted)
    }
}

fn invalid(error: &serde_json::Error) -> EngineError {
    EngineError::InvalidAnswer { detail: error.to_string(), source: None }
}

/// Gets the bytes behind a reference.
pub type Read = dyn Fn(&str) -> Result<Vec<u8>> + Send + Sync;

/// Where the policy comes from.
#[derive(Clone)]
pub struct Source {
    /// A file, or whatever else `read` understands; none: the library in this program. A file is read again when it
    /// changes.
    pub reference: Option<String>,
    /// Gets the bytes behind the reference; refuses what is not to be trusted.
    pub read: Arc<Read>,
}

/// The policy in use. A decision that has begun keeps the one it began with.
pub struct Policy {
    source: Source,
    current: RwLock<Arc<Loaded>>,
}

impl Policy {
    pub fn load(source: Source) -> Result<Self> {
        let current = RwLock::new(Arc::new(load(&source)?));
        Ok(Self { source, current })
    }

    pub fn current(&self) -> Arc<Loaded> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reloads at SIGHUP and when the file changes, and calls `changed` when another policy decides from now on.
    pub async fn keep_fresh(self: Arc<Self>, metrics: Arc<Metrics>, changed: impl Fn()) -> Result<()> {
        let mut hangup: Signal = signal(SignalKind::hangup())?;
        let mut seen = self.modified();
        loop {
            tokio::select! {
                _ = hangup.recv() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {
                    let modified = self.modified();
                    if modified == seen {
                        continue;
                    }
                    seen = modified;
                }
            }
            let policy = self.clone();
            match tokio::task::spawn_blocking(move || load(&policy.source)).await? {
                Ok(loaded) if loaded.digest == self.current().digest => {}
                Ok(loaded) => {
                    tracing::info!(digest = loaded.digest, "policy reloaded");
                    metrics.policy(&loaded.digest);
                    *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(loaded);
                    changed();
                }
                Err(error) => {
                    metrics.reload_failed();
                    tracing::error!(error = format!("{error:#}"), "policy not reloaded; the old one goes on");
                }
            }
        }
    }

    fn modified(&self) -> Option<SystemTime> {
        Path::new(self.source.reference.as_deref()?).metadata().and_then(|metadata| metadata.modified()).ok()
    }
}

fn load(source: &Source) -> Result<Loaded> {
    let Some(reference) = &source.reference else { return Ok(Loaded::native()) };
    let engine = FleetEngine::from_bytes(&(source.read)(reference)?, &Options::default())
        .with_context(|| format!("policy {reference}"))?;
    let digest = engine.about().digest().to_owned();
    Ok(Loaded { engine: Some(engine), digest })
}
