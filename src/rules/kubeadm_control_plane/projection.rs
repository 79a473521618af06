//! What would be left of the control plane and of etcd when a machine goes or comes.

use super::Input;
use crate::observed::EtcdMember;
use crate::rules::replica_counters::number;
use crate::view::{ConditionsExt, Machine};
use capi_policy_json::Raw;

/// The components that have to be healthy on a machine.
pub const COMPONENTS: &[&str] = &["APIServerPodHealthy", "ControllerManagerPodHealthy", "SchedulerPodHealthy"];

/// How many machines would run a healthy set of components without one of them.
pub fn healthy_control_planes(input: &Input<'_>, without: Option<&str>) -> usize {
    let etcd = if input.object.manages_etcd() { &["EtcdPodHealthy"][..] } else { &[] };
    let healthy = |machine: &Machine<'_>| {
        COMPONENTS.iter().chain(etcd).all(|component| machine.status.conditions.has(component, "True"))
    };
    let others = input.machines.iter().filter(|machine| without.is_none_or(|name| machine.metadata.name != *name));
    others.filter(|machine| healthy(machine)).count()
}

/// The members of etcd after a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EtcdProjection {
    /// Members now.
    pub now: i64,
    /// Members afterwards.
    pub after: i64,
    /// Of these: with a vote.
    pub voting: i64,
    /// Of these: without a vote yet.
    pub learners: i64,
    /// Members afterwards that are not healthy, or have to be taken for that.
    pub unhealthy: i64,
}

/// Facts about a change of the members of etcd.
pub trait Projected {
    /// The control plane and what belongs to it.
    fn input(&self) -> &Input<'_>;

    /// The members before and after it.
    fn projected(&self) -> EtcdProjection;
}

/// How many members there are.
pub fn members_now<F: Projected>(facts: &F) -> i64 {
    facts.projected().now
}

/// How many members there would be.
pub fn members_after<F: Projected>(facts: &F) -> i64 {
    facts.projected().after
}

/// How many of them would have a vote.
pub fn voting_after<F: Projected>(facts: &F) -> i64 {
    facts.projected().voting
}

/// How many of them would not be healthy.
pub fn unhealthy_after<F: Projected>(facts: &F) -> i64 {
    facts.projected().unhealthy
}

/// How many healthy ones they would need.
pub fn quorum_after<F: Projected>(facts: &F) -> i64 {
    facts.projected().quorum()
}

/// The Nodes of the workload cluster can't be listed.
pub fn nodes_not_listed<F: Projected>(facts: &F) -> bool {
    facts.input().observed.node_list_fails
}

/// There is no connection to the workload cluster.
pub fn workload_cluster_not_reachable<F: Projected>(facts: &F) -> bool {
    facts.input().observed.workload_client_fails
}

/// Etcd refuses to remove a member.
pub fn removal_fails<F: Projected>(facts: &F) -> bool {
    facts.input().observed.remove_etcd_member_fails
}

impl EtcdProjection {
    /// The members without the one of that name, and with a new one.
    pub fn of(input: &Input<'_>, without: Option<&str>, with_a_new_one: bool) -> Self {
        let members = input.observed.etcd_members.as_deref().unwrap_or_default();
        let mut projection = Self { now: number(members.len()), ..Self::default() };
        if with_a_new_one {
            // Where there is only one member, the new one has to be trusted, or there would never be a second.
            projection.count(true, members.len() > 1);
        }
        for member in members {
            if member.name.is_empty() {
                projection.count(false, true);
            } else if without.is_none_or(|name| member.name != *name) {
                projection.count(!member.is_learner, unhealthy(input, member));
            }
        }
        projection
    }

    fn count(&mut self, votes: bool, unhealthy: bool) {
        let counter = if votes { &mut self.voting } else { &mut self.learners };
        *counter = counter.saturating_add(1);
        self.after = self.after.saturating_add(1);
        self.unhealthy = self.unhealthy.saturating_add(i64::from(unhealthy));
    }

    /// How many healthy members etcd needs afterwards.
    pub fn quorum(&self) -> i64 {
        self.voting.div_euclid(2).saturating_add(1)
    }

    /// Whether etcd can go on afterwards. While a member has no vote yet, nothing else is to change.
    pub fn holds(&self) -> bool {
        self.learners == 0 && self.voting.saturating_sub(self.unhealthy) >= self.quorum()
    }
}

fn unhealthy(input: &Input<'_>, member: &EtcdMember<'_>) -> bool {
    match input.machines.iter().find(|machine| machine.status.node_ref.name == member.name) {
        Some(machine) => !machine.status.conditions.has("EtcdMemberHealthy", "True"),
        // Nobody else can tell.
        None => input.observed.etcd_alarms.iter().any(|alarm| alarm.kind != *"NONE" && alarm.member_id == member.id),
    }
}

/// The name of the member of etcd on a machine: its Node's, which is looked for when the machine does not know it yet.
pub fn member_of<'a>(input: &'a Input<'_>, machine: &'a Machine<'_>) -> Option<&'a str> {
    if !machine.status.node_ref.name.is_empty() {
        return Some(&machine.status.node_ref.name);
    }
    let infrastructure = || {
        let object =
            input.infra_machines.iter().find(|object| object.metadata.name == machine.spec.infrastructure_ref.name)?;
        Raw::as_str(object.spec.provider_id).map(|id| id.to_string())
    };
    let own = Some(machine.spec.provider_id.to_string()).filter(|id| !id.is_empty());
    let provider_id = own.or_else(infrastructure).filter(|id| !id.is_empty())?;
    let mut nodes = input.nodes.iter().filter(|node| node.spec.provider_id == *provider_id);
    match (nodes.next(), nodes.next()) {
        (Some(node), None) if !input.observed.node_list_fails && !input.observed.workload_client_fails => {
            Some(&node.metadata.name)
        }
        _ => None,
    }
}

/// Whether the members of etcd are known.
pub fn members_known(input: &Input<'_>) -> bool {
    input.object.manages_etcd() && input.observed.etcd_members.as_ref().is_some_and(|members| !members.is_empty())
}

/// Whether the control plane can do without a machine.
pub fn can_do_without(input: &Input<'_>, machine: &Machine<'_>) -> bool {
    if healthy_control_planes(input, Some(&machine.metadata.name)) == 0 {
        return false;
    }
    if !input.object.manages_etcd() {
        return true;
    }
    match member_of(input, machine) {
        None => true,
        Some(_) if !members_known(input) => false,
        Some(member) => EtcdProjection::of(input, Some(member), false).holds(),
    }
}
