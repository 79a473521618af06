//! When decisions may be made, which kinds are watched, and which workload clusters are connected to.

use super::cache::Cache;
use super::intake::Intake;
use super::key::GroupKind;
use super::leader::Leadership;
use super::progress::Progress;
use super::server_probe::Answers;
use super::steady::Steady;
use super::workload::Workloads;
use super::writers::Writers;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// How often it is checked which Clusters there are and whether everything is current.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// How often it is checked which kinds are still referred to, in looks: a minute.
const SWEEP_EVERY: u32 = 300;

/// Why this replica is not ready; empty when it is.
pub struct Readiness(Mutex<String>);

impl Default for Readiness {
    fn default() -> Self {
        Self(Mutex::new("starting".to_owned()))
    }
}

impl Readiness {
    fn set(&self, why: String) {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if *current != why {
            match &*why {
                "" => tracing::info!("ready"),
                why => tracing::warn!(why, "not ready: nothing is decided"),
            }
            *current = why;
        }
    }

    /// `None` when it is ready.
    pub fn why_not(&self) -> Option<String> {
        let why = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (!why.is_empty()).then_some(why)
    }
}

/// What the gate depends on.
pub struct Gate {
    pub intake: Intake,
    pub workloads: Workloads,
    /// Kinds that stay watched, referred to or not.
    pub kept: BTreeSet<GroupKind>,
    pub answers: Arc<Answers>,
    pub steady: Arc<Steady>,
    pub leadership: Arc<Leadership>,
    pub progress: Arc<Progress>,
    pub readiness: Arc<Readiness>,
    /// What was written where, when anything is written.
    pub writers: Option<Arc<Writers>>,
}

impl Gate {
    /// Opens the gate to decisions while everything is current and we lead; keeps a connection to every Cluster.
    pub async fn keep(self, open: watch::Sender<bool>) {
        let kind = GroupKind::new("cluster.x-k8s.io", "Cluster");
        let mut looks = 0_u32;
        loop {
            self.progress.loops("the gate");
            let cache = &self.intake.cache;
            self.workloads.keep(&cache.keys(&kind));
            let missing = self.answers.why_not().or_else(|| cache.kinds.missing(&self.intake.required));
            let missing = missing.or_else(|| self.steady.doubt());
            let wanted = missing.is_none() && self.leadership.holds();
            self.readiness.set(missing.unwrap_or_default());
            open.send_if_modified(|open| std::mem::replace(open, wanted) != wanted);
            looks = looks.wrapping_add(1);
            if looks.is_multiple_of(SWEEP_EVERY) {
                self.sweep(cache);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Drops what nobody needs any more.
    fn sweep(&self, cache: &Cache) {
        cache.drop_empty_fleets();
        let wanted: Option<Vec<_>> = cache.all_fleets().iter().map(|fleet| fleet.wanted()).collect();
        // While one of the fleets is busy, nobody knows; there will be another time.
        if let Some(wanted) = wanted {
            let wanted = wanted.into_iter().flatten().chain(self.kept.iter().cloned()).collect();
            for kind in cache.kinds.unwanted(&wanted) {
                tracing::info!(kind = %kind.kind, group = %kind.group, "nobody refers to this kind any more");
                self.intake.stop(&kind);
            }
        }
        if let Some(writers) = &self.writers {
            writers.retain(|key| cache.get(key).is_some());
        }
    }
}
