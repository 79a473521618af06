//! Whether a control plane has been initialized, as far as its workload cluster could be read.

use super::Input;
use crate::progress::Progress;
use crate::time::Time;
use crate::view::{ConditionsExt, Machine};

/// Whether a control plane has been initialized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initialization {
    /// It has, at that time as far as the object says.
    Done(Time),
    /// It has not.
    Pending,
    /// It was not, and the workload cluster could not be read.
    NotAskable,
}

impl Initialization {
    /// A control plane that has been initialized stays so; for any other the workload cluster is read.
    pub fn of(input: &Input<'_>, progress: &Progress<'_>) -> Self {
        let done = || {
            let stored = progress.stored("Initialized").filter(|c| c.status == "True");
            Self::Done(stored.and_then(|c| c.last_transition_time).unwrap_or(progress.mode.now))
        };
        if input.object.status.initialization.control_plane_initialized {
            return done();
        }
        if only_machine_goes_away(&input.machines) {
            return Self::Pending;
        }
        match &*input.observed.has_kubeadm_config {
            "true" => done(),
            "error" => Self::NotAskable,
            _ => Self::Pending,
        }
    }

    /// It has been initialized.
    pub fn done(self) -> bool {
        matches!(self, Self::Done(_))
    }
}

/// The answer of the only machine does not count when it is about to go away: with it goes what was initialized.
fn only_machine_goes_away(machines: &[&Machine<'_>]) -> bool {
    let [machine] = machines else { return false };
    let conditions = &machine.status.conditions;
    let to_be_remediated =
        conditions.has("HealthCheckSucceeded", "False") && conditions.has("OwnerRemediated", "False");
    to_be_remediated || machine.metadata.in_deletion()
}
