#![doc = include_str!("owner_remediated.md")]

use super::Input;
use super::leadership;
use super::projection::{
    self, EtcdProjection, Projected, members_after, members_now, quorum_after, unhealthy_after, voting_after,
};
use super::retries::{self, Retries};
use super::topology;
use crate::progress::Progress;
use crate::table::{Table, facts, in_progress, otherwise, row, subject};
use crate::time::Time;
use crate::view::{ConditionsExt, Machine};

/// A KubeadmControlPlane with machines that may have to be remediated.
pub struct RemediatingControlPlane;

/// What the guards read.
pub struct Remediation<'a> {
    /// The control plane and what belongs to it.
    pub input: &'a Input<'a>,
    /// The machine that is looked at.
    pub machine: Option<&'a Machine<'a>>,
    /// Whether the control plane has noted a remediation that goes on; an error when the note can't be read.
    pub in_progress: Result<bool, String>,
    /// Where the machine stands in a row of remediations.
    pub retries: Result<Retries, String>,
    /// The time of the evaluation.
    pub now: Time,
    /// What is decided about the machine.
    pub progress: Progress<'a>,
}

/// What becomes of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// It is healthy again: the mark for the owner is removed.
    Unmark,
    /// It stays, and nothing is written.
    Ignore,
    /// Nothing is looked at, and an error stays.
    Stop,
    /// It stays.
    Wait,
    /// It stays, and so does an error.
    Fail,
    /// It is deleted.
    Delete,
}

subject!(RemediatingControlPlane, Remediation, Act);

in_progress!(Remediation);

/// What a KubeadmControlPlane does about an unhealthy machine.
#[rustfmt::skip]
pub static OWNER_REMEDIATED: Table<RemediatingControlPlane> = Table {
    id: "KCP-OWN",
    kind: "KubeadmControlPlane",
    condition: "OwnerRemediated",
    about: "One unhealthy Machine at a time, the one that is worst off: those with the annotation `cluster.x-k8s.io/remediate-machine`, those without a Node, those whose etcd or components are not healthy, then the oldest. Once the control plane is initialized, a Machine is only deleted when another one runs healthy components and the members of etcd that stay still have a quorum.",
    source: "Cluster API v1.14.2, KubeadmControlPlane controller",
    facts: facts![
        initialized, machines, members_now, members_after, voting_after, unhealthy_after, quorum_after,
        healthy_control_planes_after, safe_to_remediate, retry_count; upgrade, retry_period, max_retry, leadership_obstacle
    ],
    rows: &[
        //   row           when                                                          status reason                 message
        row!("KCP-OWN-1",  healthy_again                                              => act Unmark),
        row!("KCP-OWN-2",  remediation_in_progress_unreadable                         => act Stop),
        row!("KCP-OWN-3",  nothing_to_remediate                                       => nothing),
        row!("KCP-OWN-4",  in_deletion                                                => act Ignore),
        row!("KCP-OWN-5",  remediation_in_progress                                    => act Ignore),
        row!("KCP-OWN-6",  version_upgrade_pending                                    => False, "RemediationDeferred", "KubeadmControlPlane can't remediate while waiting for a version upgrade to {upgrade} to be propagated from Cluster.spec.topology", act Wait),
        row!("KCP-OWN-7",  earlier_remediation_unreadable                             => keep, act Fail),
        row!("KCP-OWN-8",  retried_too_soon                                           => False, "RemediationDeferred", "KubeadmControlPlane can't remediate this machine because the operation already failed in the latest {retry_period} (RetryPeriodSeconds)", act Wait),
        row!("KCP-OWN-9",  retried_too_often                                          => False, "CannotBeRemediated",  "KubeadmControlPlane can't remediate this machine because the operation already failed {max_retry} times (MaxRetry)", act Wait),
        row!("KCP-OWN-10", initialized and only_machine                               => False, "CannotBeRemediated",  "KubeadmControlPlane can't remediate if current replicas are less or equal to 1", act Wait),
        row!("KCP-OWN-11", initialized and healthy_machine_without_node               => False, "RemediationDeferred", "KubeadmControlPlane waiting for control plane Machine provisioning to complete before triggering remediation", act Wait),
        row!("KCP-OWN-12", initialized and other_machine_in_deletion                  => False, "RemediationDeferred", "KubeadmControlPlane waiting for control plane Machine deletion to complete before triggering remediation", act Wait),
        row!("KCP-OWN-13", initialized and etcd_not_readable                          => False, "RemediationDeferred", "Failed to check etcd cluster health before remediation", act Wait),
        row!("KCP-OWN-14", initialized and not safe_to_remediate                      => False, "CannotBeRemediated",  "KubeadmControlPlane can't remediate this Machine because this could result in loosing Kubernetes control plane components or in etcd quorum loss", act Wait),
        row!("KCP-OWN-15", initialized and workload_cluster_not_reachable             => keep, act Fail),
        row!("KCP-OWN-16", initialized and leadership_stuck                           => False, "CannotBeRemediated",  "{leadership_obstacle}", act Fail),
        row!("KCP-OWN-17", deletion_refused                                           => False, "InternalError",       CHECK_CONTROLLER_LOGS, act Fail),
        row!("KCP-OWN-18", otherwise                                                  => False, "MachineDeleting",     "Machine is deleting", act Delete),
    ],
};

/// `status.initialization.controlPlaneInitialized` of the control plane.
fn initialized(r: &Remediation<'_>) -> bool {
    r.input.object.status.initialization.control_plane_initialized
}

