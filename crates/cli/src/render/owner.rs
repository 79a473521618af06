//! What an owner of machines does next, with the arithmetic of its quorum or budget, and what would flip it.

use super::grid::{BOLD, DIM, Grid, YELLOW, paint, plain, styled};
use super::words::{count, relative};
use capi_policy_host::Time;
use capi_policy_host::decision::{Evaluation, OwnerAction, OwnerStep};

/// A sum in words, and what would change its result.
struct Sum {
    text: String,
    flips: String,
}

/// Every decision of the owner that does something, counts something, or is held up.
pub fn next_steps(evaluation: &Evaluation, width: usize) -> String {
    let told = |action: &&OwnerAction| {
        !(action.steps.is_empty() && action.numbers.is_empty() && action.obstacles.is_empty() && action.error.is_none())
    };
    let actions: Vec<_> = evaluation.owner_actions.iter().filter(told).collect();
    if actions.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&["DECISION", "ROW", "", "…"]).indented(2);
    for action in actions {
        for (i, (label, text)) in lines(action, evaluation.now).into_iter().enumerate() {
            let first = |text: &str| if i == 0 { styled(text, BOLD) } else { plain("") };
            let style = if label == "blocked" { YELLOW } else { DIM };
            grid.row(vec![first(&action.decision), first(&action.row), styled(label, style), plain(text)]);
        }
    }
    format!("\n{}\n{}", paint("What it does next", BOLD), grid.render(width))
}

fn lines(action: &OwnerAction, now: Time) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let steps: Vec<_> = action.steps.iter().filter_map(step).collect();
    let does = if steps.is_empty() { "nothing".to_owned() } else { steps.join(", ") };
    lines.push(("does", format!("{does}, because {}", action.why)));
    for sum in SUMS.iter().filter_map(|sum| sum(&|name| number(action, name))) {
        lines.push(("counts", sum.text));
        if !sum.flips.is_empty() {
            lines.push(("flips", format!("when {}", sum.flips)));
        }
    }
    lines.extend(action.obstacles.iter().chain(&action.error).map(|obstacle| ("blocked", obstacle.clone())));
    lines.extend(action.next_change.map(|next| ("flips", format!("by itself {} ({next})", relative(next, now)))));
    lines
}

/// What is done and to whom; nothing where a MachineSet stays as it is.
fn step(step: &OwnerStep) -> Option<String> {
    Some(match step {
        OwnerStep::DeleteMachine { machine } => format!("delete machine {machine}"),
        OwnerStep::CreateMachines { count: number, failure_domain } => {
            let place = failure_domain.as_ref().filter(|domain| !domain.is_empty());
            let place = place.map(|domain| format!(" in {domain}")).unwrap_or_default();
            format!("create {}{place}", count(spelled(*number), "machine"))
        }
        OwnerStep::MoveMachine { machine, to, .. } => format!("move machine {machine} to MachineSet {to}"),
        OwnerStep::AcknowledgeMove { machine } => format!("count machine {machine} here"),
        OwnerStep::StartInPlaceUpdate { machine } => format!("update machine {machine} in place"),
        OwnerStep::MoveEtcdLeadership { from, to } => format!("move etcd's leadership from {from} to {to}"),
        OwnerStep::RemoveEtcdMember { member } => format!("remove member {member} from etcd"),
        OwnerStep::RemovePreTerminateHook { machine } => format!("let machine {machine} go"),
        OwnerStep::ApplyMachineSet { machine_set, created: true, replicas, .. } => {
            format!("create MachineSet {machine_set} with {replicas} replicas")
        }
        OwnerStep::ApplyMachineSet { machine_set, from, replicas, notes, .. } if from != replicas => {
            let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
            format!("scale MachineSet {machine_set} from {from} to {replicas}{notes}")
        }
        OwnerStep::DeleteMachineSet { machine_set } => format!("delete MachineSet {machine_set}"),
        OwnerStep::SetAnnotation { key, .. } => format!("set annotation {key}"),
        OwnerStep::RemoveAnnotation { key } => format!("remove annotation {key}"),
        OwnerStep::SetLastRemediation(last) => format!("note the remediation of machine {}", last.machine),
        _ => return None,
    })
}

fn number(action: &OwnerAction, name: &str) -> Option<i64> {
    action.numbers.iter().find(|number| number.name == name).map(|number| number.value)
}

type Numbers<'a> = dyn Fn(&str) -> Option<i64> + 'a;

