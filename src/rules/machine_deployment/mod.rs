//! MachineDeployment: its facts and its tables.

mod apply;
mod available;
mod clean_up;
mod current_machine_set;
mod deadlock;
mod deleting;
mod machines_ready;
mod machines_up_to_date;
mod max_unavailable;
mod move_machines;
mod next_step;
mod owner;
mod paused_scale;
mod planner;
mod remediating;
mod rolling_out;
mod rollout;
mod scale_current;
mod scale_old;
mod scaling_down;
mod scaling_up;
mod surge;

pub use available::AVAILABLE;
pub use clean_up::CLEAN_UP;
pub use current_machine_set::CURRENT_MACHINE_SET;
pub use deadlock::DEADLOCK;
pub use deleting::DELETING;
pub use machines_ready::MACHINES_READY;
pub use machines_up_to_date::MACHINES_UP_TO_DATE;
pub use move_machines::MOVE_MACHINES;
pub use next_step::NEXT_STEP;
pub use remediating::REMEDIATING;
pub use rolling_out::ROLLING_OUT;
pub use scale_current::SCALE_CURRENT;
pub use scale_old::SCALE_OLD;
pub use scaling_down::SCALING_DOWN;
pub use scaling_up::SCALING_UP;
pub use surge::SURGE;

use super::missing_references::MissingReferences;
use super::owned_machines::{OwnedMachines, facts_of_owner, in_deletion};
use super::owners;
use super::paused::paused;
use super::replica_counters;
use super::rollout::Rollout;
use super::scaling::Scaling;
use super::status_versions::status_versions;
use super::versions;
use crate::error::Error;
use crate::outcome::{Evaluation, Replicas, Status};
use crate::progress::{Mode, decide};
use crate::snapshot::Kind;
use crate::table::{Table, TableDescription};

/// A MachineDeployment.
pub struct OfMachineDeployment;

facts_of_owner! { OfMachineDeployment, MachineDeployment:
    counters: Replicas,
    scaling: Scaling,
    missing: MissingReferences<'a>,
    rollout: Rollout<'a>,
}

/// The tables in the order in which they are decided.
pub static TABLES: &[&Table<OfMachineDeployment>] = &[
    &AVAILABLE,
    &ROLLING_OUT,
    &SCALING_UP,
    &SCALING_DOWN,
    &MACHINES_READY,
    &MACHINES_UP_TO_DATE,
    &REMEDIATING,
    &DELETING,
];

/// Decides every table.
pub fn evaluate(input: Input<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let object = input.object;
    object.spec.selector.validate("machineDeployment.spec.selector")?;
    let stored = (&object.metadata, &*object.status.conditions);
    let (progress, is_paused) = paused(mode, Kind::MachineDeployment, stored, input.cluster);
    let listed = input.observed.machine_sets_listed;
    let (progress, counting) = status_versions(progress, listed);
    let counted = replica_counters::of_machine_sets(&input.machine_sets);
    let scaling = Scaling::of(&object.metadata, object.spec.replicas, counted.replicas.unwrap_or(0));
    let counters = if listed { counted } else { object.status.counters() };
    let versions = counting.versions(|| versions::of_machine_sets(&input.machine_sets), &counters.versions);
    let counters = Replicas { versions, ..counters };
    let acts = listed && owners::decides(mode, is_paused, &object.metadata);
    let next = if acts { owner::actions(&input, mode) } else { owners::Decided::default() };
    let missing = MissingReferences::of(&object.spec.template, input.observed);
    let rollout = Rollout::of(&input.machines);
    let OwnedMachines { ready, up_to_date, remediations, stale, next_change } =
        OwnedMachines::of(&input.machines, mode.now);
    let mut facts =
        Facts { input, counters, scaling, missing, rollout, ready, up_to_date, remediations, stale, progress };
    for table in TABLES {
        decide(table, &mut facts);
    }
    let status = Status {
        phase: Some(phase(&facts)),
        selector: Some(object.spec.selector.to_string()),
        replicas: facts.counters.clone(),
        ..Status::default()
    };
    let mut evaluation = facts.progress.evaluation(Kind::MachineDeployment, &object.metadata, status);
    evaluation.next_change = next_change;
    owners::note(next, &mut evaluation);
    Ok(evaluation)
}

fn phase(facts: &Facts<'_>) -> &'static str {
    if !facts.input.observed.machine_sets_listed || facts.scaling.replicas_not_set() {
        "Unknown"
    } else if facts.input.object.metadata.in_deletion() || facts.scaling.too_many_replicas() {
        "ScalingDown"
    } else if facts.scaling.too_few_replicas() {
        "ScalingUp"
    } else {
        "Running"
    }
}

/// The MachineSets could not be listed.
fn machine_sets_not_listed(s: &Facts<'_>) -> bool {
    !s.input.observed.machine_sets_listed
}

/// The tables of what a MachineDeployment does next.
pub fn owner_tables() -> [TableDescription; 8] {
    [
        CURRENT_MACHINE_SET.describe(),
        NEXT_STEP.describe(),
        SCALE_CURRENT.describe(),
        SCALE_OLD.describe(),
        MOVE_MACHINES.describe(),
        SURGE.describe(),
        DEADLOCK.describe(),
        CLEAN_UP.describe(),
    ]
}
