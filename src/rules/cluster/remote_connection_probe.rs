#![doc = include_str!("remote_connection_probe.md")]

use super::{Facts, OfCluster};
use crate::table::{Table, facts, otherwise, row};
use crate::time::Time;

/// Whether the workload cluster answers.
#[rustfmt::skip]
pub static REMOTE_CONNECTION_PROBE: Table<OfCluster> = Table {
    id: "CL-RCP",
    kind: "Cluster",
    condition: "RemoteConnectionProbe",
    about: "Whether the workload cluster was reached within the grace period. A new Cluster has a few probes to come up, and what was known last is kept meanwhile.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![last_probe_succeeded_at, consecutive_failures, grace_period_seconds; last_success_told],
    rows: &[
        //   row         when                               status  reason            message
        row!("CL-RCP-1", never_reached and nothing_known => False, "ProbeFailed",    "Remote connection not established yet"),
        row!("CL-RCP-2", never_reached               => keep),
        row!("CL-RCP-3", not_reached_for_too_long    => False, "ProbeFailed",    "Remote connection probe failed{last_success_told}"),
        row!("CL-RCP-4", otherwise                   => True,  "ProbeSucceeded", ""),
    ],
};

/// So many probes have to fail before a cluster that was never reached counts as lost.
const FAILURES_UNTIL_LOST: i64 = 5;

fn last_probe_succeeded_at(s: &Facts<'_>) -> String {
    last_success(s).map_or("never".to_owned(), |time| time.to_string())
}

fn consecutive_failures(s: &Facts<'_>) -> i64 {
    s.input.observed.health_checking_state.consecutive_failures
}

fn grace_period_seconds(s: &Facts<'_>) -> i64 {
    s.input.observed.remote_connection_grace_period_seconds
}

/// There is no stored `RemoteConnectionProbe`.
fn nothing_known(s: &Facts<'_>) -> bool {
    s.progress.stored("RemoteConnectionProbe").is_none()
}

/// No probe has succeeded, and fewer than five have failed.
fn never_reached(s: &Facts<'_>) -> bool {
    last_success(s).is_none() && consecutive_failures(s) < FAILURES_UNTIL_LOST
}

/// The last successful probe is longer ago than the grace period, or there was none.
fn not_reached_for_too_long(s: &Facts<'_>) -> bool {
    lost_at(s).is_none_or(|moment| moment <= s.progress.mode.now)
}

/// `, probe last succeeded at TIME`, where one did.
fn last_success_told(s: &Facts<'_>) -> String {
    last_success(s).map_or(String::new(), |time| format!(", probe last succeeded at {time}"))
}

fn last_success(s: &Facts<'_>) -> Option<Time> {
    s.input.observed.health_checking_state.last_probe_success_time
}

/// The first moment at which the last successful probe is too long ago; `None` when there was none.
pub fn lost_at(s: &Facts<'_>) -> Option<Time> {
    last_success(s).map(|time| time.plus(grace_period_seconds(s).saturating_add(1)))
}
