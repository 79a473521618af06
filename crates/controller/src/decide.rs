//! One object's turn: ask the policy, compare, write down, carry out, and say when to come back.

use super::apply::{Applier, CREATE, Written};
use super::case::Case;
use super::clock;
use super::cluster_fleet::{Request, Turn};
use super::decision::{Action, Decision, Event};
use super::decision_log::{DecisionLog, Record};
use super::differences::{Comparison, SharedCounts, compare};
use super::events::Events;
use super::fleets::Fleets;
use super::foresight::{Fate, Outcome};
use super::key::Key;
use super::memory::{Memory, essence, rows};
use super::metrics::Metrics;
use super::profile::Profiles;
use super::refusal::{Refusal, backoff};
use super::steady::Steady;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often the policy's own wish to come back may make us.
const AT_LEAST: Duration = Duration::from_millis(100);

/// How much later a turn comes for which something has not been read yet.
const LATER: Duration = Duration::from_secs(1);

/// Decides.
pub struct Decider {
    pub fleets: Arc<Fleets>,
    pub metrics: Arc<Metrics>,
    pub log: Option<DecisionLog>,
    /// None: only observe.
    pub applier: Option<(Applier, Events)>,
    pub profiles: Profiles,
    /// Whether decisions say how they were made.
    pub explain: bool,
    /// Whether the time can be believed.
    pub steady: Arc<Steady>,
    pub memory: Mutex<BTreeMap<Key, Memory>>,
    pub counts: SharedCounts,
}

impl Decider {
    pub fn memory(&self) -> MutexGuard<'_, BTreeMap<Key, Memory>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides about one object, and sees to it that its next turn comes.
    pub async fn decide(self: Arc<Self>, key: Key) {
        if self.steady.doubt().is_some() {
            // The gate closes, and opens again when the time is confirmed.
            self.fleets.queue.wake_in(key, LATER);
            return;
        }
        let mut memory = self.remembered(&key);
        let by_time = memory.due.is_some_and(|due| due <= clock::now());
        // Conditions say that a request was refused before it is tried again, however late this turn comes.
        let retry_refused = memory.refused && memory.told && by_time;
        let request = Request {
            key: key.clone(),
            now: clock::seconds(clock::now() + self.fleets.ahead),
            profile: self.profiles.of(&key.kind.kind).to_owned(),
            explain: self.explain,
            refused: memory.refused && !retry_refused,
            by_time,
            expects: !memory.expected.is_empty(),
            machines_decide: self.fleets.kinds.contains("Machine"),
        };
        match self.fleets.decide(request).await {
            // A change makes it due; what was to be tried again by time is tried a little later.
            Turn::NotYet if memory.due.is_some() => self.fleets.queue.wake_in(key, LATER),
            Turn::NotYet => {}
            Turn::Gone => self.forget(&key),
            Turn::NotDue => self.come_back(&key, memory.due),
            Turn::Failed(error, took) => {
                self.metrics.evaluated(&key.kind.kind, "error", took);
                tracing::error!(%key, error, "the policy could not decide; everything stays as it is");
                memory.failures = memory.failures.saturating_add(1);
                self.metrics.retried("evaluation");
                memory.due = clock::now().checked_add(backoff(memory.failures).max(AT_LEAST)).ok();
                self.come_back(&key, memory.due);
                self.memory().insert(key, memory);
            }
            Turn::Decided(case, took) => self.finish(*case, took, memory, retry_refused).await,
        }
    }

    /// What is remembered of this very object.
    fn remembered(&self, key: &Key) -> Memory {
        let uid = self.fleets.cache.get(key).and_then(|entry| entry.uid.clone());
        let memory = self.memory().get(key).cloned();
        if let Some(memory) = memory {
            if memory.uid == uid {
                return memory;
            }
            self.forget(key);
        }
        Memory { uid, ..Memory::default() }
    }

    async fn finish(&self, mut case: Case, took: Duration, mut memory: Memory, rehearse: bool) {
        let kind = case.key.kind.kind.clone();
        self.metrics.evaluated(&kind, if case.decision.error.is_some() { "incomplete" } else { "decided" }, took);
        let mut comparison = compare(&case);
        self.counts.share(&mut comparison.compared);
        self.counts.share(&mut comparison.kept);
        self.note_comparison(&case.key, &mut memory, comparison);
        self.note_owner(&mut case, &mut memory);
        case.decision.leave_to_controllers(&kind);
        self.metrics.outlooks.note(&case.key, &case.value);
        let essence = essence(&case.value);
        let new = essence != memory.decision;
        let written = self.carry_out(&case, &mut memory, rehearse).await;
        if new || written.iter().any(|written| written.result == "done") {
            self.record(&case, &memory, &written).await;
        }
        memory.decision = essence;
        memory.due = self.next_turn(&case.decision, &written, &mut memory);
        self.come_back(&case.key, memory.due);
        self.memory().insert(case.key, memory);
    }

