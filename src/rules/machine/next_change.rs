//! The next moment at which time alone can change a decision.

use super::{Facts, available, node, ready, up_to_date};
use crate::time::Time;

/// The earliest of all moments to come.
pub fn of(s: &Facts<'_>) -> Option<Time> {
    let now = s.progress.mode.now;
    let to_come = |moment: &Time| *moment > now;
    let stale = ready::stale_at(s);
    // A delay is reported only for a deletion that takes too long already.
    let delayed = ready::drain_delayed_at(s).filter(|_| stale.is_some_and(|moment| moment <= now));
    [connection_lost(s), up_to_date::rollout_at(s), stale, delayed, available::available_at(s)]
        .into_iter()
        .flatten()
        .filter(to_come)
        .min()
}

/// Probes count only once there is something to probe.
fn connection_lost(s: &Facts<'_>) -> Option<Time> {
    let probed =
        !node::infrastructure_not_provisioned(s) && !node::control_plane_not_initialized(s) && !node::never_reached(s);
    probed.then(|| node::connection_lost_at(s))
}
