//! Who is decided when: kube's scheduler merges bursts and holds back what is being decided already. Whoever is due takes
//! a place in a line, since the scheduler itself keeps no order and would let some objects wait for good under load.

use super::clock;
use super::key::Key;
use super::progress::Progress;
use futures::channel::mpsc;
use futures::{FutureExt, StreamExt};
use kube::runtime::scheduler::{ScheduleRequest, scheduler};
use std::collections::{BTreeSet, VecDeque};
use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// An object rests as long as its turn took, so that changes merge when the server is slow; but no longer than this.
const LONGEST_REST: Duration = Duration::from_secs(1);

/// How often it comes round when nothing happens.
const TICK: Duration = Duration::from_secs(1);

/// Runs `decide` for each object that is due while the gate is open, at most `limit` at a time and never two at a
/// time for one object. Ends, after what is running has ended, when `stop` does.
pub async fn run<F: Future<Output = ()> + Send + 'static>(
    requests: mpsc::UnboundedReceiver<ScheduleRequest<Key>>,
    mut gate: watch::Receiver<bool>,
    limit: usize,
    progress: &Progress,
    decide: impl Fn(Key) -> F,
    stop: impl Future<Output = ()>,
) {
    let mut scheduler = pin!(scheduler(requests));
    let mut stop = pin!(stop);
    let mut line = Line::default();
    // Those that are being decided, and those that rest.
    let mut busy = BTreeSet::new();
    let (mut turns, mut rests) = (JoinSet::new(), JoinSet::new());
    let mut tick = tokio::time::interval(TICK);
    loop {
        progress.loops("the schedule");
        while *gate.borrow_and_update() && turns.len() < limit {
            let Some(key) = line.next() else { break };
            busy.insert(key.clone());
            progress.decision_begun();
            turns.spawn(turn(key.clone(), decide(key)));
        }
        let due = poll_fn(|context| scheduler.as_mut().hold_unless(|key| !busy.contains(key)).poll_next_unpin(context));
        tokio::select! {
            () = &mut stop => break,
            Some(ended) = turns.join_next(), if !turns.is_empty() => {
                progress.decision_ended();
                if let Ok((key, took)) = ended {
                    rests.spawn(tokio::time::sleep(LONGEST_REST.min(took)).map(|()| key));
                }
            }
            Some(rested) = rests.join_next(), if !rests.is_empty() => {
                if let Ok(key) = rested {
                    busy.remove(&key);
                }
            }
            _ = tick.tick() => {}
            changed = gate.changed() => if changed.is_err() { break },
            key = due => {
                let Some(key) = key else { break };
                line.join(key);
            }
        }
    }
    while turns.join_next().await.is_some() {}
}

/// Returns the object and how long it took. A key that is not given back would never be decided again, so a panic must
/// not take it away.
async fn turn(key: Key, decide: impl Future<Output = ()>) -> (Key, Duration) {
    let start = clock::instant();
    if AssertUnwindSafe(decide).catch_unwind().await.is_err() {
        tracing::error!(%key, "the decision panicked");
    }
    (key, start.elapsed())
}

/// Objects in the order in which they were due, each once.
#[derive(Default)]
struct Line {
    order: VecDeque<Key>,
    waiting: BTreeSet<Key>,
}

impl Line {
    fn join(&mut self, key: Key) {
        if self.waiting.insert(key.clone()) {
            self.order.push_back(key);
        }
    }

    fn next(&mut self) -> Option<Key> {
        let key = self.order.pop_front()?;
        self.waiting.remove(&key);
        Some(key)
    }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::key::{GroupKind, Key};
    use crate::progress::Progress;
    use futures::channel::mpsc;
    use kube::runtime::scheduler::ScheduleRequest;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;
    use tokio::sync::watch;
    use tokio::time::{Instant, sleep};

    fn machine(name: &str) -> Key {
        Key::new(GroupKind::new("cluster.x-k8s.io", "Machine"), "ns", name)
    }

    /// The names of those that had a turn, in order, when turns take a tenth of a second, one at a time, and each asks
    /// for another.
    async fn turns(names: &[&str], seconds: u64) -> Vec<String> {
        let (queue, requests) = mpsc::unbounded();
        let ask = move |key: &Key| {
            let request = ScheduleRequest { message: key.clone(), run_at: Instant::now() };
            queue.unbounded_send(request).expect("somebody listens");
        };
        for name in names {
            ask(&machine(name));
        }
        let (_open, gate) = watch::channel(true);
        let had = Arc::new(Mutex::new(Vec::new()));
        let decide = |key: Key| {
            had.lock().expect("a lock").push(key.name.to_string());
            ask(&key);
            sleep(Duration::from_millis(100))
        };
        run(requests, gate, 1, &Progress::default(), decide, sleep(Duration::from_secs(seconds))).await;
        let had = had.lock().expect("a lock");
        had.clone()
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_longest_is_next() {
        let mut first = turns(&["a", "b", "c", "d", "e"], 2).await;
        let (round, rest) = (first.drain(..5).collect::<Vec<_>>(), first);
        assert!(rest.len() >= 10, "{} turns", rest.len());
        for (turn, name) in rest.iter().enumerate() {
            assert_eq!(*name, round[turn % 5], "turn {turn} of {rest:?} after {round:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_object_rests_as_long_as_its_turn_took() {
        assert_eq!(turns(&["a"], 1).await.len(), 5);
    }
}
