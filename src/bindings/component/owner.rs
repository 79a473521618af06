//! What owners do next.

use super::abi::{Made, made, record, variant};
use super::evaluation::{count, seconds, time};
use crate::outcome::{Condition, LastRemediation, Number, OwnedMachine, OwnerAction, OwnerStep, written};

record! {
    OwnerAction { a:
        decision: &str = a.decision,
        row: &str = a.row,
        why: &str = &a.why,
        steps: &Vec<OwnerStep> = &a.steps,
        machines: &Vec<OwnedMachine> = &a.machines,
        candidates: &Vec<String> = &a.candidates,
        numbers: &Vec<Number> = &a.numbers,
        obstacles: &Vec<String> = &a.obstacles,
        requeue_after_milliseconds: Option<u64> = a.requeue_after_milliseconds.map(seconds),
        next_change: Option<Made> = time(a.next_change),
        error: Option<&str> = a.error.as_deref(),
    }
    Number { n:
        name: &str = n.name,
        value: i64 = n.value,
    }
    OwnedMachine { m:
        name: &str = &m.name,
        conditions: &Vec<Condition> = &m.conditions,
    }
}

type Text<'a> = &'a str;
type MachineSetChange<'a> = (Text<'a>, bool, bool, u32, u32, &'a Vec<String>, Made);

variant! {
    OwnerStep { step, case: [
        Text<'_>, (u32, Option<Text<'_>>), (Text<'_>, Text<'_>, Text<'_>), &LastRemediation, MachineSetChange<'_>,
    ] match step {
        OwnerStep::DeleteMachine { machine } => case.is(0, machine),
        OwnerStep::CreateMachines { count: machines, failure_domain } => {
            case.is(1, (count(*machines), failure_domain.as_deref()));
        }
        OwnerStep::MoveMachine { machine, to, unique_label } => case.is(2, (machine, to, unique_label)),
        OwnerStep::AcknowledgeMove { machine } => case.is(3, machine),
        OwnerStep::StartInPlaceUpdate { machine } => case.is(4, machine),
        OwnerStep::MoveEtcdLeadership { from, to } => case.is(5, (from, to)),
        OwnerStep::RemoveEtcdMember { member } => case.is(6, member),
        OwnerStep::RemovePreTerminateHook { machine } => case.is(7, machine),
        OwnerStep::SetAnnotation { key, value } => case.is(8, (key, value)),
        OwnerStep::RemoveAnnotation { key } => case.is(9, key),
        OwnerStep::SetLastRemediation(last) => case.is(10, last),
        OwnerStep::ApplyMachineSet { machine_set, current, created, from, replicas, notes, object } => {
            let change: MachineSetChange<'_> =
                (machine_set, *current, *created, count(*from), count(*replicas), notes, made(written(object)));
            case.is(11, change);
        }
        OwnerStep::DeleteMachineSet { machine_set } => case.is(12, machine_set),
    } }
}
