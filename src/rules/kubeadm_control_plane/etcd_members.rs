#![doc = include_str!("etcd_members.md")]

use super::Input;
use super::projection::{
    self, EtcdProjection, Projected, members_now, nodes_not_listed, quorum_after, removal_fails, unhealthy_after,
    voting_after, workload_cluster_not_reachable,
};
use crate::observed::EtcdMember;
use crate::progress::Progress;
use crate::sorted::Sorted;
use crate::table::{Table, facts, in_progress, otherwise, row, subject};
use crate::time::Time;
use crate::view::{ConditionsExt, Machine};

/// A member that has just started has no name for this long, in seconds.
const STARTUP: i64 = 20;

/// A KubeadmControlPlane whose etcd may have members that no machine runs.
pub struct ControlPlaneWithEtcd;

/// What the guards read.
pub struct Members<'a> {
    /// The control plane and what belongs to it.
    pub input: &'a Input<'a>,
    /// The time of the evaluation.
    pub now: Time,
    /// What is decided about the control plane.
    pub progress: Progress<'a>,
}

/// What becomes of the members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// They stay for now.
    Wait,
    /// They stay, and so does an error.
    Fail,
    /// One of them is removed.
    Remove,
}

subject!(ControlPlaneWithEtcd, Members, Act);

in_progress!(Members);

/// Whether a member of etcd without a machine is removed.
#[rustfmt::skip]
pub static ETCD_MEMBERS: Table<ControlPlaneWithEtcd> = Table {
    id: "KCP-MEM",
    kind: "KubeadmControlPlane",
    condition: "EtcdMembers",
    about: "A member without a Machine is left over from a Machine that went without being removed from etcd. One at a time is removed, the first by name, unless it may belong to a Machine that is just coming up.",
    source: "Cluster API v1.14.2, KubeadmControlPlane controller",
    facts: facts![members_now, without_machine, voting_after, unhealthy_after, quorum_after],
    rows: &[
        //   row           when                                           then
        row!("KCP-MEM-1",  nothing_to_compare                          => nothing),
        row!("KCP-MEM-2",  nodes_not_listed                            => act Fail),
        row!("KCP-MEM-3",  etcd_healthy or without_machine == 0        => nothing),
        row!("KCP-MEM-4",  machine_without_node                        => act Wait),
        row!("KCP-MEM-5",  unnamed_member and node_just_registered     => act Wait),
        row!("KCP-MEM-6",  workload_cluster_not_reachable              => act Fail),
        row!("KCP-MEM-7",  quorum_would_be_lost                        => act Fail),
        row!("KCP-MEM-8",  removal_fails                               => act Fail),
        row!("KCP-MEM-9",  otherwise                                   => act Remove),
    ],
};

/// Members that no machine runs, by name.
pub fn unexpected<'a>(m: &Members<'a>) -> Vec<&'a EtcdMember<'a>> {
    let members = m.input.observed.etcd_members.as_deref().unwrap_or_default();
    let expected = |member: &&EtcdMember<'_>| {
        let with_node = |machine: &&&Machine<'_>| !machine.status.node_ref.name.is_empty();
        m.input.machines.iter().filter(with_node).any(|machine| machine.status.node_ref.name == member.name)
    };
    let mut unexpected: Vec<_> = members.iter().filter(|member| !expected(member)).collect();
    unexpected.order_by_key(|member| member.name.to_string());
    unexpected
}

impl Projected for Members<'_> {
    fn input(&self) -> &Input<'_> {
        self.input
    }

    fn projected(&self) -> EtcdProjection {
        EtcdProjection::of(self.input, unexpected(self).first().map(|member| &*member.name), false)
    }
}

/// How many members of etcd no Machine runs.
fn without_machine(m: &Members<'_>) -> usize {
    unexpected(m).len()
}

/// There are no Machines, or no members of etcd are known.
fn nothing_to_compare(m: &Members<'_>) -> bool {
    m.input.machines.is_empty() || !projection::members_known(m.input)
}

/// `EtcdClusterHealthy` of the control plane is True.
fn etcd_healthy(m: &Members<'_>) -> bool {
    m.input.object.status.conditions.has("EtcdClusterHealthy", "True")
}

/// A Machine has no Node yet.
fn machine_without_node(m: &Members<'_>) -> bool {
    m.input.machines.iter().any(|machine| machine.status.node_ref.name.is_empty())
}

/// One of these members has no name yet.
fn unnamed_member(m: &Members<'_>) -> bool {
    unexpected(m).iter().any(|member| member.name.is_empty())
}

/// A Node was registered less than 20 seconds ago.
fn node_just_registered(m: &Members<'_>) -> bool {
    registered_until(m).is_some()
}

/// The moment at which no Node is new any more.
pub fn registered_until(m: &Members<'_>) -> Option<Time> {
    let staying = m.input.machines.iter().filter(|machine| !machine.metadata.in_deletion());
    let node = |machine: &&&Machine<'_>| {
        let name = &machine.status.node_ref.name;
        m.input.nodes.iter().find(|node| !name.is_empty() && node.metadata.name == *name)
    };
    let nodes = staying.filter_map(|machine| node(&machine));
    let moments = nodes.filter_map(|node| node.metadata.creation_timestamp).map(|created| created.plus(STARTUP));
    moments.filter(|moment| *moment > m.now).max()
}

/// Etcd would have no quorum without the first of these members.
fn quorum_would_be_lost(m: &Members<'_>) -> bool {
    unexpected(m).first().is_some_and(|member| !member.name.is_empty()) && !m.projected().holds()
}
