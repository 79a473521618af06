//! Who is decided when: kube's scheduler merges bursts and holds back what is being decided already. Whoever is due takes
//! a place in the line of its workload cluster, and the clusters take turns, so that a large one holds up no other.

use super::clock;
use super::key::Key;
use super::metrics::Metrics;
use super::progress::Progress;
use futures::channel::mpsc;
use futures::{FutureExt, StreamExt};
use kube::runtime::scheduler::{ScheduleRequest, scheduler};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// An object backs off as long as its turn took, so that changes merge when the server is slow; but no longer than this.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// How often it comes round when nothing happens.
const TICK: Duration = Duration::from_secs(1);

/// Where objects are enqueued.
#[derive(Clone)]
pub struct Queue(mpsc::UnboundedSender<ScheduleRequest<Key>>);

impl Queue {
    pub fn new() -> (Self, mpsc::UnboundedReceiver<ScheduleRequest<Key>>) {
        let (requests, receiver) = mpsc::unbounded();
        (Self(requests), receiver)
    }

    /// Gives an object a turn after a while, or sooner if something changes.
    pub fn wake_in(&self, key: Key, after: Duration) {
        let run_at = clock::instant().checked_add(after).unwrap_or_else(clock::instant);
        // Nobody listens any more only when the program ends.
        let _ = self.0.unbounded_send(ScheduleRequest { message: key, run_at });
    }
}

/// How many turns there are at a time, and whose.
pub struct Turns<L> {
    pub limit: usize,
    /// The line of an object: objects of one line share the turns that the line gets.
    pub line_of: L,
    pub progress: Arc<Progress>,
    pub metrics: Arc<Metrics>,
}

impl<L: Fn(&Key) -> Arc<str>> Turns<L> {
    /// Runs `decide` for each object that is due while the gate is open, never two at a time for one object. Ends, after
    /// what is running has ended, when `stop` does.
    pub async fn run<F: Future<Output = ()> + Send + 'static>(
        self,
        requests: mpsc::UnboundedReceiver<ScheduleRequest<Key>>,
        mut gate: watch::Receiver<bool>,
        decide: impl Fn(Key) -> F,
        stop: impl Future<Output = ()>,
    ) {
        let mut scheduler = pin!(scheduler(requests));
        let mut stop = pin!(stop);
        let mut lines = Lines::new(self.limit);
        // Those that are being decided, and those that back off.
        let mut busy = BTreeSet::new();
        let (mut turns, mut pauses) = (JoinSet::new(), JoinSet::new());
        let mut tick = tokio::time::interval(TICK);
        loop {
            self.progress.loops("the schedule");
            while *gate.borrow_and_update() && turns.len() < self.limit {
                let Some((line, key, waited)) = lines.next() else { break };
                self.metrics.waited(waited);
                busy.insert(key.clone());
                self.progress.decision_begun();
                turns.spawn(turn(line, key.clone(), decide(key)));
            }
            self.metrics.queue(lines.len(), lines.oldest());
            let due =
                poll_fn(|context| scheduler.as_mut().hold_unless(|key| !busy.contains(key)).poll_next_unpin(context));
            tokio::select! {
                () = &mut stop => break,
                Some(ended) = turns.join_next(), if !turns.is_empty() => {
                    self.progress.decision_ended();
                    if let Ok((line, key, took)) = ended {
                        lines.ended(&line);
                        pauses.spawn(tokio::time::sleep(LONGEST_PAUSE.min(took)).map(|()| key));
                    }
                }
                Some(over) = pauses.join_next(), if !pauses.is_empty() => {
                    if let Ok(key) = over {
                        busy.remove(&key);
                    }
                }
                _ = tick.tick() => {}
                changed = gate.changed() => if changed.is_err() { break },
                key = due => {
                    let Some(key) = key else { break };
                    lines.join((self.line_of)(&key), key);
                }
            }
        }
        while turns.join_next().await.is_some() {}
    }
}

/// Returns the object, its line and how long it took. A key that is not given back would never be decided again, so a panic
/// must not take it away.
async fn turn(line: Arc<str>, key: Key, decide: impl Future<Output = ()>) -> (Arc<str>, Key, Duration) {
    let start = clock::instant();
    if AssertUnwindSafe(decide).catch_unwind().await.is_err() {
        tracing::error!(%key, "the decision panicked");
    }
    (line, key, start.elapsed())
}

/// Objects that are due, each once, in the order in which they became so within their line; the lines take turns.
struct Lines {
    waiting: BTreeMap<Key, Instant>,
    by_name: BTreeMap<Arc<str>, Line>,
    /// The lines with objects, in the order of their turns.
    order: VecDeque<Arc<str>>,
    /// How many turns one line may have at a time, so that one whose turns never end leaves some to others.
    share: usize,
}

#[derive(Default)]
struct Line {
    objects: VecDeque<Key>,
    running: usize,
}

impl Lines {
    fn new(limit: usize) -> Self {
        let (waiting, by_name, order) = (BTreeMap::new(), BTreeMap::new(), VecDeque::new());
        Self { waiting, by_name, order, share: limit.div_ceil(2) }
    }

