//! What owners do next.

use super::evaluation::{all, count as number, seconds};
use super::types;
use crate::json::written;
use crate::outcome::{Number, OwnedMachine, OwnerAction, OwnerStep};

impl From<OwnerAction> for types::OwnerAction {
    fn from(a: OwnerAction) -> Self {
        Self {
            decision: a.decision.to_owned(),
            row: a.row.to_owned(),
            why: a.why,
            steps: all(a.steps),
            machines: all(a.machines),
            candidates: a.candidates,
            numbers: all(a.numbers),
            obstacles: a.obstacles,
            requeue_after_milliseconds: a.requeue_after_milliseconds.map(seconds),
            next_change: a.next_change.map(|time| time.to_string()),
            error: a.error,
        }
    }
}

impl From<Number> for types::OwnerNumber {
    fn from(n: Number) -> Self {
        Self { name: n.name.to_owned(), value: n.value }
    }
}

impl From<OwnedMachine> for types::OwnedMachine {
    fn from(m: OwnedMachine) -> Self {
        Self { name: m.name, conditions: all(m.conditions) }
    }
}

impl From<OwnerStep> for types::OwnerStep {
    fn from(step: OwnerStep) -> Self {
        match step {
            OwnerStep::DeleteMachine { machine } => Self::DeleteMachine(machine),
            OwnerStep::CreateMachines { count, failure_domain } => {
                Self::CreateMachines(types::NewMachines { count: number(count), failure_domain })
            }
            OwnerStep::MoveMachine { machine, to, unique_label } => {
                Self::MoveMachine(types::MachineMove { machine, to, unique_label })
            }
            OwnerStep::AcknowledgeMove { machine } => Self::AcknowledgeMove(machine),
            OwnerStep::StartInPlaceUpdate { machine } => Self::StartInPlaceUpdate(machine),
            OwnerStep::MoveEtcdLeadership { from, to } => Self::MoveEtcdLeadership(types::LeadershipMove { from, to }),
            OwnerStep::RemoveEtcdMember { member } => Self::RemoveEtcdMember(member),
            OwnerStep::RemovePreTerminateHook { machine } => Self::RemovePreTerminateHook(machine),
            OwnerStep::SetAnnotation { key, value } => Self::SetAnnotation(types::Label { key, value }),
            OwnerStep::RemoveAnnotation { key } => Self::RemoveAnnotation(key),
            OwnerStep::SetLastRemediation(last) => Self::SetLastRemediation(last.into()),
            OwnerStep::ApplyMachineSet { machine_set, current, created, from, replicas, notes, object } => {
                let (from, replicas, object) = (number(from), number(replicas), written(&object));
                let change = types::MachineSetChange { machine_set, current, created, from, replicas, notes, object };
                Self::ApplyMachineSet(change)
            }
            OwnerStep::DeleteMachineSet { machine_set } => Self::DeleteMachineSet(machine_set),
        }
    }
}
