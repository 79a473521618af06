#![doc = include_str!("remediation_allowed.md")]

use super::Facts;
use crate::outcome::{Event, Threshold};
use crate::table::{Table, facts, otherwise, row, subject};

/// Whether unhealthy machines may be remediated.
#[rustfmt::skip]
pub static REMEDIATION_ALLOWED: Table<OfThreshold> = Table {
    id: "MHC-RA",
    kind: "MachineHealthCheck",
    condition: "RemediationAllowed",
    about: "Compares the number of targets that are not healthy, waiting ones included, with `spec.remediation.triggerIf`. The message counts the unhealthy ones only, as Cluster API does; the evaluation's `threshold` has all the numbers.",
    source: "docs/documents.md, MachineHealthCheck, remediation decision",
    facts: facts![targets, not_healthy, limit; unhealthy, configured],
    rows: &[
        //   row         when                            status  reason                message
        row!("MHC-RA-1", range_configured and above_limit => False, "TooManyUnhealthy",   "Remediation is not allowed, the number of not started or unhealthy machines does not fall within the range (total: {targets}, unhealthy: {unhealthy}, unhealthyRange: {configured})", act Refuse; cluster_api: False, "TooManyUnhealthy", "Remediation is not allowed, the number of not started or unhealthy machines does not fall within the range (total: {targets}, unhealthy: {unhealthy}, unhealthyRange: {configured})", act RefuseUntilChange),
        row!("MHC-RA-2", range_configured                 => True,  "RemediationAllowed", "", act Remediate),
        row!("MHC-RA-3", above_limit                  => False, "TooManyUnhealthy",   "Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (total: {targets}, unhealthy: {unhealthy}, maxUnhealthy: {configured})", act Refuse; cluster_api: False, "TooManyUnhealthy", "Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (total: {targets}, unhealthy: {unhealthy}, maxUnhealthy: {configured})", act RefuseUntilChange),
        row!("MHC-RA-4", otherwise                    => True,  "RemediationAllowed", "", act Remediate),
    ],
};

/// A health check whose machines have been checked.
pub struct OfThreshold;

subject!(OfThreshold, Facts, Act);

fn threshold<T: Default>(s: &Facts<'_>, read: impl Fn(&Threshold) -> T) -> T {
    s.threshold.as_ref().map(read).unwrap_or_default()
}

/// How many Machines are targets.
fn targets(s: &Facts<'_>) -> i64 {
    threshold(s, |t| t.targets)
}

/// How many targets are not healthy, those that wait included.
fn not_healthy(s: &Facts<'_>) -> i64 {
    threshold(s, |t| t.counted)
}

/// The largest number of them at which remediation is allowed.
fn limit(s: &Facts<'_>) -> String {
    threshold(s, |t| format!("{} ({} {})", t.limit, t.source, t.configured))
}

/// `unhealthyInRange` is set.
fn range_configured(s: &Facts<'_>) -> bool {
    threshold(s, |t| t.min.is_some())
}

/// The number of targets that are not healthy is outside of what `triggerIf` allows.
fn above_limit(s: &Facts<'_>) -> bool {
    threshold(s, |t| !t.allowed)
}

/// How many targets are unhealthy: those that wait are not counted here.
fn unhealthy(s: &Facts<'_>) -> i64 {
    threshold(s, |t| t.unhealthy)
}

/// The limit or the range as it is written.
fn configured(s: &Facts<'_>) -> String {
    threshold(s, |t| t.configured.clone())
}

/// The event that goes with a refusal.
pub fn restricted(s: &Facts<'_>) -> Event {
    Event {
        kind: "Warning",
        reason: "RemediationRestricted",
        message: s
            .progress
            .current("RemediationAllowed")
            .map_or(String::new(), |condition| condition.message.to_owned()),
        object_kind: "MachineHealthCheck",
        object_name: s.input.health_check.metadata.name.to_string(),
    }
}

/// What follows from the threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Unhealthy machines are remediated.
    Remediate,
    /// They are not. The host comes back when the next timeout runs out.
    Refuse,
    /// They are not. The host comes back when something changes.
    RefuseUntilChange,
}
