//! A machine's evaluation, made and written once and shared as long as it holds.

use super::MachineEvaluation;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use std::ops::Deref;
use std::sync::Arc;

/// What a health check found about one selected machine. Evaluations that find the same can share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedMachine(Arc<Written>);

#[derive(Debug)]
struct Written {
    machine: MachineEvaluation,
    /// The machine as JSON, once somebody wants it more than once.
    text: Option<Box<RawValue>>,
}

impl CheckedMachine {
    /// Writes it down, so that it is written only once however many evaluations share it.
    pub fn write_down(&mut self) {
        if let Some(Written { machine, text }) = Arc::get_mut(&mut self.0) {
            *text = to_raw_value(machine).ok();
        }
    }

    /// Whether both are one and the same, which was made once.
    #[cfg(test)]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether it was written down.
    pub fn is_written_down(&self) -> bool {
        self.0.text.is_some()
    }
}

impl From<MachineEvaluation> for CheckedMachine {
    fn from(machine: MachineEvaluation) -> Self {
        Self(Arc::new(Written { machine, text: None }))
    }
}

impl From<CheckedMachine> for MachineEvaluation {
    fn from(checked: CheckedMachine) -> Self {
        Arc::try_unwrap(checked.0).map_or_else(|shared| shared.machine.clone(), |own| own.machine)
    }
}

impl Deref for CheckedMachine {
    type Target = MachineEvaluation;

    fn deref(&self) -> &MachineEvaluation {
        &self.0.machine
    }
}

impl PartialEq for Written {
    fn eq(&self, other: &Self) -> bool {
        self.machine == other.machine
    }
}

impl Eq for Written {}

impl Serialize for CheckedMachine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.text {
            Some(text) => text.serialize(serializer),
            None => self.0.machine.serialize(serializer),
        }
    }
}
