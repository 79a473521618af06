//! Engines and a snapshot in, times out.

use anyhow::{Context, Result};
use capi_policy_host::Engine;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// However slow, a measurement has this many rounds.
const FEWEST: usize = 5;

/// How one engine did on one subject.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Measurement {
    /// What was evaluated.
    pub subject: String,
    /// What evaluated it.
    pub engine: String,
    /// Size of the snapshot.
    pub bytes: usize,
    /// How often.
    pub evaluations: usize,
    /// Evaluations a second.
    pub per_second: f64,
    /// Half were faster.
    pub p50_micros: f64,
    /// 95 of 100 were faster.
    pub p95_micros: f64,
    /// 99 of 100 were faster.
    pub p99_micros: f64,
    /// The median as a multiple of the first engine's.
    pub times_native: f64,
}

/// Lets the engines take turns until the time is up.
#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub fn measure(
    subject: &str,
    snapshot: &str,
    engines: &[(&str, &dyn Engine)],
    time: Duration,
) -> Result<Vec<Measurement>> {
    for (name, engine) in engines {
        engine.evaluate(snapshot).with_context(|| format!("{subject}, {name}"))?;
    }
    let mut samples: Vec<Vec<f64>> = vec![Vec::new(); engines.len()];
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < FEWEST || start.elapsed() < time {
        for ((_, engine), samples) in engines.iter().zip(&mut samples) {
            let began = Instant::now();
            std::hint::black_box(engine.evaluate(std::hint::black_box(snapshot)))?;
            samples.push(began.elapsed().as_secs_f64() * 1e6);
        }
        rounds += 1;
    }
    let mut native = None;
    let measurements = engines.iter().zip(samples).map(|((name, _), mut samples)| {
        samples.sort_by(f64::total_cmp);
        let total: f64 = samples.iter().sum();
        let p50 = percentile(&samples, 50);
        Measurement {
            subject: subject.to_owned(),
            engine: (*name).to_owned(),
            bytes: snapshot.len(),
            evaluations: rounds,
            per_second: f64::from(u32::try_from(rounds).unwrap_or(u32::MAX)) / total * 1e6,
            p50_micros: p50,
            p95_micros: percentile(&samples, 95),
            p99_micros: percentile(&samples, 99),
            times_native: p50 / *native.get_or_insert(p50),
        }
    });
    Ok(measurements.collect())
}

/// The smallest sample that at least so many of a hundred are not above.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::percentile;

    #[test]
    fn percentiles_are_samples() {
        let samples: Vec<f64> = (1..=100).map(f64::from).collect();
        let all: Vec<f64> = [50, 95, 99].into_iter().map(|p| percentile(&samples, p)).collect();
        assert_eq!(all, [50.0, 95.0, 99.0]);
        assert_eq!(percentile(&[7.0], 99).to_string(), "7");
    }
}
