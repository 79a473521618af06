//! What happens to machines later, in virtual time.

use crate::model::Happening;
use capi_policy::fleet::ObjectRef;
use capi_policy::time::Time;
use std::collections::BTreeMap;

/// Something that happens at its time, whatever anybody decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    /// A decision can change by itself: the fleet knows whose.
    Decision,
    /// A machine has come up.
    Booted(ObjectRef),
    /// A machine's in-place update is done.
    Updated(ObjectRef),
    /// A machine in deletion is drained: what still keeps it are hooks.
    Drained(ObjectRef),
    /// Something that the model planned.
    Model(Happening),
}

/// What is to come, the earliest first; at the same moment, in the order in which it was planned.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    due: BTreeMap<(Time, u64), Due>,
    planned: u64,
}

impl Queue {
    /// Plans something.
    pub fn plan(&mut self, at: Time, what: Due) {
        // Moments at which somebody has to look again need no second entry.
        if what == Due::Decision && self.due.range((at, 0)..=(at, u64::MAX)).any(|(_, due)| *due == Due::Decision) {
            return;
        }
        self.due.insert((at, self.planned), what);
        self.planned = self.planned.saturating_add(1);
    }

    /// When something happens next.
    pub fn next(&self) -> Option<Time> {
        self.due.keys().next().map(|(at, _)| *at)
    }

    /// Whether a machine is on its way up, being updated, or going.
    pub fn moves_machines(&self) -> bool {
        self.due.values().any(|due| *due != Due::Decision)
    }

    /// Takes out the next thing that happens by then.
    pub fn take(&mut self, now: Time) -> Option<Due> {
        let first = self.due.first_entry().filter(|first| first.key().0 <= now)?;
        Some(first.remove())
    }
}
