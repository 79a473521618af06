//! What a KubeadmControlPlane does next, in the order of its reconcile: members of etcd, hooks, remediation, the next step.

use super::etcd_members::{self, ETCD_MEMBERS, Members};
use super::next_step::{self, NEXT_STEP, Next, not_up_to_date};
use super::owner_remediated::{self, OWNER_REMEDIATED, Remediation};
use super::pre_terminate_hook::{self, Hook, PRE_TERMINATE_HOOK};
use super::preflight_checks::{self, Checks, PREFLIGHT_CHECKS};
use super::projection::EtcdProjection;
use super::retries::Retries;
use super::{Input, failure_domains, last_remediation, leadership, worst_off};
use crate::outcome::{Explanation, LastRemediation, OwnedMachine, OwnerAction, OwnerStep};
use crate::progress::{Mode, Progress, decide};
use crate::rules::owners::action;
use crate::rules::replica_counters::number;
use crate::sorted::Sorted;
use crate::view::{ConditionsExt, Machine, annotation};

/// Milliseconds until failed preflight checks are run again.
const CHECKED_AGAIN_AFTER: i64 = 15_000;
/// Milliseconds until a deletion is looked at again.
const DELETION_CHECKED_AGAIN_AFTER: i64 = 30_000;
/// Milliseconds after a member of etcd was removed.
const MEMBER_REMOVED: i64 = 1_000;

/// Every decision of the control plane.
pub fn actions<'a>(input: &'a Input<'a>, mode: Mode) -> (Vec<OwnerAction>, Vec<Explanation>) {
    let mut explanations = Vec::new();
    let mut actions = vec![members(input, mode, &mut explanations), hook(input, mode, &mut explanations)];
    actions.extend(remediation(input, mode, &mut explanations));
    actions.extend(next(input, mode, &mut explanations));
    (actions, explanations)
}

fn own_progress<'a>(input: &'a Input<'a>, mode: Mode) -> Progress<'a> {
    Progress::new(mode, &input.object.metadata, &[])
}

fn with_quorum(action: OwnerAction, etcd: &EtcdProjection) -> OwnerAction {
    action
        .with("etcdMembers", etcd.now)
        .with("etcdMembersAfter", etcd.after)
        .with("etcdVotingAfter", etcd.voting)
        .with("etcdUnhealthyAfter", etcd.unhealthy)
        .with("etcdQuorumAfter", etcd.quorum())
}

fn members(input: &Input<'_>, mode: Mode, explanations: &mut Vec<Explanation>) -> OwnerAction {
    let mut facts = Members { input, now: mode.now, progress: own_progress(input, mode) };
    let decision = decide(&ETCD_MEMBERS, &mut facts);
    explanations.append(&mut facts.progress.take_explanations());
    let mut action = action(&ETCD_MEMBERS, decision.row);
    let unexpected = etcd_members::unexpected(&facts);
    action.candidates = unexpected.iter().map(|member| member.name.to_string()).collect();
    let first = unexpected.first().map(|member| member.name.to_string()).unwrap_or_default();
    let Some(act) = decision.act else { return action };
    action = with_quorum(action, &EtcdProjection::of(input, Some(&first), false));
    match act {
        etcd_members::Act::Wait => action.next_change = etcd_members::registered_until(&facts),
        etcd_members::Act::Fail => {
            action.error = Some(format!("member {first:?} of etcd, which no machine runs, could not be removed"));
        }
        etcd_members::Act::Remove => {
            action.steps.push(OwnerStep::RemoveEtcdMember { member: first });
            action.requeue_after_milliseconds = Some(MEMBER_REMOVED);
        }
    }
    action
}

