//! Machines whose deletion takes too long, and what is likely to delay them.

use crate::text::{contains, machines_are};
use crate::time::Time;
use crate::view::{ConditionsExt, Machine};

/// A machine in deletion for longer is stale, in seconds.
pub const STALE_AFTER: i64 = 15 * 60;
/// A drain that takes longer is a likely cause, in seconds.
pub const DRAIN_DELAYED_AFTER: i64 = 5 * 60;

/// What a draining machine says, and what that means.
#[rustfmt::skip]
const DELAYS: &[(&str, &str)] = &[
    ("cannot evict pod as it would violate the pod's disruption budget.", "PodDisruptionBudgets"),
    ("deletionTimestamp set, but still not removed from the Node",        "Pods not terminating"),
    ("failed to evict Pod",                                               "Pod eviction errors"),
    ("waiting for completion",                                            "Pods not completed yet"),
];

/// What a drain that says this waits for.
pub fn drain_delays(message: &str) -> Vec<&'static str> {
    DELAYS.iter().filter(|(says, _)| contains(message, says)).map(|(_, delay)| *delay).collect()
}

/// The machines whose deletion takes too long.
pub struct StaleMachines {
    line: Option<String>,
}

impl StaleMachines {
    /// Looks for them.
    pub fn of(machines: &[&Machine<'_>], now: Time) -> Self {
        Self { line: line(machines, now) }
    }

    /// Some machine's deletion takes too long.
    pub fn some_stale(&self) -> bool {
        self.line.is_some()
    }

    /// `Machine m1 is in deletion since more than 15m, delay likely due to …`, or `none`.
    pub fn stale_machines(&self) -> &str {
        self.line.as_deref().unwrap_or("none")
    }

    /// The line about them, where there are any.
    pub fn line(&self) -> Option<&str> {
        self.line.as_deref()
    }
}

fn line(machines: &[&Machine<'_>], now: Time) -> Option<String> {
    let stale: Vec<_> = machines
        .iter()
        .filter(|m| m.metadata.deletion_timestamp.is_some_and(|since| now.since(since) > STALE_AFTER))
        .collect();
    if stale.is_empty() {
        return None;
    }
    let mut line = machines_are(stale.iter().map(|m| &*m.metadata.name).collect());
    line.push_str(" in deletion since more than 15m");
    let delays: Vec<_> = DELAYS
        .iter()
        .filter(|(says, _)| stale.iter().any(|m| drain_says(m, says, now)))
        .map(|(_, delay)| *delay)
        .collect();
    if !delays.is_empty() {
        line.push_str(", delay likely due to ");
        line.push_str(&delays.join(", "));
    }
    Some(line)
}

fn drain_says(machine: &Machine<'_>, says: &str, now: Time) -> bool {
    let delayed =
        machine.status.deletion.node_drain_start_time.is_some_and(|since| now.since(since) > DRAIN_DELAYED_AFTER);
    delayed
        && machine
            .status
            .conditions
            .of_type("Deleting")
            .is_some_and(|c| c.status == "True" && c.reason == "DrainingNode" && contains(&c.message, says))
}

/// The next moment at which the line can change by itself.
pub fn next_change(machines: &[&Machine<'_>], now: Time) -> Option<Time> {
    machines
        .iter()
        .filter(|m| m.metadata.in_deletion())
        .flat_map(|m| {
            let stale = m.metadata.deletion_timestamp.map(|since| since.plus(STALE_AFTER + 1));
            let delayed = m.status.deletion.node_drain_start_time.map(|since| since.plus(DRAIN_DELAYED_AFTER + 1));
            [stale, delayed]
        })
        .flatten()
        .filter(|moment| *moment > now)
        .min()
}
