//! Cluster: its facts and its tables.

mod available;
mod control_plane_available;
mod control_plane_initialized;
mod control_plane_machines_ready;
mod control_plane_machines_up_to_date;
mod deleting;
mod descendants;
mod infrastructure_ready;
mod phase;
mod remediating;
mod remote_connection_probe;
mod replicas;
mod rolling_out;
mod scaling_down;
mod scaling_up;
pub mod status_workers;
mod topology;
mod topology_reconciled;
mod worker_machines_ready;
mod worker_machines_up_to_date;
mod workers_available;

pub use available::AVAILABLE;
pub use control_plane_available::CONTROL_PLANE_AVAILABLE;
pub use control_plane_initialized::CONTROL_PLANE_INITIALIZED;
pub use control_plane_machines_ready::CONTROL_PLANE_MACHINES_READY;
pub use control_plane_machines_up_to_date::CONTROL_PLANE_MACHINES_UP_TO_DATE;
pub use deleting::DELETING;
pub use infrastructure_ready::INFRASTRUCTURE_READY;
pub use remediating::REMEDIATING;
pub use remote_connection_probe::REMOTE_CONNECTION_PROBE;
pub use rolling_out::ROLLING_OUT;
pub use scaling_down::SCALING_DOWN;
pub use scaling_up::SCALING_UP;
pub use topology_reconciled::TOPOLOGY_RECONCILED;
pub use worker_machines_ready::WORKER_MACHINES_READY;
pub use worker_machines_up_to_date::WORKER_MACHINES_UP_TO_DATE;
pub use workers_available::WORKERS_AVAILABLE;

use self::descendants::Descendants;
use self::topology::Topology;
use super::deletion::Deletion;
use super::paused::paused;
use super::remediations::Remediations;
use super::reports::{self, Reports};
use super::status_versions::status_versions;
use crate::aggregate::Polarity;
use crate::mirror::Referenced;
use crate::outcome::{Evaluation, Status};
use crate::progress::{Mode, Progress, decide};
use crate::snapshot::Kind;
use crate::summary::Summary;
use crate::table::{Table, in_progress, subject};
use crate::time::Time;
use crate::view::Cluster;
use std::cell::OnceCell;

/// A Cluster.
pub struct OfCluster;

subject!(OfCluster, Facts, Problem);

/// What keeps a decision about a Cluster from being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The topology does not say which version the control plane should have.
    NoControlPlaneVersion,
}

impl Problem {
    fn in_words(self) -> String {
        match self {
            Self::NoControlPlaneVersion => "the control plane has no spec.version".to_owned(),
        }
    }
}

/// The tables in the order in which they are decided.
pub static TABLES: &[&Table<OfCluster>] = &[
    &TOPOLOGY_RECONCILED,
    &REMOTE_CONNECTION_PROBE,
    &INFRASTRUCTURE_READY,
    &CONTROL_PLANE_AVAILABLE,
    &CONTROL_PLANE_INITIALIZED,
    &WORKERS_AVAILABLE,
    &CONTROL_PLANE_MACHINES_READY,
    &WORKER_MACHINES_READY,
    &CONTROL_PLANE_MACHINES_UP_TO_DATE,
    &WORKER_MACHINES_UP_TO_DATE,
    &ROLLING_OUT,
    &SCALING_UP,
    &SCALING_DOWN,
    &REMEDIATING,
    &DELETING,
    &AVAILABLE,
];

/// A Cluster and what belongs to it.
pub type Input<'a> = super::input::Input<'a, Cluster<'a>>;

/// What the guards read.
pub struct Facts<'a> {
    input: Input<'a>,
    deletion: Deletion<'a>,
    infrastructure: Referenced<'a>,
    control_plane: Referenced<'a>,
    descendants: Descendants<'a>,
    topology: Topology<'a>,
    workers_available: Reports,
    control_plane_machines_ready: Reports,
    worker_machines_ready: Reports,
    control_plane_machines_up_to_date: Reports,
    worker_machines_up_to_date: Reports,
    rolling_out: Reports,
    scaling_up: Reports,
    scaling_down: Reports,
    remediations: Remediations<'a>,
    /// Summarized when the table of `Available` asks, since that is when all it reads is decided.
    summary: OnceCell<Summary>,
    progress: Progress<'a>,
}

in_progress!(Facts);

