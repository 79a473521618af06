//! MachinePool: its facts and its tables.
//!
//! Cluster API declares these conditions and sets none of them but `Paused`; under its profiles they stay as they are. Profile
//! `documented` decides them as the API describes them.

mod available;
mod bootstrap_config_ready;
mod deleting;
mod infrastructure_ready;
mod machines_ready;
mod machines_up_to_date;
mod remediating;
mod scaling_down;
mod scaling_up;
mod up_to_date;

pub use available::AVAILABLE;
pub use bootstrap_config_ready::BOOTSTRAP_CONFIG_READY;
pub use deleting::DELETING;
pub use infrastructure_ready::INFRASTRUCTURE_READY;
pub use machines_ready::MACHINES_READY;
pub use machines_up_to_date::MACHINES_UP_TO_DATE;
pub use remediating::REMEDIATING;
pub use scaling_down::SCALING_DOWN;
pub use scaling_up::SCALING_UP;
pub use up_to_date::UP_TO_DATE;

use self::up_to_date::PoolMachine;
use super::machines_decided::MachinesDecided;
use super::owned_machines::{OwnedMachines, facts_of_owner, in_deletion, machines_not_listed};
use super::paused::paused;
use super::replica_counters;
use super::scaling::Scaling;
use super::status_versions::{Act, status_versions};
use super::versions;
use crate::mirror::Referenced;
use crate::outcome::{Evaluation, Replicas, Status};
use crate::progress::{Mode, Progress, decide};
use crate::snapshot::Kind;
use crate::table::Table;
use capi_policy_json::Raw;

/// A MachinePool.
pub struct OfMachinePool;

facts_of_owner! { OfMachinePool, MachinePool:
    counters: Replicas,
    bootstrap: Referenced<'a>,
    infrastructure: Referenced<'a>,
    scaling: Scaling,
}

/// The tables in the order in which they are decided.
pub static TABLES: &[&Table<OfMachinePool>] = &[
    &BOOTSTRAP_CONFIG_READY,
    &INFRASTRUCTURE_READY,
    &AVAILABLE,
    &SCALING_UP,
    &SCALING_DOWN,
    &MACHINES_READY,
    &MACHINES_UP_TO_DATE,
    &REMEDIATING,
    &DELETING,
];

/// Decides every table.
pub fn evaluate(input: Input<'_>, mode: Mode) -> Evaluation {
    let object = input.object;
    let stored = (&object.metadata, &*object.status.conditions);
    let (progress, is_paused) = paused(mode, Kind::MachinePool, stored, input.cluster);
    let (progress, counting) = status_versions(progress, counts_machines(&input));
    let decided = decide_machines(&input, is_paused, mode);
    let machines = decided.updated(&input.machines);
    let input = Input { machines: machines.iter().collect(), ..input };
    let (template, observed) = (&object.spec.template.spec, input.observed);
    let bootstrap = &template.bootstrap.config_ref;
    let bootstrap = Referenced::new(bootstrap, input.bootstrap_config, observed.bootstrap_config_not_found);
    let infrastructure = &template.infrastructure_ref;
    let infrastructure = Referenced::new(infrastructure, input.infra_machine_pool, observed.infra_machine_not_found);
    let scaling = Scaling::of(&object.metadata, object.spec.replicas, object.status.replicas.unwrap_or(0));
    let counters = counters(&input, counting);
    let owned = OwnedMachines::of(&input.machines, mode.now);
    let OwnedMachines { ready, up_to_date, remediations, stale, next_change } = owned;
    let mut facts =
        Facts { input, counters, bootstrap, infrastructure, scaling, ready, up_to_date, remediations, stale, progress };
    for table in TABLES {
        decide(table, &mut facts);
    }
    let status = Status { replicas: facts.counters.clone(), ..Status::default() };
    facts.progress.add_explanations(decided.explanations);
    let mut evaluation = facts.progress.evaluation(Kind::MachinePool, &object.metadata, status);
    evaluation.machine_conditions = decided.machines;
    evaluation.next_change = next_change;
    evaluation
}

fn decide_machines(input: &Input<'_>, paused: bool, mode: Mode) -> MachinesDecided {
    let mut decided = MachinesDecided::default();
    for machine in &input.machines {
        let mut progress = Progress::new(mode, &machine.metadata, &machine.status.conditions);
        progress.machine = &machine.metadata.name;
        let mut facts = PoolMachine { pool: input.object, paused, machine, progress };
        decide(&UP_TO_DATE, &mut facts);
        decided.add(machine, facts.progress);
    }
    decided
}

/// Whether the infrastructure has a Machine for each replica, and they were listed.
fn counts_machines(input: &Input<'_>) -> bool {
    let kind = input.infra_machine_pool.and_then(|object| object.status.member("infrastructureMachineKind"));
    let kind = kind.and_then(Raw::as_str);
    input.observed.machines_listed && kind.is_some_and(|kind| !kind.is_empty())
}

/// The replicas by what their Machines report. Without Machines all that the infrastructure has count as ready and available;
/// where the infrastructure was not read, the counters stay as they are.
fn counters(input: &Input<'_>, counting: Act) -> Replicas {
    let object = input.object;
    let stored = object.status.counters();
    let versions = counting.versions(|| versions::of_machines(&input.machines), &stored.versions);
    if counts_machines(input) {
        let counted = replica_counters::of_machines(&input.machines, |_| true);
        Replicas { replicas: stored.replicas, versions, ..counted }
    } else if input.infra_machine_pool.is_some() && input.observed.machines_listed {
        Replicas {
            ready_replicas: stored.replicas,
            available_replicas: stored.replicas,
            up_to_date_replicas: object.spec.replicas,
            versions,
            ..stored
        }
    } else {
        Replicas { versions, ..stored }
    }
}

/// Cluster API declares the condition and does not set it.
fn not_set_by_cluster_api(_: &Facts<'_>) -> bool {
    true
}

/// How many Machines the MachinePool has.
fn machines(s: &Facts<'_>) -> usize {
    s.input.machines.len()
}

/// How many replicas are available.
fn available_replicas(s: &Facts<'_>) -> i64 {
    s.counters.available_replicas.unwrap_or(0)
}

/// Nobody counts available replicas.
fn available_replicas_not_set(s: &Facts<'_>) -> bool {
    s.counters.available_replicas.is_none()
}
