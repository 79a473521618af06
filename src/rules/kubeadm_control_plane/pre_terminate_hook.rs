#![doc = include_str!("pre_terminate_hook.md")]

use super::Input;
use super::leadership;
use super::projection::{
    self, EtcdProjection, Projected, members_now, nodes_not_listed, quorum_after, removal_fails, unhealthy_after,
    voting_after, workload_cluster_not_reachable,
};
use crate::progress::Progress;
use crate::rules::version::Version;
use crate::table::{Table, facts, in_progress, otherwise, row, subject};
use crate::view::{ConditionsExt, Machine, annotation};

/// From this version on, other hooks go before the control plane's.
const HOOKS_IN_ORDER: [u64; 3] = [1, 31, 0];

/// A KubeadmControlPlane with machines in deletion.
pub struct ShrinkingControlPlane;

/// What the guards read.
pub struct Hook<'a> {
    /// The control plane and what belongs to it.
    pub input: &'a Input<'a>,
    /// The machine whose deletion is the oldest.
    pub machine: Option<&'a Machine<'a>>,
    /// What is decided about the control plane.
    pub progress: Progress<'a>,
}

/// What becomes of the machine's hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// It stays for now.
    Wait,
    /// It stays, and so does an error.
    Fail,
    /// It stays, and so does an error, but the leadership has moved.
    FailAfterMove,
    /// It is removed.
    Remove,
    /// The machine's member is removed from etcd first.
    RemoveMember,
}

subject!(ShrinkingControlPlane, Hook, Act);

in_progress!(Hook);

/// Whether the deletion of a machine may go on.
#[rustfmt::skip]
pub static PRE_TERMINATE_HOOK: Table<ShrinkingControlPlane> = Table {
    id: "KCP-PTH",
    kind: "KubeadmControlPlane",
    condition: "PreTerminateHook",
    about: "A hook keeps a Machine in deletion until the Node is drained and its member is removed from etcd. One Machine at a time, the one whose deletion is the oldest.",
    source: "Cluster API v1.14.2, KubeadmControlPlane controller",
    facts: facts![machines, healthy_control_planes_after, members_now, voting_after, unhealthy_after, quorum_after],
    rows: &[
        //   row           when                                     then
        row!("KCP-PTH-1",  nothing_in_deletion                   => nothing),
        row!("KCP-PTH-2",  machine_without_hook                  => act Wait),
        row!("KCP-PTH-3",  version_unreadable                    => act Fail),
        row!("KCP-PTH-4",  other_hooks_first                     => act Wait),
        row!("KCP-PTH-5",  not_waiting_for_hook                  => act Wait),
        row!("KCP-PTH-6",  only_machine                          => act Remove),
        row!("KCP-PTH-7",  healthy_control_planes_after == 0     => act Wait),
        row!("KCP-PTH-8",  external_etcd                         => act Remove),
        row!("KCP-PTH-9",  nodes_not_listed or members_unknown   => act Fail),
        row!("KCP-PTH-10", machine_without_member                => act Remove),
        row!("KCP-PTH-11", quorum_would_be_lost                  => act Wait),
        row!("KCP-PTH-12", workload_cluster_not_reachable        => act Fail),
        row!("KCP-PTH-13", leadership_stuck                      => act Fail),
        row!("KCP-PTH-14", member_in_etcd and removal_fails      => act FailAfterMove),
        row!("KCP-PTH-15", member_in_etcd                        => act RemoveMember),
        row!("KCP-PTH-16", otherwise                             => act Remove),
    ],
};

fn machines(h: &Hook<'_>) -> usize {
    h.input.machines.len()
}

/// How many Machines would run a healthy control plane without the Machine.
fn healthy_control_planes_after(h: &Hook<'_>) -> usize {
    projection::healthy_control_planes(h.input, h.machine.map(|machine| &*machine.metadata.name))
}

/// The name of the machine's member.
pub fn member<'a>(h: &'a Hook<'_>) -> Option<&'a str> {
    h.machine.and_then(|machine| projection::member_of(h.input, machine))
}

impl Projected for Hook<'_> {
    fn input(&self) -> &Input<'_> {
        self.input
    }

    fn projected(&self) -> EtcdProjection {
        EtcdProjection::of(self.input, member(self), false)
    }
}

/// No Machine is being deleted.
fn nothing_in_deletion(h: &Hook<'_>) -> bool {
    h.machine.is_none()
}

/// A Machine in deletion lacks the control plane's hook.
fn machine_without_hook(h: &Hook<'_>) -> bool {
    let mut going = h.input.machines.iter().filter(|machine| machine.metadata.in_deletion());
    going.any(|machine| machine.metadata.annotation(annotation::KCP_CLEANUP_HOOK).is_none())
}

/// `spec.version` of the control plane is no semantic version.
fn version_unreadable(h: &Hook<'_>) -> bool {
    Version::parse(&h.input.object.spec.version).is_err()
}

/// From Kubernetes v1.31 on: the Machine has pre-terminate hooks beside that of the control plane.
fn other_hooks_first(h: &Hook<'_>) -> bool {
    let ordered = Version::parse(&h.input.object.spec.version).is_ok_and(|version| version.core >= HOOKS_IN_ORDER);
    let other = |key: &str| key.starts_with(annotation::PRE_TERMINATE_HOOK) && key != annotation::KCP_CLEANUP_HOOK;
    ordered && h.machine.is_some_and(|machine| machine.metadata.annotations().iter().any(|(key, _)| other(key)))
}

/// `Deleting` of the Machine does not report `WaitingForPreTerminateHook`.
fn not_waiting_for_hook(h: &Hook<'_>) -> bool {
    let deleting = h.machine.and_then(|machine| machine.status.conditions.of_type("Deleting"));
    deleting.is_none_or(|c| c.status != *"True" || c.reason != *"WaitingForPreTerminateHook")
}

/// It is the only Machine.
fn only_machine(h: &Hook<'_>) -> bool {
    h.input.machines.len() <= 1
}

/// Etcd does not run on the Machines of the control plane.
fn external_etcd(h: &Hook<'_>) -> bool {
    !h.input.object.manages_etcd()
}

/// The members of etcd could not be read.
fn members_unknown(h: &Hook<'_>) -> bool {
    !projection::members_known(h.input)
}

/// The Machine's member of etcd is not known.
fn machine_without_member(h: &Hook<'_>) -> bool {
    member(h).is_none()
}

/// Etcd would have no quorum without the member.
fn quorum_would_be_lost(h: &Hook<'_>) -> bool {
    !h.projected().holds()
}

/// Etcd's leadership can't be moved away from the Machine.
fn leadership_stuck(h: &Hook<'_>) -> bool {
    h.machine.is_some_and(|machine| leadership::moved_from(h.input, machine).is_err())
}

/// The Machine's member is in etcd.
fn member_in_etcd(h: &Hook<'_>) -> bool {
    let members = h.input.observed.etcd_members.as_deref().unwrap_or_default();
    members.iter().any(|other| member(h).is_some_and(|name| other.name == *name))
}
