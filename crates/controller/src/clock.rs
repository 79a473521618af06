//! The host's clock, in the words of the policy.

use capi_policy::time::Time;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use tokio::time::Instant;

/// The present.
#[allow(clippy::disallowed_methods, reason = "the host is where time comes from")]
pub fn now() -> Timestamp {
    Timestamp::now()
}

/// The present, to measure from.
#[allow(clippy::disallowed_methods, reason = "the host is where time comes from")]
pub fn instant() -> Instant {
    Instant::now()
}

/// RFC 3339 in whole seconds.
pub fn seconds(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// How long it is until a moment; nothing if it has come.
pub fn until(moment: Time) -> Duration {
    let moment: Option<Timestamp> = moment.to_string().parse().ok();
    let left = moment.map_or(SignedDuration::ZERO, |moment| moment.duration_since(now()));
    Duration::try_from(left).unwrap_or_default()
}
