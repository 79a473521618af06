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
use super::paused::paused;
use super::remediations::Remediations;
use super::replica_counters;
use super::reports::{self, Reports};
use super::rollout::Rollout;
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
use crate::view::{Cluster, Machine, MachineDeployment, MachineSet};

/// A MachineDeployment.
pub struct OfMachineDeployment;

subject!(OfMachineDeployment, Facts, ());

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

/// A MachineDeployment and what belongs to it.
pub struct Input<'a> {
    /// The object.
    pub machine_deployment: &'a MachineDeployment<'a>,
    /// Its MachineSets.
    pub machine_sets: Vec<&'a MachineSet<'a>>,
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
    counters: Replicas,
    scaling: Scaling,
    missing: MissingReferences<'a>,
    rollout: Rollout<'a>,
    ready: Reports,
    up_to_date: Reports,
    remediations: Remediations<'a>,
    stale: StaleMachines,
    progress: Progress<'a>,
}

in_progress!(Facts);

/// Decides every table.
pub fn evaluate(input: Input<'_>, mode: Mode) -> Result<Evaluation, Error> {
    let object = input.machine_deployment;
    object.spec.selector.validate("machineDeployment.spec.selector")?;
    let progress = Progress::new(mode, &object.metadata, &object.status.conditions);
    let (progress, is_paused) = paused(progress, "MachineDeployment", &object.metadata, input.cluster);
    let next_change =
        [stale_machines::next_change(&input.machines, mode.now), reports::next_change(&input.machines, mode.now)];
    let (progress, counting) = status_versions(progress, input.observed.machine_sets_listed);
    let counted = replica_counters::of_machine_sets(&input.machine_sets);
    let current = counted.replicas.unwrap_or(0);
    let counters = if input.observed.machine_sets_listed { counted } else { object.status.counters() };
    let versions = match counting {
        Act::Count => versions::of_machine_sets(&input.machine_sets),
        Act::Keep => counters.versions,
        Act::LeaveOut => Vec::new(),
    };
    let reconciled = !is_paused && !object.metadata.in_deletion() && input.observed.machine_sets_listed;
    let acts = reconciled && mode.profile.has_owner_actions();
    let (owner_actions, explanations) = if acts { owner::actions(&input, mode) } else { Default::default() };
    let mut facts = Facts {
        scaling: Scaling::of(&object.metadata, object.spec.replicas, current),
        counters: Replicas { versions, ..counters },
        missing: MissingReferences::of(&object.spec.template, input.observed),
        rollout: Rollout::of(&input.machines),
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
    let status = Status {
        phase: Some(phase(&facts)),
        selector: Some(object.spec.selector.to_string()),
        replicas: facts.counters.clone(),
        ..Status::default()
    };
    let mut evaluation = Evaluation::of(Kind::MachineDeployment, &object.metadata, facts.progress, status);
    evaluation.owner_actions = owner_actions;
    evaluation.explanations.extend(explanations);
    let planned = crate::rules::owner::next_change(&evaluation.owner_actions);
    evaluation.next_change = next_change.into_iter().flatten().chain(planned).min();
    Ok(evaluation)
}

fn phase(facts: &Facts<'_>) -> &'static str {
    if !facts.input.observed.machine_sets_listed || facts.scaling.replicas_not_set() {
        "Unknown"
    } else if facts.input.machine_deployment.metadata.in_deletion() || facts.scaling.too_many_replicas() {
        "ScalingDown"
    } else if facts.scaling.too_few_replicas() {
        "ScalingUp"
    } else {
        "Running"
    }
}

/// The MachineDeployment has a deletion timestamp.
fn in_deletion(s: &Facts<'_>) -> bool {
    s.input.machine_deployment.metadata.in_deletion()
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
