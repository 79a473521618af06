//! KubeadmControlPlane: its facts and its tables.

mod api_server_pod_healthy;
mod available;
mod certificates;
mod certificates_available;
mod control_plane_components_healthy;
mod control_plane_machine;
mod controller_manager_pod_healthy;
mod deleting;
mod etcd;
mod etcd_cluster_healthy;
mod etcd_member_healthy;
mod etcd_members;
mod etcd_pod_healthy;
mod failure_domains;
mod health;
mod initialization;
mod initialized;
mod inspection;
mod kubeadm_config;
mod last_remediation;
mod leadership;
mod machine_conditions;
mod machine_facts;
mod machines_ready;
mod machines_up_to_date;
mod members;
mod next_step;
mod node_kubeadm_labels_and_taints_set;
mod owner;
mod owner_remediated;
mod pre_terminate_hook;
mod preflight;
mod preflight_checks;
mod projection;
mod remediating;
mod reported_health;
mod retries;
mod rolling_out;
mod scaling_down;
mod scaling_up;
mod scheduler_pod_healthy;
mod static_pod;
mod topology;
mod up_to_date;
mod worst_off;

pub use available::AVAILABLE;
pub use certificates_available::CERTIFICATES_AVAILABLE;
pub use control_plane_components_healthy::CONTROL_PLANE_COMPONENTS_HEALTHY;
pub use deleting::DELETING;
pub use etcd_cluster_healthy::ETCD_CLUSTER_HEALTHY;
pub use etcd_members::ETCD_MEMBERS;
pub use initialized::INITIALIZED;
pub use machine_conditions::MACHINE_TABLES;
pub use machines_ready::MACHINES_READY;
pub use machines_up_to_date::MACHINES_UP_TO_DATE;
pub use next_step::NEXT_STEP;
pub use owner_remediated::OWNER_REMEDIATED;
pub use pre_terminate_hook::PRE_TERMINATE_HOOK;
pub use preflight_checks::PREFLIGHT_CHECKS;
pub use remediating::REMEDIATING;
pub use rolling_out::ROLLING_OUT;
pub use scaling_down::SCALING_DOWN;
pub use scaling_up::SCALING_UP;

use self::certificates::Certificates;
use self::etcd::Etcd;
use self::health::Tally;
use self::initialization::Initialization;
use self::inspection::Inspection;
use self::members::Members;
use self::reported_health::ReportedHealth;
use super::deletion::Deletion;
use super::missing_references::MissingReferences;
use super::owned_machines::{OwnedMachines, facts_of_owner};
use super::owners;
use super::paused::paused;
use super::replica_counters::{self, number};
use super::rollout::Rollout;
use super::scaling::Scaling;
use super::status_versions::{Act, status_versions};
use super::versions;
use crate::outcome::{Evaluation, LastRemediation, Replicas, Status};
use crate::progress::{Mode, Progress, decide};
use crate::snapshot::Kind;
use crate::sorted::Sorted;
use crate::table::{Table, TableDescription};
use crate::time::Time;
use crate::view::label;

/// A KubeadmControlPlane.
pub struct OfKubeadmControlPlane;

facts_of_owner! { OfKubeadmControlPlane, KubeadmControlPlane:
    deletion: Deletion<'a>,
    inspection: &'a Inspection<'a>,
    members: &'a Members<'a>,
    components: ReportedHealth,
    etcd_members: ReportedHealth,
    certificates: Certificates,
    missing: MissingReferences<'a>,
    initialization: Initialization,
    scaling: Scaling,
    preflight: Vec<String>,
    rollout: Rollout<'a>,
    control_planes: Tally,
    etcd: Option<Etcd>,
}