impl<'a> Facts<'a> {
    fn of(input: Input<'a>, progress: Progress<'a>) -> Self {
        let now = progress.mode.now;
        let control_plane = Referenced::new(
            &input.object.spec.control_plane_ref,
            input.control_plane,
            input.observed.control_plane_not_found,
        );
        let descendants = Descendants::of(&input);
        let deployments = || descendants.machine_deployments();
        let movers = |condition: &str| {
            let control_plane = descendants::reporting(&control_plane, condition);
            control_plane.into_iter().chain(deployments()).chain(descendants.machine_sets())
        };
        Self {
            deletion: Deletion::of(&input.object.metadata, input.observed),
            infrastructure: Referenced::new(
                &input.object.spec.infrastructure_ref,
                input.infra_cluster,
                input.observed.infra_cluster_not_found,
            ),
            workers_available: Reports::of(deployments(), "Available", Polarity::Positive),
            control_plane_machines_ready: Reports::ready(&descendants.control_plane_machines),
            worker_machines_ready: Reports::ready(&descendants.worker_machines),
            control_plane_machines_up_to_date: Reports::up_to_date(&descendants.control_plane_machines, now),
            worker_machines_up_to_date: Reports::up_to_date(&descendants.worker_machines, now),
            rolling_out: Reports::of(
                descendants::reporting(&control_plane, "RollingOut").into_iter().chain(deployments()),
                "RollingOut",
                Polarity::Negative,
            ),
            scaling_up: Reports::of(movers("ScalingUp"), "ScalingUp", Polarity::Negative),
            scaling_down: Reports::of(movers("ScalingDown"), "ScalingDown", Polarity::Negative),
            remediations: Remediations::of(&descendants.machines()),
            summary: OnceCell::new(),
            topology: Topology::of(input.observed.topology.as_ref(), input.object),
            control_plane,
            descendants,
            progress,
            input,
        }
    }

    fn next_change(&self) -> Option<Time> {
        let now = self.progress.mode.now;
        let probe = remote_connection_probe::lost_at(self).filter(|moment| *moment > now);
        let expected = [&self.descendants.control_plane_machines, &self.descendants.worker_machines]
            .map(|machines| reports::next_change(machines, now));
        probe.into_iter().chain(expected.into_iter().flatten()).min()
    }
}

/// Decides every table.
pub fn evaluate(input: Input<'_>, mode: Mode) -> Evaluation {
    let object = input.object;
    let stored = (&object.metadata, &*object.status.conditions);
    let (progress, _) = paused(mode, Kind::Cluster, stored, Some(object));
    let (progress, counting) = status_versions(progress, input.observed.descendants_listed);
    let (progress, pools) = status_workers::status_workers(progress);
    let mut facts = Facts::of(input, progress);
    let problems = TABLES.iter().filter_map(|table| decide(table, &mut facts).act).collect::<Vec<_>>();
    let phase = phase::phase(object);
    let status = Status {
        phase: Some(phase),
        control_plane: Some(replicas::of_control_plane(&facts, counting)),
        workers: Some(replicas::of_workers(&facts, counting, pools)),
        control_plane_upgrade_plan: facts.topology.control_plane_plan(),
        workers_upgrade_plan: facts.topology.workers_plan(),
        ..Status::default()
    };
    let next_change = facts.next_change();
    let mut evaluation = facts.progress.evaluation(Kind::Cluster, &object.metadata, status);
    evaluation.next_change = next_change;
    evaluation.events.extend(phase::change(object, phase));
    evaluation.error = problems.first().map(|problem| problem.in_words());
    evaluation
}

/// The objects of the Cluster could not be listed.
fn descendants_not_listed(s: &Facts<'_>) -> bool {
    !s.input.observed.descendants_listed
}

/// Whether the control plane exists is not known, though there should be one.
fn control_plane_unreadable(s: &Facts<'_>) -> bool {
    s.control_plane.referenced() && s.control_plane.unreadable()
}

/// The Cluster's objects come from its topology.
fn has_topology(s: &Facts<'_>) -> bool {
    s.input.object.spec.topology.is_defined()
}

/// `Waiting for cluster topology to be reconciled`; nothing while the Cluster is being deleted.
fn waiting_for_topology(s: &Facts<'_>) -> String {
    if s.deletion.in_deletion() { String::new() } else { "Waiting for cluster topology to be reconciled".to_owned() }
}

/// `status.initialization.controlPlaneInitialized` of the Cluster.
fn initialized(s: &Facts<'_>) -> bool {
    s.input.object.status.initialization.control_plane_initialized
}

/// `status.initialization.infrastructureProvisioned` of the Cluster.
fn provisioned(s: &Facts<'_>) -> bool {
    s.input.object.status.initialization.infrastructure_provisioned
}
