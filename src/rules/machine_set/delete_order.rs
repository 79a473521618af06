//! The order in which a MachineSet deletes machines, or moves them to another MachineSet.

use crate::sorted::Sorted;
use crate::time::Time;
use crate::view::{ConditionsExt, Machine, MachineSet, annotation};

/// A machine's priority halves what is left to [`UNHEALTHY`] about once a week.
const TEN_DAYS: f64 = 864_000.0;

const IN_DELETION: f64 = 100.0;
const ANNOTATED: f64 = 80.0;
const UPDATING_IN_PLACE: f64 = 75.0;
const UNHEALTHY: f64 = 50.0;
const ANY: f64 = 20.0;

/// What `spec.deletion.order` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteOrder {
    /// By name, in truth.
    Random,
    /// The youngest first.
    Newest,
    /// The oldest first.
    Oldest,
}

impl DeleteOrder {
    /// The order that a MachineSet has; `None` for one that nobody knows.
    pub fn of(machine_set: &MachineSet<'_>) -> Option<Self> {
        match &*machine_set.spec.deletion.order {
            "" | "Random" => Some(Self::Random),
            "Newest" => Some(Self::Newest),
            "Oldest" => Some(Self::Oldest),
            _ => None,
        }
    }

    /// Sorts machines: those that go first come first.
    pub fn sort(self, machines: &mut Vec<&Machine<'_>>, now: Time) {
        machines.order_by(|a, b| {
            let (first, second) = (self.priority(a, now), self.priority(b, now));
            second.total_cmp(&first).then_with(|| a.metadata.name.cmp(&b.metadata.name))
        });
    }

    fn priority(self, machine: &Machine<'_>, now: Time) -> f64 {
        if machine.metadata.in_deletion() {
            IN_DELETION
        } else if machine.metadata.annotation(annotation::DELETE_MACHINE).is_some() {
            ANNOTATED
        } else if machine.updating_in_place() {
            UPDATING_IN_PLACE
        } else if !healthy(machine) {
            UNHEALTHY
        } else {
            match self {
                Self::Random => ANY,
                Self::Oldest => by_age(machine, now),
                Self::Newest => UNHEALTHY - by_age(machine, now),
            }
        }
    }
}

/// A machine of a year is as good as an unhealthy one: the number has no room for the difference.
#[allow(clippy::cast_precision_loss, reason = "an age in seconds is far below 2^52")]
fn by_age(machine: &Machine<'_>, now: Time) -> f64 {
    match machine.metadata.creation_timestamp.map(|created| now.since(created)) {
        Some(age) if age >= 0 => UNHEALTHY * (1.0 - (-(age as f64) / TEN_DAYS).exp()),
        _ => 0.0,
    }
}

fn healthy(machine: &Machine<'_>) -> bool {
    let conditions = &machine.status.conditions;
    !machine.status.node_ref.name.is_empty()
        && !conditions.has("NodeHealthy", "False")
        && !conditions.has("HealthCheckSucceeded", "False")
}
