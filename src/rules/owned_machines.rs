//! What the Machines of one owner report.

use super::remediations::Remediations;
use super::replica_counters::number;
use super::reports::{self, Reports};
use super::stale_machines::{self, StaleMachines};
use crate::observed::Observed;
use crate::text::count;
use crate::time::Time;
use crate::view::{Machine, Metadata};

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

/// `Input` and `Facts` of a kind that owns Machines: facts of its own, then those that every such owner has.
macro_rules! facts_of_owner {
    ($subject:ident, $object:ident: $($fact:ident: $type:ty),+ $(,)?) => {
        /// The object and what belongs to it.
        pub type Input<'a> = $crate::rules::input::Input<'a, $crate::view::$object<'a>>;

        /// What the guards read.
        pub struct Facts<'a> {
            input: Input<'a>,
            $($fact: $type,)+
            ready: $crate::rules::reports::Reports,
            up_to_date: $crate::rules::reports::Reports,
            remediations: $crate::rules::remediations::Remediations<'a>,
            stale: $crate::rules::stale_machines::StaleMachines,
            progress: $crate::progress::Progress<'a>,
        }

        $crate::table::subject!($subject, Facts, ());
        $crate::table::in_progress!(Facts);

        impl $crate::rules::owned_machines::Owner for Facts<'_> {
            fn machine_count(&self) -> usize {
                self.input.machines.len()
            }

            fn metadata(&self) -> &$crate::view::Metadata<'_> {
                &self.input.object.metadata
            }

            fn observed(&self) -> &$crate::observed::Observed<'_> {
                self.input.observed
            }
        }
    };
}
pub(crate) use facts_of_owner;

/// The facts about an owner of Machines.
pub trait Owner {
    /// How many Machines it has.
    fn machine_count(&self) -> usize;

    /// The owner's own metadata.
    fn metadata(&self) -> &Metadata<'_>;

    /// What could and could not be read.
    fn observed(&self) -> &Observed<'_>;
}

/// The object has a deletion timestamp.
pub fn in_deletion<F: Owner>(owner: &F) -> bool {
    owner.metadata().in_deletion()
}

/// The Machines could not be listed.
pub fn machines_not_listed<F: Owner>(owner: &F) -> bool {
    !owner.observed().machines_listed
}

/// `Deleting 1 Machine` or `Deleting 3 Machines`.
pub fn deleting_machines<F: Owner>(owner: &F) -> String {
    format!("Deleting {}", count(number(owner.machine_count()), "Machine"))
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
