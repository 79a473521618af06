#![doc = include_str!("up_to_date.md")]

use super::control_plane_machine::{Inspected, OfControlPlaneMachine};
use crate::rules::versions::same_release;
use crate::table::{Table, facts, otherwise, row};
use crate::time::Time;
use crate::view::annotation;

const DAY: i64 = 24 * 60 * 60;

/// Whether a control-plane Machine is what its control plane wants.
#[rustfmt::skip]
pub static UP_TO_DATE: Table<OfControlPlaneMachine> = Table {
    id: "KCP-MUT",
    kind: "KubeadmControlPlane",
    condition: "UpToDate",
    about: "A Machine is compared with what the control plane would make now: its version, how kubeadm sets it up, the template of its infrastructure, and when it has to be replaced anyway. What does not exist counts as equal; where it was not read, the condition stays as it is.",
    source: "Cluster API v1.14.2, `controlplane/kubeadm`",
    facts: facts![not_compared, outdated, updating_in_place, kubelet_version, eligible_for_in_place_update; requirements, update, version],
    rows: &[
        // row, when, status, reason, message
        row!("KCP-MUT-1", inspection.too_early_for_machines => keep),
        row!("KCP-MUT-7", not_compared                      => keep),
        row!("KCP-MUT-2", outdated                          => False, "NotUpToDate", "{requirements}"),
        row!("KCP-MUT-3", updating_in_place                 => False, "Updating", "* {update}"),
        row!("KCP-MUT-4", only cluster_api_v1_14, kubelet_differs => False, "Updating", "* Node.status.nodeInfo.kubeletVersion {kubelet_version}, {version} required"),
        row!("KCP-MUT-6", only documented, kubelet_of_another_release => False, "Updating", "* Node.status.nodeInfo.kubeletVersion {kubelet_version}, {version} required"),
        row!("KCP-MUT-5", otherwise                         => True,  "UpToDate", ""),
    ],
};

/// The Machine's KubeadmConfig or infrastructure could not be read.
fn not_compared(m: &Inspected<'_>) -> bool {
    m.inspection.not_compared.contains(&m.machine.metadata.name)
}

/// What differs, a line each.
fn requirements(m: &Inspected<'_>) -> String {
    let (machine, wanted) = (m.machine, m.control_plane);
    let lines = [
        certificates_expire(m).then(|| "Certificates will expire soon".to_owned()),
        rollout_due(m).then(|| "KubeadmControlPlane spec.rolloutAfter expired".to_owned()),
        (machine.spec.version != wanted.spec.version)
            .then(|| format!("Version {}, {} required", machine.spec.version, wanted.spec.version)),
        m.config_differs().then(|| "KubeadmConfig is not up-to-date".to_owned()),
        m.infrastructure_differs().then(|| format!("{} is not up-to-date", machine.spec.infrastructure_ref.kind)),
    ];
    lines.into_iter().flatten().map(|line| format!("* {line}")).collect::<Vec<_>>().join("\n")
}

/// Something differs from what the control plane wants, its certificates expire soon, or a rollout is due.
fn outdated(m: &Inspected<'_>) -> bool {
    !requirements(m).is_empty()
}

fn certificates_expire(m: &Inspected<'_>) -> bool {
    certificates_due(m).is_some_and(|moment| moment <= m.progress.mode.now)
}

fn rollout_due(m: &Inspected<'_>) -> bool {
    rollout_at(m).is_some_and(|moment| moment <= m.progress.mode.now)
}

/// The first moment at which the Machine's certificates expire too soon.
fn certificates_due(m: &Inspected<'_>) -> Option<Time> {
    let days = m.control_plane.spec.rollout.before.certificates_expiry_days;
    let expiry = m.machine.status.certificates_expiry_date?;
    (days != 0).then(|| expiry.plus(1_i64.saturating_sub(days.saturating_mul(DAY))))
}

/// The first moment at which a Machine of that age has to be replaced.
fn rollout_at(m: &Inspected<'_>) -> Option<Time> {
    let after = m.control_plane.spec.rollout.after?;
    let made = m.machine.metadata.creation_timestamp.unwrap_or(Time::ZERO);
    (made < after).then(|| after.plus(1))
}

/// The next moment at which time alone makes the Machine outdated.
pub fn next_change(m: &Inspected<'_>) -> Option<Time> {
    let moments = [certificates_due(m), rollout_at(m)];
    moments.into_iter().flatten().filter(|moment| *moment > m.progress.mode.now).min()
}

/// The Machine is being updated in place.
fn updating_in_place(m: &Inspected<'_>) -> bool {
    m.machine.updating_in_place()
}

/// The message of `Updating`, or `In-place update in progress`.
fn update(m: &Inspected<'_>) -> String {
    let updating = m.progress.current("Updating").filter(|c| c.status == "True" && !c.message.is_empty());
    updating.map_or_else(|| "In-place update in progress".to_owned(), |c| c.message.to_owned())
}

/// The version that the kubelet reports.
fn kubelet_version(m: &Inspected<'_>) -> String {
    m.machine.status.node_info.kubelet_version.to_string()
}

/// `spec.version` of the Machine.
fn version(m: &Inspected<'_>) -> String {
    m.machine.spec.version.to_string()
}

/// The kubelet reports another version than `spec.version` of the Machine.
fn kubelet_differs(m: &Inspected<'_>) -> bool {
    let kubelet = &m.machine.status.node_info.kubelet_version;
    !kubelet.is_empty() && *kubelet != m.machine.spec.version
}

/// Compared as versions: what a provider adds to the version does not count.
fn kubelet_of_another_release(m: &Inspected<'_>) -> bool {
    kubelet_differs(m) && !same_release(&m.machine.status.node_info.kubelet_version, &m.machine.spec.version)
}

/// Only a Machine that does not have to be replaced anyway is updated where it is.
fn eligible_for_in_place_update(m: &Inspected<'_>) -> bool {
    let marked = [annotation::DELETE_MACHINE, annotation::REMEDIATE_MACHINE];
    let marked = marked.iter().any(|key| m.machine.metadata.annotation(key).is_some());
    outdated(m) && !marked && !certificates_expire(m) && !rollout_due(m)
}