    fn join(&mut self, name: Arc<str>, key: Key) {
        if self.waiting.contains_key(&key) {
            return;
        }
        self.waiting.insert(key.clone(), clock::instant());
        let line = self.by_name.entry(name.clone()).or_default();
        if line.objects.is_empty() {
            self.order.push_back(name);
        }
        line.objects.push_back(key);
    }

    /// The next object, its line, and how long it has waited.
    fn next(&mut self) -> Option<(Arc<str>, Key, Duration)> {
        let may = |name: &Arc<str>| self.by_name.get(name).is_some_and(|line| line.running < self.share);
        let name = self.order.remove(self.order.iter().position(may)?)?;
        let line = self.by_name.get_mut(&name)?;
        let key = line.objects.pop_front()?;
        line.running = line.running.saturating_add(1);
        if !line.objects.is_empty() {
            self.order.push_back(name.clone());
        }
        let waited = self.waiting.remove(&key).map(|since| since.elapsed()).unwrap_or_default();
        Some((name, key, waited))
    }

    /// A turn of the line has ended.
    fn ended(&mut self, name: &Arc<str>) {
        if let Some(line) = self.by_name.get_mut(name) {
            line.running = line.running.saturating_sub(1);
            if line.running == 0 && line.objects.is_empty() {
                self.by_name.remove(name);
            }
        }
    }

    fn len(&self) -> usize {
        self.waiting.len()
    }

    /// How long the first of any line has waited.
    fn oldest(&self) -> Duration {
        let firsts = self.by_name.values().filter_map(|line| line.objects.front());
        firsts.filter_map(|key| self.waiting.get(key)).min().map(Instant::elapsed).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Queue, Turns};
    use crate::key::{GroupKind, Key};
    use crate::metrics::Metrics;
    use crate::progress::Progress;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;
    use tokio::sync::watch;
    use tokio::time::sleep;

    fn machine(name: &str) -> Key {
        Key::new(GroupKind::new("cluster.x-k8s.io", "Machine"), "ns", name)
    }

    /// The names of those that had a turn, in order, when turns take a tenth of a second, `limit` at a time, and each asks
    /// for another. The first letter of a name is its line.
    async fn turns(names: &[&str], limit: usize, seconds: u64) -> Vec<String> {
        let (queue, requests) = Queue::new();
        for name in names {
            queue.wake_in(machine(name), Duration::ZERO);
        }
        let (_open, gate) = watch::channel(true);
        let had = Arc::new(Mutex::new(Vec::new()));
        let decide = |key: Key| {
            had.lock().expect("a lock").push(key.name.to_string());
            queue.wake_in(key, Duration::ZERO);
            sleep(Duration::from_millis(100))
        };
        let line_of = |key: &Key| Arc::from(&key.name[..1]);
        let (progress, metrics) = (Arc::new(Progress::default()), Arc::new(Metrics::new()));
        let turns = Turns { limit, line_of, progress, metrics };
        turns.run(requests, gate, decide, sleep(Duration::from_secs(seconds))).await;
        let had = had.lock().expect("a lock");
        had.clone()
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_longest_is_next() {
        let mut first = turns(&["a1", "a2", "a3", "a4", "a5"], 1, 2).await;
        let (round, rest) = (first.drain(..5).collect::<Vec<_>>(), first);
        assert!(rest.len() >= 10, "{} turns", rest.len());
        for (turn, name) in rest.iter().enumerate() {
            assert_eq!(*name, round[turn % 5], "turn {turn} of {rest:?} after {round:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_object_backs_off_as_long_as_its_turn_took() {
        assert_eq!(turns(&["a"], 1, 1).await.len(), 5);
    }

    #[tokio::test(start_paused = true)]
    async fn a_large_cluster_and_a_small_one_take_turns() {
        let large: Vec<String> = (0..50).map(|number| format!("large-{number}")).collect();
        let names: Vec<&str> = large.iter().map(String::as_str).chain(["small"]).collect();
        let had = turns(&names, 1, 2).await;
        let small = had.iter().filter(|name| *name == "small").count();
        assert!(small >= 5, "{small} of {} turns: {had:?}", had.len());
    }

    #[tokio::test(start_paused = true)]
    async fn one_cluster_never_has_all_turns() {
        let (queue, requests) = Queue::new();
        for number in 0..20 {
            queue.wake_in(machine(&format!("stuck-{number}")), Duration::ZERO);
        }
        queue.wake_in(machine("other"), Duration::from_millis(10));
        let (_open, gate) = watch::channel(true);
        let had = Arc::new(Mutex::new(Vec::new()));
        let decide = |key: Key| {
            had.lock().expect("a lock").push(key.name.to_string());
            // Turns of the first cluster don't end in time.
            sleep(Duration::from_secs(if key.name.starts_with('s') { 60 } else { 0 }))
        };
        let line_of = |key: &Key| Arc::from(&key.name[..1]);
        let (progress, metrics) = (Arc::new(Progress::default()), Arc::new(Metrics::new()));
        let turns = Turns { limit: 4, line_of, progress, metrics };
        turns.run(requests, gate, decide, sleep(Duration::from_secs(1))).await;
        let had = had.lock().expect("a lock");
        assert_eq!(had.len(), 3, "{had:?}");
        assert!(had.contains(&"other".to_owned()), "{had:?}");
    }
}
