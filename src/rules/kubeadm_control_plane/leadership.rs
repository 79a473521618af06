//! Moving etcd's leadership away from a machine that is about to go.

use super::Input;
use crate::outcome::OwnerStep;
use crate::sorted::Sorted;
use crate::view::{ConditionsExt, Machine};

/// What has to be done before a machine goes: nothing when another member leads.
pub fn moved_from(input: &Input<'_>, machine: &Machine<'_>) -> Result<Option<OwnerStep>, &'static str> {
    let members = input.observed.etcd_members.as_deref().unwrap_or_default();
    let leads = |id: &str| members.iter().find(|member| member.id == *id);
    let Some(leader) = input.observed.etcd_leader_id.as_ref().and_then(|id| leads(id)) else {
        return Err("unable to move etcd leadership, failed to detect etcd leader");
    };
    let from = &machine.status.node_ref.name;
    if from.is_empty() || leader.name != *from {
        return Ok(None);
    }
    let candidates = candidates(input, machine);
    if candidates.is_empty() {
        return Err("unable to move etcd leadership, no candidate machines for etcd leadership found");
    }
    let mut names = candidates.into_iter().map(|candidate| &candidate.status.node_ref.name);
    match names.find(|name| !input.observed.move_etcd_leadership_fails.contains(name)) {
        Some(to) => Ok(Some(OwnerStep::MoveEtcdLeadership { from: from.to_string(), to: to.to_string() })),
        None => Err("failed to move etcd leadership"),
    }
}

/// Machines whose member could lead, the best first.
fn candidates<'a>(input: &Input<'a>, leaving: &Machine<'_>) -> Vec<&'a Machine<'a>> {
    let others = input.machines.iter().copied().filter(|machine| {
        !machine.status.node_ref.name.is_empty()
            && !machine.metadata.in_deletion()
            && machine.metadata.name != leaving.metadata.name
    });
    let mut candidates: Vec<_> = others.collect();
    let doubts = |machine: &Machine<'_>| {
        ["EtcdMemberHealthy", "HealthCheckSucceeded", "UpToDate"]
            .map(|condition| !machine.status.conditions.has(condition, "True"))
    };
    candidates.order_by(|a, b| {
        let newest = b.metadata.creation_timestamp.cmp(&a.metadata.creation_timestamp);
        doubts(a).cmp(&doubts(b)).then(newest).then_with(|| a.metadata.name.cmp(&b.metadata.name))
    });
    candidates
}