/// The tables in the order in which they are decided.
pub static TABLES: &[&Table<OfKubeadmControlPlane>] = &[
    &CERTIFICATES_AVAILABLE,
    &CONTROL_PLANE_COMPONENTS_HEALTHY,
    &ETCD_CLUSTER_HEALTHY,
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

/// Decides every table.
pub fn evaluate(mut input: Input<'_>, mode: Mode) -> Evaluation {
    let object = input.object;
    // Where two machines have the same claim, the first one counts: whichever order they are listed in.
    input
        .machines
        .order_by(|a, b| (&a.metadata.namespace, &a.metadata.name).cmp(&(&b.metadata.namespace, &b.metadata.name)));
    let noted = last_remediation::noted(&input);
    let stored = (&object.metadata, &*object.status.conditions);
    let (progress, is_paused) = paused(mode, Kind::KubeadmControlPlane, stored, input.cluster);
    let acts = owners::decides(mode, is_paused, &object.metadata);
    let next = if acts { owner::actions(&input, mode) } else { owners::Decided::default() };
    let inspection = Inspection::of(&input, mode.now);
    let members = Members::of(&inspection, &input.machines, mode.now);
    let decided = machine_conditions::decide_all(&input, &inspection, &members, mode);
    let machines = decided.updated(&input.machines);
    let input = Input { machines: machines.iter().collect(), ..input };
    let (mut facts, owned_change) = facts(input, &inspection, &members, progress);
    for table in TABLES {
        decide(table, &mut facts);
    }
    let not_asked = (facts.initialization == Initialization::NotAskable)
        .then(|| "the workload cluster could not be asked for the kubeadm ConfigMap".to_owned());
    let unread = [inspection.error(), facts.certificates.error()].into_iter().flatten().map(ToOwned::to_owned);
    let errors: Vec<_> =
        not_asked.into_iter().chain(unread).chain(noted.as_ref().err().map(ToString::to_string)).collect();
    let next_change = [owned_change, next_change(&facts), decided.next_change, inspection.next_change(mode.now)];
    let (progress, counting) = status_versions(facts.progress, true);
    facts.progress = progress;
    let status = status(&facts, counting, noted.ok().flatten());
    facts.progress.add_explanations(decided.explanations);
    let mut evaluation = facts.progress.evaluation(Kind::KubeadmControlPlane, &object.metadata, status);
    evaluation.machine_conditions = decided.machines;
    evaluation.next_change = next_change.into_iter().flatten().min();
    owners::note(next, &mut evaluation);
    evaluation.error = (!errors.is_empty()).then(|| errors.join("; "));
    evaluation
}

/// The facts, and the next moment at which time alone changes what the Machines report.
fn facts<'a>(
    input: Input<'a>,
    inspection: &'a Inspection<'a>,
    members: &'a Members<'a>,
    progress: Progress<'a>,
) -> (Facts<'a>, Option<Time>) {
    let (object, machines, now) = (input.object, &input.machines, progress.mode.now);
    let infrastructure = &object.spec.machine_template.spec.infrastructure_ref.kind;
    let listed = members.list().or(input.observed.etcd_members.as_deref()).filter(|_| inspection.manages_etcd);
    let owned = OwnedMachines::of(machines, now);
    let facts = Facts {
        deletion: Deletion::of(&object.metadata, input.observed),
        inspection,
        members,
        components: machine_conditions::of_components(machines, inspection),
        etcd_members: ReportedHealth::of(machines, &["EtcdMemberHealthy"], &members.strays),
        certificates: Certificates::of(&input),
        initialization: Initialization::of(&input, &progress),
        scaling: Scaling::of(&object.metadata, object.spec.replicas, number(machines.len())),
        missing: MissingReferences::infrastructure(infrastructure, input.observed),
        preflight: preflight::obstacles(&input),
        rollout: Rollout::of(machines),
        ready: owned.ready,
        up_to_date: owned.up_to_date,
        remediations: owned.remediations,
        stale: owned.stale,
        control_planes: health::control_planes(machines, inspection.manages_etcd, now),
        etcd: listed.map(|members| Etcd::of(members, machines, now)),
        progress,
        input,
    };
    (facts, owned.next_change)
}

fn status(facts: &Facts<'_>, counting: Act, noted: Option<LastRemediation>) -> Status {
    let Input { object: control_plane, cluster, machines, .. } = &facts.input;
    let cluster_name = cluster.map(|cluster| &cluster.metadata.name);
    let cluster_name = cluster_name.or_else(|| control_plane.metadata.label(label::CLUSTER_NAME));
    let versions = if counting == Act::Count { versions::of_machines(machines) } else { Vec::new() };
    let lowest = match counting {
        Act::Count => versions.first().map(|first| &*first.version),
        Act::Keep | Act::LeaveOut => versions::lowest(machines.iter().map(|m| &*m.spec.version)),
    };
    let version = lowest.unwrap_or(&control_plane.status.version).to_owned();
    Status {
        selector: cluster_name.map(|name| format!("{}={name},{}", label::CLUSTER_NAME, label::CONTROL_PLANE)),
        version: (!version.is_empty()).then_some(version),
        control_plane_initialized: Some(facts.initialization.done()),
        replicas: Replicas { versions, ..replica_counters::of_machines(machines, |_| true) },
        last_remediation: noted.or_else(|| last_remediation::stored(control_plane)),
        ..Status::default()
    }
}

fn next_change(facts: &Facts<'_>) -> Option<Time> {
    let (machines, now) = (&facts.input.machines, facts.progress.mode.now);
    let moments = [
        health::next_change(machines, facts.inspection.manages_etcd, now),
        available::etcd_members_awaited_until(facts).filter(|moment| *moment > now),
    ];
    moments.into_iter().flatten().min()
}

fn failed_preflight_checks(s: &Facts<'_>) -> usize {
    s.preflight.len()
}

/// The tables of what a KubeadmControlPlane does next.
pub fn owner_tables() -> [TableDescription; 5] {
    [
        ETCD_MEMBERS.describe(),
        PRE_TERMINATE_HOOK.describe(),
        OWNER_REMEDIATED.describe(),
        PREFLIGHT_CHECKS.describe(),
        NEXT_STEP.describe(),
    ]
}
