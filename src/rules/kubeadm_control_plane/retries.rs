//! How often and how soon the replacement of a machine may be replaced again.

use super::last_remediation::{self, Note};
use crate::time::Time;
use crate::view::{KubeadmControlPlane, Machine};

/// Seconds after which a machine that needs remediation is a new problem, unless the spec says otherwise.
const MIN_HEALTHY_PERIOD: i64 = 3600;

/// Where a machine stands in a row of remediations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retries {
    /// How many times a remediation may be tried.
    pub max: Option<i64>,
    /// Whether the machine replaces one that was remediated, and has not been there for long.
    pub retry: bool,
    /// How many times the remediation was tried before.
    pub count: i64,
    /// Seconds between two tries.
    pub period: i64,
    /// When the next try may start.
    pub not_before: Option<Time>,
    /// When another problem of the machine is a new one.
    pub healthy_from: Option<Time>,
}

impl Retries {
    /// Reads what the machine remembers; the error says that it can't be read.
    pub fn of(control_plane: &KubeadmControlPlane<'_>, machine: &Machine<'_>, now: Time) -> Result<Self, String> {
        let settings = &control_plane.spec.remediation;
        let period = settings.retry_period_seconds.unwrap_or(0);
        let fresh = Self { max: settings.max_retry, period, ..Self::default() };
        let Some(Note { timestamp: Some(last), retry_count, .. }) =
            last_remediation::replaced(&machine.metadata).transpose().map_err(|error| error.to_string())?
        else {
            return Ok(fresh);
        };
        let healthy_from = last.plus(settings.min_healthy_period_seconds.unwrap_or(MIN_HEALTHY_PERIOD));
        if healthy_from <= now {
            return Ok(fresh);
        }
        Ok(Self {
            retry: true,
            count: retry_count,
            not_before: Some(last.plus(period)),
            healthy_from: Some(healthy_from),
            ..fresh
        })
    }

    /// The next moment at which the answer can change.
    pub fn next_change(&self, now: Time) -> Option<Time> {
        [self.not_before, self.healthy_from].into_iter().flatten().filter(|moment| *moment > now).min()
    }

    /// Whether the last try is too recent.
    pub fn too_soon(&self, now: Time) -> bool {
        self.not_before.is_some_and(|moment| moment > now)
    }

    /// Whether there were enough tries.
    pub fn exhausted(&self) -> bool {
        self.retry && self.max.is_some_and(|max| self.count >= max)
    }

    /// The count of the next try.
    pub fn next_count(&self) -> i64 {
        if self.retry { self.count.saturating_add(1) } else { 0 }
    }
}

/// Seconds as Go writes a duration: `45s`, `1m0s`, `2h30m0s`.
pub fn duration(seconds: i64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds % 3600 / 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{rest}s"),
        (0, _) => format!("{minutes}m{rest}s"),
        _ => format!("{hours}h{minutes}m{rest}s"),
    }
}