fn hook(input: &Input<'_>, mode: Mode, explanations: &mut Vec<Explanation>) -> OwnerAction {
    let mut going: Vec<_> = input.machines.iter().copied().filter(|machine| machine.metadata.in_deletion()).collect();
    going.order_by(|a, b| {
        (a.metadata.deletion_timestamp, &a.metadata.name).cmp(&(b.metadata.deletion_timestamp, &b.metadata.name))
    });
    let machine = going.first().copied();
    let mut facts = Hook { input, machine, progress: own_progress(input, mode) };
    let decision = decide(&PRE_TERMINATE_HOOK, &mut facts);
    explanations.append(&mut facts.progress.take_explanations());
    let mut action = action(&PRE_TERMINATE_HOOK, decision.row);
    action.candidates = going.iter().map(|machine| machine.metadata.name.to_string()).collect();
    let (Some(act), Some(machine)) = (decision.act, machine) else { return action };
    let member = pre_terminate_hook::member(&facts);
    action = with_quorum(action, &EtcdProjection::of(input, member, false));
    let name = machine.metadata.name.to_string();
    let leadership = || leadership::moved_from(input, machine).ok().flatten();
    action.requeue_after_milliseconds = Some(DELETION_CHECKED_AGAIN_AFTER);
    match act {
        pre_terminate_hook::Act::Wait => {}
        pre_terminate_hook::Act::Fail | pre_terminate_hook::Act::FailAfterMove => {
            action.requeue_after_milliseconds = None;
            action.error = Some(format!("the member of etcd on machine {name} could not be removed"));
            if act == pre_terminate_hook::Act::FailAfterMove {
                action.steps.extend(leadership());
            }
        }
        pre_terminate_hook::Act::Remove => action.steps.push(OwnerStep::RemovePreTerminateHook { machine: name }),
        pre_terminate_hook::Act::RemoveMember => {
            action.steps.extend(leadership());
            action.steps.push(OwnerStep::RemoveEtcdMember { member: member.unwrap_or_default().to_owned() });
            action.steps.push(OwnerStep::RemovePreTerminateHook { machine: name });
        }
    }
    action
}

fn remediation(input: &Input<'_>, mode: Mode, explanations: &mut Vec<Explanation>) -> Vec<OwnerAction> {
    let healthy_again = |machine: &&&Machine<'_>| {
        let conditions = &machine.status.conditions;
        !machine.metadata.in_deletion()
            && conditions.has("HealthCheckSucceeded", "True")
            && conditions.has("OwnerRemediated", "False")
    };
    let candidates = worst_off::unhealthy(&input.machines, input.object.manages_etcd());
    let subjects = input.machines.iter().filter(healthy_again).map(|machine| Some(*machine));
    let mut actions: Vec<OwnerAction> = Vec::new();
    for machine in subjects.chain([candidates.first().copied()]) {
        let mut action = remediation_of(input, machine, mode, explanations);
        if !machine.is_some_and(|machine| healthy_again(&&machine)) {
            action.candidates = candidates.iter().map(|machine| machine.metadata.name.to_string()).collect();
        }
        match actions.last_mut().filter(|last| last.row == action.row) {
            Some(last) => last.machines.append(&mut action.machines),
            None => actions.push(action),
        }
    }
    actions
}

