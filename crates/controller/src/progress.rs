//! Whether this process still gets anything done: what `/healthz` answers, and what renewing the Lease depends on.

use super::clock;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How long a loop may take to come round. All do so every second when they have nothing to do.
const LOOP_WITHIN: Duration = Duration::from_secs(30);
/// How long it may take until one of the decisions that are being made is made. Everything that they wait for has a
/// deadline that is much shorter.
const DECISION_WITHIN: Duration = Duration::from_mins(1);
/// How long writes may go unanswered, all of them.
const WRITE_WITHIN: Duration = Duration::from_secs(30);

/// What was last done, and when.
#[derive(Default)]
pub struct Progress(Mutex<State>);

#[derive(Default)]
struct State {
    loops: BTreeMap<&'static str, Instant>,
    running: usize,
    /// When a decision was last made, or begun when none was running.
    decided: Option<Instant>,
    /// Since when no write has been answered.
    unanswered: Option<Instant>,
}

impl Progress {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A loop has come round.
    pub fn loops(&self, name: &'static str) {
        self.state().loops.insert(name, clock::instant());
    }

    /// A decision is being made.
    pub fn decision_begun(&self) {
        let mut state = self.state();
        if state.running == 0 {
            state.decided = Some(clock::instant());
        }
        state.running = state.running.saturating_add(1);
    }

    /// A decision is made, carried out as far as it can be.
    pub fn decision_ended(&self) {
        let mut state = self.state();
        state.running = state.running.saturating_sub(1);
        state.decided = Some(clock::instant());
    }

    /// A write was answered, with whatever, or it was not.
    pub fn write(&self, answered: bool) {
        let mut state = self.state();
        state.unanswered = if answered { None } else { state.unanswered.or_else(|| Some(clock::instant())) };
    }

    /// What has stopped, if anything.
    pub fn stalled(&self) -> Option<String> {
        let state = self.state();
        let late = |since: &Instant, within: Duration| since.elapsed() > within;
        if let Some((name, _)) = state.loops.iter().find(|(_, last)| late(last, LOOP_WITHIN)) {
            return Some(format!("{name} has not come round for {} s", LOOP_WITHIN.as_secs()));
        }
        if state.running > 0 && state.decided.as_ref().is_some_and(|decided| late(decided, DECISION_WITHIN)) {
            return Some(format!("none of {} decisions has ended for {} s", state.running, DECISION_WITHIN.as_secs()));
        }
        if state.unanswered.as_ref().is_some_and(|since| late(since, WRITE_WITHIN)) {
            return Some(format!("no write has been answered for {} s", WRITE_WITHIN.as_secs()));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;
    use std::time::Duration;

    async fn pass(seconds: u64) {
        tokio::time::advance(Duration::from_secs(seconds)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_loop_that_stops_is_found() {
        let progress = Progress::default();
        assert_eq!(progress.stalled(), None, "nothing has started");
        progress.loops("schedule");
        pass(29).await;
        assert_eq!(progress.stalled(), None);
        progress.loops("gate");
        pass(2).await;
        assert_eq!(progress.stalled().as_deref(), Some("schedule has not come round for 30 s"));
        progress.loops("schedule");
        assert_eq!(progress.stalled(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn decisions_that_do_not_end_are_found() {
        let progress = Progress::default();
        progress.decision_begun();
        pass(50).await;
        progress.decision_begun();
        progress.decision_ended();
        pass(50).await;
        assert_eq!(progress.stalled(), None, "another has ended meanwhile");
        pass(11).await;
        assert_eq!(progress.stalled().as_deref(), Some("none of 1 decisions has ended for 60 s"));
        progress.decision_ended();
        pass(500).await;
        assert_eq!(progress.stalled(), None, "there is nothing to decide");
    }

    #[tokio::test(start_paused = true)]
    async fn writes_that_nobody_answers_are_found() {
        let progress = Progress::default();
        progress.write(false);
        pass(20).await;
        progress.write(false);
        pass(11).await;
        assert_eq!(progress.stalled().as_deref(), Some("no write has been answered for 30 s"));
        progress.write(true);
        assert_eq!(progress.stalled(), None);
    }
}
