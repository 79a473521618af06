//! Whether this machine's clock can be believed. Deadlines are moments of the wall clock, so one that has jumped ahead would
//! have healthy machines remediated. A clock that only goes forward finds the jump, and the API server's clock tells who
//! is right: after a pause of the machine a jump is a correction.

use super::clock;
use super::metrics::Metrics;
use jiff::{SignedDuration, Timestamp};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// How far the wall clock may move away from the one that only goes forward between two confirmations.
const JUMP: SignedDuration = SignedDuration::from_secs(5);
/// How far this machine's clock may be from the API server's, which says whole seconds.
const APART: SignedDuration = SignedDuration::from_secs(60);

/// What is known about the time.
pub struct Steady {
    state: Mutex<State>,
    metrics: Arc<Metrics>,
}

struct State {
    /// When both clocks were last looked at together and the server agreed.
    agreed: Option<(Timestamp, Instant)>,
    /// Why the time is not believed.
    doubt: Option<String>,
}

impl Steady {
    /// Not believed before the server was asked.
    pub fn new(metrics: Arc<Metrics>) -> Self {
        let doubt = Some("the API server has not said what time it is".to_owned());
        Self { state: Mutex::new(State { agreed: None, doubt }), metrics }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why no decision may be made now, if that is so.
    pub fn doubt(&self) -> Option<String> {
        self.look(clock::now(), clock::instant())
    }

    /// Takes in what time it is by the server; one that doesn't say is believed to agree. True: the clock has moved, or was
    /// not believed, and is right now, so what was planned by time has to be planned again.
    pub fn compare(&self, server: Option<Timestamp>) -> bool {
        self.compare_at(server, clock::now(), clock::instant())
    }

    fn look(&self, now: Timestamp, instant: Instant) -> Option<String> {
        let mut state = self.state();
        if let Some((wall, at)) = state.agreed {
            let passed = SignedDuration::try_from(instant.saturating_duration_since(at)).unwrap_or(SignedDuration::MAX);
            let jump = now.duration_since(wall).saturating_sub(passed);
            if jump.abs() > JUMP {
                let doubt = format!("the clock has jumped {}", words(jump, "ahead", "back"));
                tracing::warn!("{doubt}; nothing is decided until the API server confirms the time");
                self.metrics.clock_jumped();
                (state.agreed, state.doubt) = (None, Some(doubt));
            }
        }
        state.doubt.clone()
    }

    fn compare_at(&self, server: Option<Timestamp>, now: Timestamp, instant: Instant) -> bool {
        self.look(now, instant);
        let apart = server.map_or(SignedDuration::ZERO, |server| now.duration_since(server));
        self.metrics.clock_apart(apart.as_secs());
        let mut state = self.state();
        if apart.abs() > APART {
            let doubt = format!("this machine's clock is {} the API server's", words(apart, "ahead of", "behind"));
            if state.doubt.as_ref() != Some(&doubt) {
                tracing::error!("{doubt}");
            }
            (state.agreed, state.doubt) = (None, Some(doubt));
            return false;
        }
        let was_doubted = state.doubt.take().is_some();
        if was_doubted {
            tracing::info!("the API server confirms the time");
        }
        state.agreed = Some((now, instant));
        was_doubted
    }
}

/// `5 s ahead`.
fn words(by: SignedDuration, positive: &str, negative: &str) -> String {
    let direction = if by.is_negative() { negative } else { positive };
    format!("{} s {direction}", by.as_secs().saturating_abs())
}

#[cfg(test)]
mod tests {
    use super::{Metrics, Steady};
    use crate::clock;
    use jiff::Timestamp;
    use std::sync::Arc;
    use std::time::Duration;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).expect("a time")
    }

    #[test]
    fn a_jump_is_found_and_the_server_says_who_is_right() {
        let (steady, start) = (Steady::new(Arc::new(Metrics::new())), clock::instant());
        let later = |seconds| start + Duration::from_secs(seconds);
        assert!(steady.look(at(0), later(0)).is_some(), "nobody has confirmed it");
        assert!(steady.compare_at(Some(at(1)), at(0), later(0)));
        assert_eq!(steady.look(at(10), later(10)), None);
        assert_eq!(steady.look(at(16), later(12)), None, "a correction of some seconds");
        let ahead = Some("the clock has jumped 3600 s ahead".to_owned());
        assert_eq!(steady.look(at(3_612), later(12)), ahead);
        assert_eq!(steady.look(at(3_613), later(13)), ahead, "also afterwards");
        assert!(!steady.compare_at(Some(at(14)), at(3_614), later(14)));
        let wrong = "this machine's clock is 3600 s ahead of the API server's";
        assert_eq!(steady.look(at(3_615), later(15)).as_deref(), Some(wrong));
        assert_eq!(steady.look(at(16), later(16)).as_deref(), Some(wrong), "back, and not confirmed yet");
        assert!(steady.compare_at(Some(at(17)), at(17), later(17)), "times are to be planned again");
        assert_eq!(steady.look(at(18), later(18)), None);
        assert!(!steady.compare_at(Some(at(19)), at(19), later(19)));

        assert_eq!(steady.look(at(-40), later(20)).as_deref(), Some("the clock has jumped 60 s back"));
        assert!(steady.compare_at(None, at(-39), later(21)), "a server that doesn't say");
        assert!(steady.look(at(3_600), later(22)).is_some(), "after a pause of the machine");
        assert!(steady.compare_at(Some(at(3_600)), at(3_601), later(23)), "the jump was right");
    }
}
