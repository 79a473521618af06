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
use super::paused::paused;
use super::remediations::Remediations;
use super::replica_counters::{self, number};
use super::reports::{self, Reports};
use super::scaling::Scaling;
use super::stale_machines::{self, StaleMachines};
use super::status_versions::{Act, status_versions};
use super::versions;
use crate::error::Error;
use crate::observed::Observed;
use crate::outcome::{Evaluation, Replicas, Status};
use crate::progress::{Mode, Progress, decide};
use crate::snapshot::Kind;
use crate::table::{Table, TableDescription, in_progress, subject};
use crate::view::{Cluster, ExternalObject, Machine, MachineDeployment, MachineSet, annotation};

/// A MachineSet.
pub struct OfMachineSet;

subject!(OfMachineSet, Facts, ());

/// The tables in the order in which they are decided.
pub static TABLES: &[&Table<OfMachineSet>] =
    &[&SCALING_UP, &SCALING_DOWN, &MACHINES_READY, &MACHINES_UP_TO_DATE, &REMEDIATING, &DELETING];

/// A MachineSet and what belongs to it.
pub struct Input<'a> {
    /// The object.
    pub machine_set: &'a MachineSet<'a>,
    /// The MachineDeployment that it belongs to.
    pub machine_deployment: Option<&'a MachineDeployment<'a>>,
    /// The other MachineSets of that MachineDeployment.
    pub other_machine_sets: Vec<&'a MachineSet<'a>>,
    /// Its Cluster.
    pub cluster: Option<&'a Cluster<'a>>,
    /// The control plane of that Cluster.
    pub control_plane: Option<&'a ExternalObject<'a>>,
    /// The template of its machines' bootstrap configs.
    pub bootstrap_template: Option<&'a ExternalObject<'a>>,
    /// Its Machines.
    pub machines: Vec<&'a Machine<'a>>,
    /// What could be read.
    pub observed: &'a Observed<'a>,
}

/// What the guards read.
pub struct Facts<'a> {
    input: Input<'a>,
    growth: Scaling,
    shrinkage: Scaling,
    missing: MissingReferences<'a>,
    ready: Reports,
    up_to_date: Reports,
    remediations: Remediations<'a>,
    stale: StaleMachines,
    progress: Progress<'a>,
}

in_progress!(Facts);

/// Decides every table.
pub fn evaluate(input: Input<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let object = input.machine_set;
    object.spec.selector.validate("machineSet.spec.selector")?;
    let progress = Progress::new(mode, &object.metadata, &object.status.conditions);
    let (progress, is_paused) = paused(progress, "MachineSet", &object.metadata, input.cluster);
    let next_change =
        [stale_machines::next_change(&input.machines, mode.now), reports::next_change(&input.machines, mode.now)];
    let (progress, counting) = status_versions(progress, input.observed.machines_listed);
    let counted = || replica_counters::of_machines(&input.machines, |machine| !machine.updating_in_place());
    let counters = if input.observed.machines_listed { counted() } else { object.status.counters() };
    let versions = match counting {
        Act::Count => versions::of_machines(&input.machines),
        Act::Keep => counters.versions,
        Act::LeaveOut => Vec::new(),
    };
    let counters = Replicas { versions, ..counters };
    let scaling = |current: usize| Scaling::of(&object.metadata, object.spec.replicas, number(current));
    let reconciled = !is_paused && !object.metadata.in_deletion() && input.observed.machines_listed;
    let acts = reconciled && mode.profile.has_owner_actions();
    let (owner_actions, explanations) = if acts { owner::actions(&input, mode) } else { Default::default() };
    let mut facts = Facts {
        growth: scaling(input.machines.len()),
        shrinkage: scaling(input.machines.iter().filter(|machine| !moved_in(machine)).count()),
        missing: MissingReferences::of(&object.spec.template, input.observed),
        ready: Reports::ready(&input.machines),
        up_to_date: Reports::up_to_date(&input.machines, mode.now),
        remediations: Remediations::of(&input.machines),
        stale: StaleMachines::of(&input.machines, mode.now),
        progress,
        input,
    };
    for table in TABLES {
        decide(table, &mut facts);
    }
    let selector = Some(object.spec.selector.to_string());
    let status = Status { selector, replicas: counters, ..Status::default() };
    let mut evaluation = Evaluation::of(Kind::MachineSet, &object.metadata, facts.progress, status);
    evaluation.owner_actions = owner_actions;
    evaluation.explanations.extend(explanations);
    evaluation.next_change = next_change.into_iter().flatten().min();
    Ok(evaluation)
}

/// A machine that came from another MachineSet is not one too many before the MachineDeployment has counted it here.
fn moved_in(machine: &Machine<'_>) -> bool {
    machine.metadata.annotation(annotation::PENDING_ACKNOWLEDGE_MOVE).is_some()
}

/// The MachineSet has a deletion timestamp.
fn in_deletion(s: &Facts<'_>) -> bool {
    s.input.machine_set.metadata.in_deletion()
}

/// The Machines could not be listed.
fn machines_not_listed(s: &Facts<'_>) -> bool {
    !s.input.observed.machines_listed
}

/// The tables of what a MachineSet does next.
pub fn owner_tables() -> [TableDescription; 4] {
    [PREFLIGHT_CHECKS.describe(), OWNER_REMEDIATED.describe(), IN_PLACE_UPDATE.describe(), SCALE.describe()]
}