fn remediation_of<'a>(
    input: &'a Input<'a>,
    machine: Option<&'a Machine<'a>>,
    mode: Mode,
    explanations: &mut Vec<Explanation>,
) -> OwnerAction {
    let now = mode.now;
    let (metadata, stored) = match machine {
        Some(machine) => (&machine.metadata, &*machine.status.conditions),
        None => (&input.object.metadata, &[][..]),
    };
    let mut own = Progress::new(mode, metadata, stored);
    own.machine = machine.map_or("", |machine| &machine.metadata.name);
    let noted = in_progress(input);
    let stale = noted == Ok(Noted::Stale);
    let mut facts = Remediation {
        input,
        machine,
        in_progress: noted.map(|noted| noted == Noted::InProgress),
        retries: machine.map_or(Ok(Retries::default()), |machine| Retries::of(input.object, machine, now)),
        now,
        progress: own,
    };
    let decision = decide(&OWNER_REMEDIATED, &mut facts);
    explanations.append(&mut facts.progress.take_explanations());
    let mut action = action(&OWNER_REMEDIATED, decision.row);
    let retries = facts.retries.clone();
    if stale && decision.act != Some(owner_remediated::Act::Unmark) {
        action.steps.push(OwnerStep::RemoveAnnotation { key: annotation::REMEDIATION_IN_PROGRESS.to_owned() });
        action.steps.extend(last_remediation::remembered(input).ok().flatten().map(OwnerStep::SetLastRemediation));
    }
    let (Some(act), Some(machine)) = (decision.act, machine) else {
        action.error = facts.in_progress.err();
        return action;
    };
    match act {
        owner_remediated::Act::Ignore => return action,
        owner_remediated::Act::Stop => {
            action.error = facts.in_progress.err();
            return action;
        }
        _ => {}
    }
    if act != owner_remediated::Act::Unmark {
        action = with_quorum(action, &owner_remediated::members(&facts))
            .with("healthyControlPlanesAfter", number(owner_remediated::healthy_control_planes_after(&facts)));
        if let Ok(retries) = &retries {
            action = action.with("retryCount", retries.count);
            action.next_change = retries.next_change(now);
        }
    }
    let name = machine.metadata.name.to_string();
    match act {
        owner_remediated::Act::Fail => {
            let unreadable = facts.retries.as_ref().err();
            let stuck = leadership::moved_from(input, machine).err().map(ToOwned::to_owned);
            let refused = || format!("machine {name} could not be deleted");
            action.error = Some(unreadable.cloned().or(stuck).unwrap_or_else(refused));
        }
        owner_remediated::Act::Delete => {
            action
                .steps
                .retain(|step| !matches!(step, OwnerStep::SetLastRemediation(_) | OwnerStep::RemoveAnnotation { .. }));
            if input.object.manages_etcd() && input.object.status.initialization.control_plane_initialized {
                action.steps.extend(leadership::moved_from(input, machine).ok().flatten());
            }
            action.steps.push(OwnerStep::DeleteMachine { machine: name.clone() });
            let retry_count = retries.as_ref().map_or(0, Retries::next_count);
            let last = LastRemediation { machine: name.clone(), time: now, retry_count };
            let value = last_remediation::note(&last);
            let key = annotation::REMEDIATION_IN_PROGRESS.to_owned();
            action.steps.push(OwnerStep::SetAnnotation { key, value });
            action.steps.push(OwnerStep::SetLastRemediation(last));
            action.requeue_after_milliseconds = Some(1);
        }
        owner_remediated::Act::Unmark
        | owner_remediated::Act::Wait
        | owner_remediated::Act::Ignore
        | owner_remediated::Act::Stop => {}
    }
    facts.progress.keep("HealthCheckSucceeded", decision.row);
    let (conditions, _) = facts.progress.finish();
    action.machines.push(OwnedMachine { name, conditions });
    action
}

/// What the control plane has noted about a remediation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Noted {
    Nothing,
    /// Its replacement is there already.
    Stale,
    InProgress,
}

fn in_progress(input: &Input<'_>) -> Result<Noted, String> {
    let Some(since) = last_remediation::in_progress(&input.object.metadata).map_err(|error| error.to_string())? else {
        return Ok(Noted::Nothing);
    };
    let replaced = input.machines.iter().any(|machine| machine.metadata.creation_timestamp > since.timestamp);
    Ok(if replaced { Noted::Stale } else { Noted::InProgress })
}

/// What the checks say before a machine comes or goes.
struct Checked {
    action: OwnerAction,
    passes: bool,
}

fn check<'a>(
    input: &'a Input<'a>,
    mode: Mode,
    scale_up: bool,
    without: Option<&'a Machine<'a>>,
    explanations: &mut Vec<Explanation>,
) -> Checked {
    let mut own = own_progress(input, mode);
    own.machine = without.map_or("", |machine| &machine.metadata.name);
    let mut facts = Checks { input, scale_up, without, progress: own };
    let decision = decide(&PREFLIGHT_CHECKS, &mut facts);
    explanations.append(&mut facts.progress.take_explanations());
    let mut action = action(&PREFLIGHT_CHECKS, decision.row);
    let passes = decision.act == Some(preflight_checks::Act::Pass);
    action.candidates = without.map(|machine| machine.metadata.name.to_string()).into_iter().collect();
    if !passes {
        action.obstacles = preflight_checks::failures(&facts);
        let waits = decision.act == Some(preflight_checks::Act::WaitForDeletion);
        action.requeue_after_milliseconds =
            Some(if waits { DELETION_CHECKED_AGAIN_AFTER } else { CHECKED_AGAIN_AFTER });
    }
    Checked { action, passes }
}

