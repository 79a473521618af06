//! Who is decided when: kube's scheduler merges bursts and holds back what is being decided already.

use super::key::Key;
use futures::channel::mpsc;
use futures::{FutureExt, StreamExt};
use kube::runtime::scheduler::{ScheduleRequest, scheduler};
use std::collections::BTreeSet;
use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Runs `decide` for each object that is due while the gate is open, at most `limit` at a time and never two at a
/// time for one object. Ends, after what is running has ended, when `stop` does.
pub async fn run<F: Future<Output = ()> + Send + 'static>(
    requests: mpsc::UnboundedReceiver<ScheduleRequest<Key>>,
    mut gate: watch::Receiver<bool>,
    limit: usize,
    decide: impl Fn(Key) -> F,
    stop: impl Future<Output = ()>,
) {
    let mut scheduler = pin!(scheduler(requests));
    let mut stop = pin!(stop);
    let mut running = BTreeSet::new();
    let mut jobs = JoinSet::new();
    loop {
        let free = *gate.borrow_and_update() && jobs.len() < limit;
        let due = poll_fn(|context| {
            if free {
                scheduler.as_mut().hold_unless(|key| !running.contains(key)).poll_next_unpin(context)
            } else {
                scheduler.as_mut().hold().poll_next_unpin(context)
            }
        });
        tokio::select! {
            () = &mut stop => break,
            Some(ended) = jobs.join_next(), if !jobs.is_empty() => {
                if let Ok(key) = ended {
                    running.remove(&key);
                }
            }
            changed = gate.changed() => if changed.is_err() { break },
            key = due => {
                let Some(key) = key else { break };
                running.insert(key.clone());
                // A key that is not given back would never be decided again, so a panic must not take it away.
                let job = AssertUnwindSafe(decide(key.clone())).catch_unwind();
                jobs.spawn(async move {
                    if job.await.is_err() {
                        tracing::error!(%key, "the decision panicked");
                    }
                    key
                });
            }
        }
    }
    while jobs.join_next().await.is_some() {}
}
