//! KubeadmControlPlane: its facts and its tables.

mod available;
mod deleting;
mod etcd;
mod health;
mod initialization;
mod initialized;
mod last_remediation;
mod machines_ready;
mod machines_up_to_date;
mod preflight;
mod remediating;
mod rolling_out;
mod scaling_down;
mod scaling_up;

pub use available::AVAILABLE;
pub use deleting::DELETING;
pub use initialized::INITIALIZED;
pub use machines_ready::MACHINES_READY;
pub use machines_up_to_date::MACHINES_UP_TO_DATE;
pub use remediating::REMEDIATING;
pub use rolling_out::ROLLING_OUT;
pub use scaling_down::SCALING_DOWN;
pub use scaling_up::SCALING_UP;

use self::etcd::Etcd;
use self::health::Tally;
use self::initialization::Initialization;
use super::deletion::Deletion;
use super::lowest_version::lowest;
use super::missing_references::MissingReferences;
use super::paused::paused;
use super::remediations::Remediations;
use super::replica_counters::{self, number};
use super::reports::{self, Reports};
use super::rollout::Rollout;
use super::scaling::Scaling;
use super::stale_machines::{self, StaleMachines};
use crate::observed::Observed;
use crate::outcome::{Evaluation, LastRemediation, Status};
use crate::progress::{InProgress, Mode, Progress, decide};
use crate::snapshot::Kind;
use crate::sort::sort_by;
use crate::table::{Subject, Table};
use crate::time::Time;
use crate::view::{Cluster, KubeadmControlPlane, Machine, label};

/// A KubeadmControlPlane.
pub struct OfKubeadmControlPlane;

impl Subject for OfKubeadmControlPlane {
    type Facts<'a> = Facts<'a>;
    type Act = ();
}

/// The tables in the order in which they are decided.
pub static TABLES: &[&Table<OfKubeadmControlPlane>] = &[
    &INITIALIZED,
    &ROLLING_OUT,
    &SCALING_UP,
    &SCALING_DOWN,
    &MACHINES_READY,
    &MACHINES_UP_TO_DATE,
    &REMEDIATING,
    &DELETING,
    &AVAILABLE,
];

/// A KubeadmControlPlane and what belongs to it.
pub struct Input<'a> {
    /// The object.
    pub control_plane: &'a KubeadmControlPlane<'a>,
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
    deletion: Deletion<'a>,
    initialization: Initialization,
    scaling: Scaling,
    missing: MissingReferences<'a>,
    preflight: Vec<String>,
    rollout: Rollout<'a>,
    ready: Reports,
    up_to_date: Reports,
    remediations: Remediations<'a>,
    stale: StaleMachines,
    control_planes: Tally,
    etcd: Option<Etcd>,
    progress: Progress<'a>,
}

impl<'a> InProgress<'a> for Facts<'a> {
    fn progress(&mut self) -> &mut Progress<'a> {
        &mut self.progress
    }
}

/// Decides every table.
pub fn evaluate(mut input: Input<'_>, mode: Mode) -> Evaluation {
    let object = input.control_plane;
    // Where two machines have the same claim, the first one counts: whichever order they are listed in.
    sort_by(&mut input.machines, |a, b| {
        (&a.metadata.namespace, &a.metadata.name).cmp(&(&b.metadata.namespace, &b.metadata.name))
    });
    let noted = last_remediation::noted(&input);
    let mut facts = facts(input, mode);
    for table in TABLES {
        decide(table, &mut facts);
    }
    let not_asked = (facts.initialization == Initialization::NotAskable)
        .then(|| "the workload cluster could not be asked for the kubeadm ConfigMap".to_owned());
    let errors: Vec<_> = not_asked.into_iter().chain(noted.as_ref().err().map(ToString::to_string)).collect();
    let next_change = next_change(&facts);
    let status = status(&facts, noted.ok().flatten());
    let mut evaluation = Evaluation::of(Kind::KubeadmControlPlane, &object.metadata, facts.progress, status);
    evaluation.next_change = next_change;
    evaluation.error = (!errors.is_empty()).then(|| errors.join("; "));
    evaluation
}

fn facts(input: Input<'_>, mode: Mode) -> Facts<'_> {
    let (object, machines, now) = (input.control_plane, &input.machines, mode.now);
    let progress = Progress::new(mode, &object.metadata, &object.status.conditions);
    let (progress, _) = paused(progress, "KubeadmControlPlane", &object.metadata, input.cluster);
    let infrastructure = &object.spec.machine_template.spec.infrastructure_ref.kind;
    let members = input.observed.etcd_members.as_deref().filter(|_| object.manages_etcd());
    Facts {
        deletion: Deletion::of(&object.metadata, input.observed),
        initialization: Initialization::of(&input, &progress),
        scaling: Scaling::of(&object.metadata, object.spec.replicas, number(machines.len())),
        missing: MissingReferences::infrastructure(infrastructure, input.observed),
        preflight: preflight::obstacles(&input),
        rollout: Rollout::of(machines),
        ready: Reports::ready(machines),
        up_to_date: Reports::up_to_date(machines, now),
        remediations: Remediations::of(machines),
        stale: StaleMachines::of(machines, now),
        control_planes: health::control_planes(machines, object.manages_etcd(), now),
        etcd: members.map(|members| Etcd::of(members, machines, now)),
        progress,
        input,
    }
}

fn status(facts: &Facts<'_>, noted: Option<LastRemediation>) -> Status {
    let Input { control_plane, cluster, machines, .. } = &facts.input;
    let cluster_name = cluster.map(|cluster| &cluster.metadata.name);
    let cluster_name = cluster_name.or_else(|| control_plane.metadata.label(label::CLUSTER_NAME));
    let version = lowest(machines.iter().map(|m| &*m.spec.version)).unwrap_or(&control_plane.status.version);
    Status {
        selector: cluster_name.map(|name| format!("{}={name},{}", label::CLUSTER_NAME, label::CONTROL_PLANE)),
        version: (!version.is_empty()).then(|| version.to_owned()),
        control_plane_initialized: Some(facts.initialization.done()),
        replicas: replica_counters::of_machines(machines, |_| true),
        last_remediation: noted.or_else(|| last_remediation::stored(control_plane)),
        ..Status::default()
    }
}

fn next_change(facts: &Facts<'_>) -> Option<Time> {
    let (machines, now) = (&facts.input.machines, facts.progress.mode.now);
    let moments = [
        stale_machines::next_change(machines, now),
        reports::next_change(machines, now),
        health::next_change(machines, facts.input.control_plane.manages_etcd(), now),
        available::etcd_members_awaited_until(facts).filter(|moment| *moment > now),
    ];
    moments.into_iter().flatten().min()
}

fn failed_preflight_checks(s: &Facts<'_>) -> usize {
    s.preflight.len()
}
