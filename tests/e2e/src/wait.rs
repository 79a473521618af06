//! Waiting for something to be so, never for time to pass.

use anyhow::{Result, bail};
use std::time::{Duration, Instant};

/// Not more often: many look at once, and the server has other things to do.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// So many seconds, generously: the machine may be busy.
pub fn within(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Looks again and again until there is a value. An error is a "not yet" and is told when time runs out.
pub async fn eventually<T>(what: &str, limit: Duration, mut look: impl AsyncFnMut() -> Result<Option<T>>) -> Result<T> {
    let start = now();
    loop {
        let seen = look().await;
        if let Ok(Some(value)) = seen {
            return Ok(value);
        }
        if start.elapsed() > limit {
            match seen {
                Err(error) => bail!("not within {limit:?}: {what}: {error:#}"),
                _ => bail!("not within {limit:?}: {what}"),
            }
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// The present, to measure from.
#[allow(clippy::disallowed_methods, reason = "tests measure how long things take")]
pub fn now() -> Instant {
    Instant::now()
}
