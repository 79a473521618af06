//! One object's turn: ask the policy, compare, write down, carry out, and say when to come back.

use super::apply::{Applier, CREATE, Written};
use super::clock;
use super::decision::{Action, Decision, Event};
use super::decision_log::{DecisionLog, Record};
use super::differences::{Comparison, compare, is_controllers_own};
use super::events::Events;
use super::key::Key;
use super::memory::{Memory, essence, rows};
use super::metrics::Metrics;
use super::question::{Asked, Manner, Question};
use super::refusal::{Refusal, backoff};
use super::reload::Policy;
use super::world::World;
use kube::ResourceExt;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The label with which Cluster API's controllers share a management cluster.
const WATCH_FILTER: &str = "cluster.x-k8s.io/watch-filter";
/// How often the policy's own wish to come back may make us.
const AT_LEAST: Duration = Duration::from_millis(100);

/// Decides.
pub struct Decider {
    pub world: Arc<World>,
    pub policy: Arc<Policy>,
    pub metrics: Arc<Metrics>,
    pub log: Option<DecisionLog>,
    /// None: only observe.
    pub applier: Option<(Applier, Events)>,
    pub manner: Manner,
    /// How far ahead of the present decisions are made.
    pub ahead: Duration,
    pub watch_filter: Option<String>,
    /// Machines are decided about as well, and write their own conditions.
    pub machines_decide: bool,
    pub memory: Mutex<BTreeMap<Key, Memory>>,
}

impl Decider {
    pub fn memory(&self) -> MutexGuard<'_, BTreeMap<Key, Memory>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides about one object, and sees to it that its next turn comes.
    pub async fn decide(self: Arc<Self>, key: Key) {
        let mut memory = self.memory().get(&key).cloned().unwrap_or_default();
        // A refusal is told before it is tried again, however late this turn comes.
        let retry_refused = memory.refused && memory.told && memory.due.is_some_and(|due| due <= clock::now());
        let question = match self.world.ask(&key, memory.refused && !retry_refused) {
            Asked::Ready(question) if self.looks_after(&question) => question,
            Asked::NotYet => return,
            _ => return self.forget(&key),
        };
        let due = memory.due.is_some_and(|due| due <= clock::now());
        let policy = self.policy.current();
        let snapshot = question.digest(&policy.digest, &BTreeMap::new());
        if snapshot == memory.snapshot && !due {
            return self.come_back(&key, memory.due);
        }
        let question = Arc::new(*question);
        let now = clock::seconds(clock::now() + self.ahead);
        let (answer, took) = policy.evaluate(&self.world, &question, &self.manner, now).await;
        let decision: Result<(Decision, serde_json::Value), String> = answer.and_then(|json| {
            let value: serde_json::Value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
            Ok((Decision::parse(&value, self.machines_decide).map_err(|error| error.to_string())?, value))
        });
        let (mut decision, value) = match decision {
            Ok(decision) => decision,
            Err(error) => {
                self.metrics.evaluated(&key.kind.kind, "error", took);
                tracing::error!(%key, error, "the policy could not decide; everything stays as it is");
                memory.snapshot = snapshot;
                memory.failures = memory.failures.saturating_add(1);
                self.metrics.retried("evaluation");
                memory.due = clock::now().checked_add(backoff(memory.failures).max(AT_LEAST)).ok();
                self.come_back(&key, memory.due);
                self.memory().insert(key, memory);
                return;
            }
        };
        self.metrics.evaluated(&key.kind.kind, if decision.error.is_some() { "incomplete" } else { "decided" }, took);
        self.note_comparison(&key, &mut memory, compare(&key, &question, &decision));
        decision.conditions.retain(|condition| !is_controllers_own(&key.kind.kind, &condition.kind));

        let essence = essence(&value);
        let new = essence != memory.decision;
        let written = self.carry_out(&key, &question, &decision, &mut memory, retry_refused).await;
        let rows = rows(&decision, &value);
        if new || written.iter().any(|written| written.result == "done") {
            tracing::info!(%key, ?rows, differences = memory.comparison.differences.len(), "decided");
            if let Some(log) = &self.log {
                log.decision(&Record {
                    time: clock::now(),
                    key: &key,
                    uid: question.object.object.uid().unwrap_or_default(),
                    policy: &policy.digest,
                    profile: &self.manner.profile,
                    snapshot: &snapshot,
                    decision: &value,
                    rows,
                    changed: &memory.comparison.differences,
                    written: &written,
                })
                .await;
            }
        }
        memory.decision = essence;
        let settled = settled(&memory.comparison, &written);
        if !settled.is_empty() && written.iter().all(|written| written.refusal.is_none()) {
            let agreed = Comparison { differences: Vec::new(), ..memory.comparison };
            self.note_comparison(&key, &mut memory, agreed);
        }
        memory.snapshot = if settled.is_empty() { snapshot } else { question.digest(&policy.digest, &settled) };
        memory.due = self.next_turn(&decision, &written, &mut memory);
        self.come_back(&key, memory.due);
        self.memory().insert(key, memory);
    }

    async fn carry_out(
        &self,
        key: &Key,
        question: &Question,
        decision: &Decision,
        memory: &mut Memory,
        rehearse: bool,
    ) -> Vec<Written> {
        let Some((applier, events)) = &self.applier else { return Vec::new() };
        let written = applier.apply(key, question, decision, rehearse).await;
        let new: BTreeSet<Event> = decision.events.iter().cloned().collect();
        for event in new.difference(&memory.events) {
            events.record(key, question, event).await;
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
                self.world.wake_in(key.clone(), Duration::ZERO);
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
        let retry = failed.then(|| soonest.unwrap_or_else(|| backoff(memory.failures)));
        let change = decision.next_change.map(|moment| clock::until(moment).saturating_sub(self.ahead).max(AT_LEAST));
        let wish = decision.requeue_after_seconds.map(|seconds| Duration::from_secs(seconds).max(AT_LEAST));
        let after = [retry, change, wish].into_iter().flatten().min()?;
        clock::now().checked_add(after).ok()
    }

    fn come_back(&self, key: &Key, due: Option<jiff::Timestamp>) {
        if let Some(due) = due {
            let after = Duration::try_from(due.duration_since(clock::now())).unwrap_or_default();
            self.world.wake_in(key.clone(), after);
        }
    }

    fn looks_after(&self, question: &Question) -> bool {
        let label = question.object.object.labels().get(WATCH_FILTER);
        self.watch_filter.as_ref().is_none_or(|filter| label == Some(filter))
    }

    fn forget(&self, key: &Key) {
        self.policy.current().forget(key);
        if let Some(mut memory) = self.memory().remove(key) {
            self.note_comparison(key, &mut memory, Comparison::default());
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

/// What a decision has left behind is nothing new: the same would be decided again. Only a pause and its end are noted
/// before anything else is looked at.
fn settled(comparison: &Comparison, written: &[Written]) -> BTreeMap<Key, [u8; 32]> {
    let paused = comparison.differences.iter().any(|difference| difference.what == "Paused");
    written.iter().filter(|_| !paused).filter_map(|written| written.left.clone()).collect()
}
