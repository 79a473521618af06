//! Engines and snapshots in, times out.

use super::clock::{Took, time};
use super::subjects::Subject;
use anyhow::{Context, Result};
use capi_policy_host::{Engine, EngineError};
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// However slow, a measurement has this many rounds.
const FEWEST: usize = 5;

/// How long a turn lasts. What comes first in it finds the processor's caches full of another engine's data.
const TURN: Duration = Duration::from_millis(50);

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
    /// Half took less of the processor.
    pub processor_micros: f64,
    /// The processor's time as a multiple of the first engine's; a start has no such engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_native: Option<f64>,
    /// How large the policy's memory has grown, where that can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<usize>,
}

/// Something to do again and again.
pub struct Work<'a> {
    /// What is evaluated.
    pub subject: &'a str,
    /// What evaluates it.
    pub engine: &'a str,
    /// Size of what is evaluated.
    pub bytes: usize,
    /// Does it once.
    pub once: Box<dyn FnMut() -> Result<(), EngineError> + 'a>,
}

/// Lets the engines take turns, each on every subject, until the time for each subject is up.
pub fn measure(subjects: &[Subject], engines: &[(&str, &dyn Engine)], time: Duration) -> Result<Vec<Measurement>> {
    let all = subjects.iter().flat_map(|Subject { name, snapshot, .. }| {
        engines.iter().map(move |(engine, evaluating)| Work {
            subject: name,
            engine,
            bytes: snapshot.len(),
            once: Box::new(|| black_box(evaluating.evaluate(black_box(snapshot))).map(drop)),
        })
    });
    let mut measurements = turns(all.collect(), time.saturating_mul(u32::try_from(subjects.len())?))?;
    for of_subject in measurements.chunks_mut(engines.len()) {
        let native = of_subject.first().map(|first| first.processor_micros);
        for measurement in of_subject {
            measurement.times_native = native.map(|native| measurement.processor_micros / native);
        }
    }
    Ok(measurements)
}

/// Lets all of the work take turns until the time is up, after one turn that does not count.
#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub fn turns(mut all: Vec<Work>, enough: Duration) -> Result<Vec<Measurement>> {
    for work in &mut all {
        (work.once)().with_context(|| format!("{}, {}", work.subject, work.engine))?;
    }
    let mut samples: Vec<Vec<Took>> = vec![Vec::new(); all.len()];
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < FEWEST || start.elapsed() < enough {
        for (work, samples) in all.iter_mut().zip(&mut samples) {
            samples.extend(turn(work)?);
        }
        rounds += 1;
    }
    Ok(all.iter().zip(&samples).map(|(work, samples)| summary(work, samples)).collect())
}

/// Does the work until the turn is over, and at least once. Where there is more than one sample, the first does not count.
#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn turn(work: &mut Work) -> Result<Vec<Took>, EngineError> {
    let start = Instant::now();
    let mut samples = Vec::new();
    while samples.is_empty() || start.elapsed() < TURN {
        let (result, took) = time(&mut *work.once);
        result?;
        samples.push(took);
    }
    let first = usize::from(samples.len() > 1);
    Ok(samples.split_off(first))
}

fn summary(work: &Work, samples: &[Took]) -> Measurement {
    let sorted = |of: fn(&Took) -> f64| {
        let mut sorted: Vec<_> = samples.iter().map(of).collect();
        sorted.sort_by(f64::total_cmp);
        sorted
    };
    let (clock, processor) = (sorted(|took| took.clock), sorted(|took| took.processor));
    let total: f64 = clock.iter().sum();
    Measurement {
        subject: work.subject.to_owned(),
        engine: work.engine.to_owned(),
        bytes: work.bytes,
        evaluations: samples.len(),
        per_second: f64::from(u32::try_from(samples.len()).unwrap_or(u32::MAX)) / total * 1e6,
        p50_micros: percentile(&clock, 50),
        p95_micros: percentile(&clock, 95),
        p99_micros: percentile(&clock, 99),
        processor_micros: percentile(&processor, 50),
        times_native: None,
        memory_bytes: None,
    }
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
