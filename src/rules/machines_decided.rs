//! What an owner decided about its Machines.

use crate::outcome::{Explanation, MachineConditions};
use crate::progress::Progress;
use crate::time::Time;
use crate::view::{Condition, Machine};

/// What was decided about all Machines.
#[derive(Default)]
pub struct MachinesDecided {
    /// Their conditions, in the order of the Machines.
    pub machines: Vec<MachineConditions>,
    /// How they were decided.
    pub explanations: Vec<Explanation>,
    /// The earliest moment at which time alone changes one of them.
    pub next_change: Option<Time>,
}

impl MachinesDecided {
    /// Adds what was decided about the next Machine.
    pub fn add(&mut self, machine: &Machine<'_>, progress: Progress<'_>) {
        let (conditions, explanations) = progress.finish();
        self.machines.push(MachineConditions { name: machine.metadata.name.to_string(), conditions });
        self.explanations.extend(explanations);
    }

    /// The Machines with the conditions that were decided: what follows is decided from these.
    pub fn updated<'a>(&self, machines: &[&Machine<'a>]) -> Vec<Machine<'a>> {
        let mut machines: Vec<Machine<'a>> = machines.iter().map(|machine| (*machine).clone()).collect();
        for (machine, decided) in machines.iter_mut().zip(&self.machines) {
            for condition in &decided.conditions {
                let stored = &mut machine.status.conditions;
                stored.retain(|stored| stored.kind != condition.kind);
                stored.push(Condition {
                    kind: condition.kind.into(),
                    status: condition.status.as_str().into(),
                    reason: String::from(&*condition.reason).into(),
                    message: String::from(&*condition.message).into(),
                    last_transition_time: Some(condition.last_transition_time),
                    observed_generation: Some(condition.observed_generation),
                    ..Condition::default()
                });
            }
        }
        machines
    }
}
