//! Work in, the time it took out: by the clock, and of the processor.

use rustix::time::{ClockId, clock_gettime};
use std::time::Instant;

/// How long something took, in microseconds.
#[derive(Clone, Copy)]
pub struct Took {
    /// By the clock.
    pub clock: f64,
    /// What this thread had of a processor: hardly longer when the machine is busy.
    pub processor: f64,
}

/// Does it and says how long it took.
#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub fn time<T>(work: impl FnOnce() -> T) -> (T, Took) {
    let (began, used) = (Instant::now(), processor());
    let result = work();
    let processor = processor() - used;
    (result, Took { clock: began.elapsed().as_secs_f64() * 1e6, processor })
}

#[allow(clippy::cast_precision_loss, reason = "a thread runs for less than 2^53 ns, a hundred days")]
fn processor() -> f64 {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    used.tv_sec as f64 * 1e6 + used.tv_nsec as f64 / 1e3
}
