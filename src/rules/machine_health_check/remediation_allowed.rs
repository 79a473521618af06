#![doc = include_str!("remediation_allowed.md")]

use super::{Facts, OfMachineHealthCheck};
use crate::outcome::{Event, Threshold};
use crate::table::{Table, facts, otherwise, row};

/// Whether unhealthy machines may be remediated.
#[rustfmt::skip]
pub static REMEDIATION_ALLOWED: Table<OfMachineHealthCheck> = Table {
    id: "MHC-RA",
    kind: "MachineHealthCheck",
    condition: "RemediationAllowed",
    about: "Compares the number of targets that are not healthy, waiting ones included, with `spec.remediation.triggerIf`. The message counts the unhealthy ones only, as Cluster API does; the evaluation's `threshold` has all the numbers.",
    source: "machinehealthcheck-controller.md, remediation decision",
    facts: facts![targets, not_healthy, limit],
    rows: &[
        //   row         when                   status  reason                message
        row!("MHC-RA-1", outside_range   => False, "TooManyUnhealthy",   not_within_range),
        row!("MHC-RA-2", within_range    => True,  "RemediationAllowed", none),
        row!("MHC-RA-3", above_limit     => False, "TooManyUnhealthy",   exceeds_limit),
        row!("MHC-RA-4", otherwise       => True,  "RemediationAllowed", none),
    ],
};

fn threshold<T: Default>(s: &Facts<'_>, read: impl Fn(&Threshold) -> T) -> T {
    s.threshold.as_ref().map(read).unwrap_or_default()
}

fn targets(s: &Facts<'_>) -> i64 {
    threshold(s, |t| t.targets)
}

fn not_healthy(s: &Facts<'_>) -> i64 {
    threshold(s, |t| t.counted)
}

fn limit(s: &Facts<'_>) -> String {
    threshold(s, |t| format!("{} ({} {})", t.limit, t.source, t.configured))
}

fn within_range(s: &Facts<'_>) -> bool {
    threshold(s, |t| t.min.is_some())
}

fn outside_range(s: &Facts<'_>) -> bool {
    within_range(s) && above_limit(s)
}

fn above_limit(s: &Facts<'_>) -> bool {
    threshold(s, |t| !t.allowed)
}

fn not_within_range(s: &Facts<'_>) -> String {
    threshold(s, |t| {
        format!(
            "Remediation is not allowed, the number of not started or unhealthy machines does not fall within the range (total: {}, unhealthy: {}, unhealthyRange: {})",
            t.targets, t.unhealthy, t.configured
        )
    })
}

fn exceeds_limit(s: &Facts<'_>) -> String {
    threshold(s, |t| {
        format!(
            "Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (total: {}, unhealthy: {}, maxUnhealthy: {})",
            t.targets, t.unhealthy, t.configured
        )
    })
}

/// The event that goes with a refusal.
pub fn restricted(s: &Facts<'_>) -> Event {
    Event {
        kind: "Warning",
        reason: "RemediationRestricted",
        message: if within_range(s) { not_within_range(s) } else { exceeds_limit(s) },
        object_kind: "MachineHealthCheck",
        object_name: s.input.health_check.metadata.name.to_string(),
    }
}
