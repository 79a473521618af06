//! MachineSet: its facts and its tables.

mod deleting;
mod machines_ready;
mod machines_up_to_date;
mod remediating;
mod scaling_down;
mod scaling_up;

pub use deleting::DELETING;
pub use machines_ready::MACHINES_READY;
pub use machines_up_to_date::MACHINES_UP_TO_DATE;
pub use remediating::REMEDIATING;
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
use crate::progress::{InProgress, Mode, Progress, decide};
use crate::snapshot::Kind;
use crate::table::{Subject, Table};
use crate::view::{Cluster, Machine, MachineSet, annotation};

/// A MachineSet.
pub struct OfMachineSet;

impl Subject for OfMachineSet {
    type Facts<'a> = Facts<'a>;
    type Act = ();
}

/// The tables in the order in which they are decided.
pub static TABLES: &[&Table<OfMachineSet>] =
    &[&SCALING_UP, &SCALING_DOWN, &MACHINES_READY, &MACHINES_UP_TO_DATE, &REMEDIATING, &DELETING];

/// A MachineSet and what belongs to it.
pub struct Input<'a> {
    /// The object.
    pub machine_set: &'a MachineSet<'a>,
    /// Its Cluster.
    pub cluster: Option<&'a Cluster<'a>>,
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

impl<'a> InProgress<'a> for Facts<'a> {
    fn progress(&mut self) -> &mut Progress<'a> {
        &mut self.progress
    }
}

/// Decides every table.
pub fn evaluate(input: Input<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let object = input.machine_set;
    object.spec.selector.validate("machineSet.spec.selector")?;
    let progress = Progress::new(mode, &object.metadata, &object.status.conditions);
    let (progress, _) = paused(progress, "MachineSet", &object.metadata, input.cluster);
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