fn next(input: &Input<'_>, mode: Mode, explanations: &mut Vec<Explanation>) -> Vec<OwnerAction> {
    let listed = not_up_to_date(input);
    let outdated: Vec<_> = listed.iter().map(|(machine, _)| *machine).collect();
    let needing: Vec<_> = outdated.iter().copied().filter(|machine| !machine.metadata.in_deletion()).collect();
    let candidates = failure_domains::first_to_go(input, &needing);
    let candidate = candidates.first().copied();
    let grow = check(input, mode, true, None, explanations);
    let shrink = check(input, mode, false, candidate, explanations);
    let update = check(input, Mode { explain: false, ..mode }, false, None, explanations);
    let mut facts = Next {
        input,
        outdated: needing,
        candidate,
        ready_to_grow: grow.passes,
        ready_to_update: update.passes,
        ready_to_shrink: shrink.passes,
        progress: own_progress(input, mode),
    };
    let decision = decide(&NEXT_STEP, &mut facts);
    explanations.append(&mut facts.progress.take_explanations());
    let mut action = action(&NEXT_STEP, decision.row)
        .with("wanted", input.object.spec.replicas.unwrap_or(1))
        .with("machines", number(input.machines.len()))
        .with("outdated", number(outdated.len()));
    action.candidates = candidates.iter().map(|machine| machine.metadata.name.to_string()).collect();
    let domains = failure_domains::for_next_machine(input, &outdated);
    let name = || candidate.map(|machine| machine.metadata.name.to_string()).unwrap_or_default();
    let blocked = |action: &mut OwnerAction, checked: &Checked| {
        action.obstacles.clone_from(&checked.action.obstacles);
        action.requeue_after_milliseconds = checked.action.requeue_after_milliseconds;
    };
    match decision.act {
        None => {}
        Some(next_step::Act::WaitForUpdate) => {
            let updating = input.machines.iter().filter(|machine| machine.updating_in_place());
            action.obstacles = updating.map(|m| format!("machine {} is updated in place", m.metadata.name)).collect();
        }
        Some(next_step::Act::WaitToGrow) => blocked(&mut action, &grow),
        Some(next_step::Act::WaitToUpdate) => blocked(&mut action, &update),
        Some(next_step::Act::WaitToShrink) => blocked(&mut action, &shrink),
        Some(next_step::Act::Initialize | next_step::Act::Grow) => {
            let failure_domain = domains.first().map(|domain| (*domain).to_owned());
            action.steps.push(OwnerStep::CreateMachines { count: 1, failure_domain });
        }
        Some(next_step::Act::Shrink) => match candidate.map(|machine| removal(input, machine)) {
            Some(Ok(steps)) => action.steps = steps,
            Some(Err(error)) => action.error = Some(error),
            None => action.error = Some("no machine can go".to_owned()),
        },
        Some(next_step::Act::Update) => action.steps.push(OwnerStep::StartInPlaceUpdate { machine: name() }),
    }
    vec![grow.action, shrink.action, action]
}

fn removal(input: &Input<'_>, machine: &Machine<'_>) -> Result<Vec<OwnerStep>, String> {
    if input.observed.workload_client_fails {
        return Err("the workload cluster can't be reached".to_owned());
    }
    let mut steps = Vec::new();
    if input.object.manages_etcd() {
        if input.observed.node_list_fails {
            return Err("the Nodes of the workload cluster can't be listed".to_owned());
        }
        steps.extend(leadership::moved_from(input, machine)?);
    }
    if input.observed.machine_delete_fails.contains(&machine.metadata.name) {
        return Err(format!("machine {} could not be deleted", machine.metadata.name));
    }
    steps.push(OwnerStep::DeleteMachine { machine: machine.metadata.name.to_string() });
    Ok(steps)
}
