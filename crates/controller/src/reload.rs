//! The policy that decides, and its replacement while the program runs.

use super::fleets::Fleets;
use super::key::Key;
use super::memory::digest;
use super::metrics::Metrics;
use super::question::{Manner, Question};
use super::world::World;
use anyhow::{Context, Result};
use capi_policy_host::{Engine, FleetEngine, NativeEngine, Options};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// How often the file is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// A policy and the digest of its bytes.
pub struct Loaded {
    judge: Judge,
    pub digest: String,
}

/// Who decides.
enum Judge {
    /// Is told everything each time.
    Stateless(Box<dyn Engine>),
    /// Is told what has changed.
    Fleets(Fleets),
}

impl Loaded {
    /// Asks the policy, off the threads that serve the network.
    pub async fn evaluate(
        self: &Arc<Self>,
        world: &Arc<World>,
        question: &Arc<Question>,
        manner: &Manner,
        now: String,
    ) -> (Result<String, String>, Duration) {
        let (loaded, world, question, manner) = (self.clone(), world.clone(), question.clone(), manner.clone());
        let answer = tokio::task::spawn_blocking(move || {
            let start = instant();
            let answer = match &loaded.judge {
                Judge::Stateless(engine) => {
                    engine.evaluate(&question.snapshot(&manner, &now)).map_err(|error| error.to_string())
                }
                Judge::Fleets(fleets) => fleets.evaluate(&world, &question, &manner, &now),
            };
            (answer, start.elapsed())
        });
        answer.await.unwrap_or_else(|error| (Err(error.to_string()), Duration::ZERO))
    }

    /// An object is gone.
    pub fn forget(self: &Arc<Self>, key: &Key) {
        if matches!(self.judge, Judge::Fleets(_)) {
            let (loaded, key) = (self.clone(), key.clone());
            tokio::task::spawn_blocking(move || {
                if let Judge::Fleets(fleets) = &loaded.judge {
                    fleets.forget(&key);
                }
            });
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "how long the policy takes is a metric")]
fn instant() -> std::time::Instant {
    std::time::Instant::now()
}

/// Where the policy comes from.
#[derive(Clone, Debug)]
pub struct Source {
    /// A file, or whatever else `read` understands; none: the library in this program. A file is read again when it
    /// changes.
    pub reference: Option<String>,
    /// Gets the bytes behind the reference.
    pub read: fn(&str) -> Result<Vec<u8>>,
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
    let Some(reference) = &source.reference else {
        let digest = digest(&["native ", env!("CARGO_PKG_VERSION")]);
        return Ok(Loaded { judge: Judge::Stateless(Box::new(NativeEngine)), digest });
    };
    let policy = FleetEngine::from_bytes(&(source.read)(reference)?, &Options::default())
        .with_context(|| format!("policy {reference}"))?;
    let digest = policy.about().digest().to_owned();
    Ok(Loaded { judge: Judge::Fleets(Fleets::new(policy)), digest })
}