/// One for each set of numbers that decisions come with.
const SUMS: &[fn(&Numbers<'_>) -> Option<Sum>] = &[quorum, control_planes, budget, surge, in_flight, replicas];

fn quorum(number: &Numbers<'_>) -> Option<Sum> {
    let (now, after) = (number("etcdMembers").filter(|now| *now > 0)?, number("etcdMembersAfter")?);
    let (voting, unhealthy) = (number("etcdVotingAfter")?, number("etcdUnhealthyAfter")?);
    let (healthy, needed) = (voting - unhealthy, number("etcdQuorumAfter")?);
    let (answer, flips) = if healthy >= needed {
        ("the quorum holds", format!("no more than {} of them are healthy", needed - 1))
    } else {
        ("the quorum would be lost", format!("{needed} of them are healthy"))
    };
    let text = format!(
        "etcd has {now} members, {after} afterwards: {voting} with a vote - {unhealthy} not healthy = {healthy}, \
         {needed} needed: {answer}"
    );
    Some(Sum { text, flips })
}

fn control_planes(number: &Numbers<'_>) -> Option<Sum> {
    let after = number("healthyControlPlanesAfter")?;
    let flips = if after > 0 { String::new() } else { "another machine runs healthy components".to_owned() };
    Some(Sum {
        text: format!("{} with healthy components afterwards, 1 needed", count(spelled(after), "machine")),
        flips,
    })
}

fn budget(number: &Numbers<'_>) -> Option<Sum> {
    let (available, minimum, room) = (number("available")?, number("minAvailable")?, number("room")?);
    let text = format!("{available} available - {minimum} that have to stay; room to remove {room}");
    let flips = if room > 0 {
        format!("{} fewer are available", count(spelled(room), "machine"))
    } else {
        "another machine is available, or maxUnavailable grows".to_owned()
    };
    Some(Sum { text, flips })
}

fn surge(number: &Numbers<'_>) -> Option<Sum> {
    let (machines, most) = (number("machines")?, number("maxMachines")?);
    let text = format!("{machines} machines of at most {most}");
    let flips = if machines < most { String::new() } else { "a machine is gone, or maxSurge grows".to_owned() };
    Some(Sum { text, flips })
}

fn in_flight(number: &Numbers<'_>) -> Option<Sum> {
    let (unhealthy, in_flight) = (number("unhealthy")?, number("inFlight")?);
    let Some(most) = number("maxInFlight") else {
        return Some(Sum {
            text: format!("{unhealthy} unhealthy, {in_flight} being replaced, no limit"),
            flips: String::new(),
        });
    };
    let flips = if in_flight < most { "" } else { "one of those being replaced is gone, or maxInFlight grows" };
    Some(Sum {
        text: format!("{unhealthy} unhealthy, {in_flight} being replaced of at most {most}"),
        flips: flips.to_owned(),
    })
}

fn replicas(number: &Numbers<'_>) -> Option<Sum> {
    let (wanted, machines) = (number("wanted")?, number("machines")?);
    let outdated = number("outdated").map(|outdated| format!(", {outdated} of them outdated")).unwrap_or_default();
    let pending = number("pendingMoves").filter(|pending| *pending > 0);
    let pending = pending.map(|pending| format!(", {pending} moved here and not counted yet")).unwrap_or_default();
    Some(Sum { text: format!("{wanted} wanted, {machines} there{outdated}{pending}"), flips: String::new() })
}

fn spelled(number: i64) -> usize {
    usize::try_from(number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Sum, budget, quorum};

    fn sum(of: fn(&super::Numbers<'_>) -> Option<Sum>, numbers: &[(&str, i64)]) -> (String, String) {
        let number = |name: &str| numbers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        of(&number).map(|Sum { text, flips }| (text, flips)).unwrap_or_default()
    }

    #[test]
    fn a_quorum_is_counted_and_flips_where_it_is_reached() {
        let numbers = |voting, unhealthy, needed| {
            [
                ("etcdMembers", 3),
                ("etcdMembersAfter", 2),
                ("etcdVotingAfter", voting),
                ("etcdUnhealthyAfter", unhealthy),
                ("etcdQuorumAfter", needed),
            ]
        };
        let (text, flips) = sum(quorum, &numbers(2, 0, 2));
        assert_eq!(
            text,
            "etcd has 3 members, 2 afterwards: 2 with a vote - 0 not healthy = 2, 2 needed: the quorum holds"
        );
        assert_eq!(flips, "no more than 1 of them are healthy");
        let (text, flips) = sum(quorum, &numbers(2, 1, 2));
        assert!(text.ends_with("= 1, 2 needed: the quorum would be lost"), "{text}");
        assert_eq!(flips, "2 of them are healthy");
    }

    #[test]
    fn a_budget_without_room_says_what_makes_room() {
        let (text, flips) = sum(budget, &[("available", 3), ("minAvailable", 3), ("room", 0)]);
        assert_eq!(text, "3 available - 3 that have to stay; room to remove 0");
        assert_eq!(flips, "another machine is available, or maxUnavailable grows");
    }
}
