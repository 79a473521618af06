//! MachineSet: its facts and its tables.

mod delete_order;
mod deleting;
mod in_place_update;
mod machines_ready;
mod machines_up_to_date;
mod owner;
mod owner_remediated;
mod preflight;
mod preflight_checks;
mod remediating;
mod scale;
mod scaling_down;
mod scaling_up;

pub use deleting::DELETING;
pub use in_place_update::IN_PLACE_UPDATE;
pub use machines_ready::MACHINES_READY;
pub use machines_up_to_date::MACHINES_UP_TO_DATE;
pub use owner_remediated::OWNER_REMEDIATED;
pub use preflight_checks::PREFLIGHT_CHECKS;
pub use remediating::REMEDIATING;
pub use scale::SCALE;
pub use scaling_down::SCALING_DOWN;
pub use scaling_up::SCALING_UP;

use super::missing_references::MissingReferences;
use super::owned_machines::{OwnedMachines, facts_of_owner, in_deletion, machines_not_listed};
use super::owners;
use super::paused::paused;
use super::replica_counters::{self, number};
use super::scaling::Scaling;
use super::status_versions::status_versions;
use super::versions;
use crate::error::Error;
use crate::outcome::{Evaluation, Replicas, Status};
use crate::progress::{Mode, decide};
use crate::snapshot::Kind;
use crate::table::{Table, TableDescription};
use crate::view::{Machine, annotation};

/// A MachineSet.
pub struct OfMachineSet;

facts_of_owner! { OfMachineSet, MachineSet:
    growth: Scaling,
    shrinkage: Scaling,
    missing: MissingReferences<'a>,
}

/// The tables in the order in which they are decided.
pub static TABLES: &[&Table<OfMachineSet>] =
    &[&SCALING_UP, &SCALING_DOWN, &MACHINES_READY, &MACHINES_UP_TO_DATE, &REMEDIATING, &DELETING];

/// Decides every table.
pub fn evaluate(input: Input<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let object = input.object;
    object.spec.selector.validate("machineSet.spec.selector")?;
    let stored = (&object.metadata, &*object.status.conditions);
    let (progress, is_paused) = paused(mode, Kind::MachineSet, stored, input.cluster);
    let listed = input.observed.machines_listed;
    let (progress, counting) = status_versions(progress, listed);
    let counted = || replica_counters::of_machines(&input.machines, |machine| !machine.updating_in_place());
    let counters = if listed { counted() } else { object.status.counters() };
    let versions = counting.versions(|| versions::of_machines(&input.machines), &counters.versions);
    let counters = Replicas { versions, ..counters };
    let acts = listed && owners::decides(mode, is_paused, &object.metadata);
    let next = if acts { owner::actions(&input, mode) } else { owners::Decided::default() };
    let scaling = |current: usize| Scaling::of(&object.metadata, object.spec.replicas, number(current));
    let growth = scaling(input.machines.len());
    let shrinkage = scaling(input.machines.iter().filter(|machine| !moved_in(machine)).count());
    let missing = MissingReferences::of(&object.spec.template, input.observed);
    let machines = OwnedMachines::of(&input.machines, mode.now);
    let OwnedMachines { ready, up_to_date, remediations, stale, next_change } = machines;
    let mut facts = Facts { input, growth, shrinkage, missing, ready, up_to_date, remediations, stale, progress };
    for table in TABLES {
        decide(table, &mut facts);
    }
    let selector = Some(object.spec.selector.to_string());
    let status = Status { selector, replicas: counters, ..Status::default() };
    let mut evaluation = facts.progress.evaluation(Kind::MachineSet, &object.metadata, status);
    evaluation.next_change = next_change;
    owners::note(next, &mut evaluation);
    Ok(evaluation)
}

/// A machine that came from another MachineSet is not one too many before the MachineDeployment has counted it here.
fn moved_in(machine: &Machine<'_>) -> bool {
    machine.metadata.annotation(annotation::PENDING_ACKNOWLEDGE_MOVE).is_some()
}

/// The tables of what a MachineSet does next.
pub fn owner_tables() -> [TableDescription; 4] {
    [PREFLIGHT_CHECKS.describe(), OWNER_REMEDIATED.describe(), IN_PLACE_UPDATE.describe(), SCALE.describe()]
}