    async fn record(&self, case: &Case, memory: &Memory, written: &[Written]) {
        let Case { key, object, decision, value, policy, .. } = case;
        let (rows, changed) = (rows(decision, value), &*memory.comparison.differences);
        tracing::info!(%key, ?rows, differences = changed.len(), "decided");
        if let Some(log) = &self.log {
            let (time, profile) = (clock::now(), self.profiles.of(&key.kind.kind));
            log.decision(&Record { time, key, object, policy, profile, decision: value, rows, changed, written }).await;
        }
    }

    async fn carry_out(&self, case: &Case, memory: &mut Memory, rehearse: bool) -> Vec<Written> {
        let Some((applier, events)) = &self.applier else { return Vec::new() };
        let decision = &case.decision;
        let written = applier.apply(case, rehearse).await;
        let new: BTreeSet<Event> = decision.events.iter().cloned().collect();
        for event in new.difference(&memory.events) {
            events.record(case, event).await;
        }
        memory.events = new;
        let creates = decision.actions.iter().any(|action| matches!(action, Action::CreateRemediationRequest { .. }));
        let refused = |written: &Written| {
            written.what == CREATE && matches!(written.refusal, Some(Refusal::Invalid | Refusal::Forbidden))
        };
        if creates || rehearse {
            let before = std::mem::replace(&mut memory.refused, written.iter().any(refused));
            if memory.refused && !before {
                // The next turn says so in the conditions.
                memory.told = false;
            }
        } else {
            memory.told = written.iter().all(|written| written.refusal.is_none());
        }
        written
    }

    /// When the object has its next turn if nothing changes.
    fn next_turn(&self, decision: &Decision, written: &[Written], memory: &mut Memory) -> Option<jiff::Timestamp> {
        let refusals = || written.iter().filter_map(|written| written.refusal);
        let failed = decision.error.is_some() || refusals().next().is_some() || memory.refused;
        memory.failures = if failed { memory.failures.saturating_add(1) } else { 0 };
        if refusals().next().is_some() {
            self.metrics.retried("write");
        }
        let soonest = refusals().map(|refusal| refusal.pause(memory.failures)).min();
        let retry = failed.then(|| match (memory.refused && !memory.told, soonest) {
            (true, _) => Duration::ZERO,
            (false, soonest) => soonest.unwrap_or_else(|| backoff(memory.failures)),
        });
        let ahead = self.fleets.ahead;
        let change = decision.next_change.map(|moment| clock::until(moment).saturating_sub(ahead).max(AT_LEAST));
        let wish = decision.requeue_after_seconds.map(|seconds| Duration::from_secs(seconds).max(AT_LEAST));
        let after = [retry, change, wish].into_iter().flatten().min()?;
        clock::now().checked_add(after).ok()
    }

    fn come_back(&self, key: &Key, due: Option<jiff::Timestamp>) {
        if let Some(due) = due {
            let after = Duration::try_from(due.duration_since(clock::now())).unwrap_or_default();
            self.fleets.queue.wake_in(key.clone(), after);
        }
    }

    /// Plans everything again that is to happen at a time: timers count what passes, and the clock has moved.
    pub fn plan_again(&self) {
        let due: Vec<_> = self.memory().iter().map(|(key, memory)| (key.clone(), memory.due)).collect();
        for (key, due) in due {
            self.come_back(&key, due);
        }
        self.fleets.cache.refresh_all();
    }

    fn forget(&self, key: &Key) {
        self.metrics.outlooks.forget(key);
        if let Some(mut memory) = self.memory().remove(key) {
            self.note_comparison(key, &mut memory, Comparison::default());
        }
    }

    /// Compares what the owner does with what it was expected to do.
    fn note_owner(&self, case: &mut Case, memory: &mut Memory) {
        for Outcome { step, object, fate } in memory.expected.update(&case.value, std::mem::take(&mut case.owned)) {
            self.metrics.owner_step(&case.key.kind.kind, step, fate.name());
            let key = &case.key;
            if fate == Fate::DidNot {
                tracing::warn!(%key, step, object, "the owner did something else than was expected");
            } else {
                tracing::info!(%key, step, object, fate = fate.name(), "what the owner does");
            }
        }
    }

    fn note_comparison(&self, key: &Key, memory: &mut Memory, now: Comparison) {
        for gone in memory.comparison.differences.iter().filter(|old| !now.differences.contains(old)) {
            self.metrics.differs(&gone.kind, &gone.what, false);
        }
        for new in now.differences.iter().filter(|new| !memory.comparison.differences.contains(new)) {
            self.metrics.differs(&new.kind, &new.what, true);
            let stored = new.stored.as_deref().unwrap_or("nothing");
            tracing::info!(%key, object = new.name, what = new.what, stored, decided = new.decided, row = new.row, "difference");
        }
        memory.comparison = now;
    }
}
