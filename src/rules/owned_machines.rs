//! What the Machines of one owner report.

use super::remediations::Remediations;
use super::reports::{self, Reports};
use super::stale_machines::{self, StaleMachines};
use crate::time::Time;
use crate::view::Machine;

/// What tables about any owner of Machines read of these.
pub struct OwnedMachines<'a> {
    /// Whether they are ready.
    pub ready: Reports,
    /// Whether they are up to date.
    pub up_to_date: Reports,
    /// Which of them are to be remediated.
    pub remediations: Remediations<'a>,
    /// Whose deletion takes too long.
    pub stale: StaleMachines,
    /// The next moment at which time alone changes any of this.
    pub next_change: Option<Time>,
}

impl<'a> OwnedMachines<'a> {
    /// Reads what the Machines report.
    pub fn of(machines: &[&'a Machine<'a>], now: Time) -> Self {
        let moments = [stale_machines::next_change(machines, now), reports::next_change(machines, now)];
        Self {
            ready: Reports::ready(machines),
            up_to_date: Reports::up_to_date(machines, now),
            remediations: Remediations::of(machines),
            stale: StaleMachines::of(machines, now),
            next_change: moments.into_iter().flatten().min(),
        }
    }
}