fn machines(r: &Remediation<'_>) -> usize {
    r.input.machines.len()
}

/// The members of etcd without that of the machine.
pub fn members(r: &Remediation<'_>) -> EtcdProjection {
    let member = r.machine.and_then(|machine| projection::member_of(r.input, machine));
    EtcdProjection::of(r.input, member, false)
}

impl Projected for Remediation<'_> {
    fn input(&self) -> &Input<'_> {
        self.input
    }

    fn projected(&self) -> EtcdProjection {
        members(self)
    }
}

/// How many machines would run a healthy control plane without the machine.
pub fn healthy_control_planes_after(r: &Remediation<'_>) -> usize {
    projection::healthy_control_planes(r.input, r.machine.map(|machine| &*machine.metadata.name))
}

/// Enough of the control plane and of etcd stays healthy without the Machine.
fn safe_to_remediate(r: &Remediation<'_>) -> bool {
    r.machine.is_some_and(|machine| projection::can_do_without(r.input, machine))
}

fn retry_count(r: &Remediation<'_>) -> i64 {
    r.retries.as_ref().map_or(0, |retries| retries.count)
}

/// The version that the topology wants first.
fn upgrade<'r>(r: &'r Remediation<'_>) -> &'r str {
    topology::pending_version(r.input).unwrap_or_default()
}

/// `spec.remediation.retryPeriodSeconds` as a duration.
fn retry_period(r: &Remediation<'_>) -> String {
    retries::duration(r.retries.as_ref().map_or(0, |retries| retries.period))
}

/// `spec.remediation.maxRetry`.
fn max_retry(r: &Remediation<'_>) -> i64 {
    r.retries.as_ref().ok().and_then(|retries| retries.max).unwrap_or(0)
}

/// Why etcd's leadership can't be moved away.
fn leadership_obstacle(r: &Remediation<'_>) -> &'static str {
    r.machine.and_then(|machine| leadership::moved_from(r.input, machine).err()).unwrap_or_default()
}

/// The Machine stays, its health check succeeds again, and `OwnerRemediated` is still False.
fn healthy_again(r: &Remediation<'_>) -> bool {
    r.machine.is_some_and(|machine| {
        let conditions = &machine.status.conditions;
        !machine.metadata.in_deletion()
            && conditions.has("HealthCheckSucceeded", "True")
            && conditions.has("OwnerRemediated", "False")
    })
}

/// The annotation about the remediation in progress is no JSON.
fn remediation_in_progress_unreadable(r: &Remediation<'_>) -> bool {
    r.in_progress.is_err()
}

/// No Machine is to be remediated.
fn nothing_to_remediate(r: &Remediation<'_>) -> bool {
    r.machine.is_none()
}

/// The Machine is being deleted.
fn in_deletion(r: &Remediation<'_>) -> bool {
    r.machine.is_some_and(|machine| machine.metadata.in_deletion())
}

/// An annotation of the control plane notes a remediation that is not finished.
fn remediation_in_progress(r: &Remediation<'_>) -> bool {
    r.in_progress == Ok(true)
}

/// The Cluster's topology wants another version first.
fn version_upgrade_pending(r: &Remediation<'_>) -> bool {
    topology::pending_version(r.input).is_some()
}

/// The annotation about an earlier remediation is no JSON.
fn earlier_remediation_unreadable(r: &Remediation<'_>) -> bool {
    r.retries.is_err()
}

/// The next try may not start yet, `retryPeriodSeconds` after the last one.
fn retried_too_soon(r: &Remediation<'_>) -> bool {
    r.retries.as_ref().is_ok_and(|retries| retries.too_soon(r.now))
}

/// The remediation has been tried as often as `maxRetry` allows.
fn retried_too_often(r: &Remediation<'_>) -> bool {
    r.retries.as_ref().is_ok_and(Retries::exhausted)
}

/// It is the only Machine.
fn only_machine(r: &Remediation<'_>) -> bool {
    r.input.machines.len() <= 1
}

/// A Machine that no health check found unhealthy has no Node yet.
fn healthy_machine_without_node(r: &Remediation<'_>) -> bool {
    r.input.machines.iter().any(|machine| {
        machine.status.node_ref.name.is_empty() && !machine.status.conditions.has("HealthCheckSucceeded", "False")
    })
}

/// A Machine is being deleted.
fn other_machine_in_deletion(r: &Remediation<'_>) -> bool {
    r.input.machines.iter().any(|machine| machine.metadata.in_deletion())
}

/// The members of etcd or the Nodes could not be read.
fn etcd_not_readable(r: &Remediation<'_>) -> bool {
    !projection::members_known(r.input) || r.input.observed.node_list_fails
}

/// Etcd runs on the Machines, and there is no connection to the workload cluster.
fn workload_cluster_not_reachable(r: &Remediation<'_>) -> bool {
    r.input.object.manages_etcd() && r.input.observed.workload_client_fails
}

/// Etcd's leadership can't be moved away from the Machine.
fn leadership_stuck(r: &Remediation<'_>) -> bool {
    let managed = r.machine.filter(|_| r.input.object.manages_etcd());
    managed.is_some_and(|machine| leadership::moved_from(r.input, machine).is_err())
}

/// The API server refuses to delete the Machine.
fn deletion_refused(r: &Remediation<'_>) -> bool {
    r.machine.is_some_and(|machine| r.input.observed.machine_delete_fails.contains(&machine.metadata.name))
}
