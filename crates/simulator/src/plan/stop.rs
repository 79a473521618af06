//! Where a plan stops before it is done, and why.

use super::owner::machines_of;
use super::phase::Phase;
use crate::object::{condition, has, text};
use crate::state::State;
use capi_policy::fleet::{ObjectRef, Subject};
use capi_policy::outcome::{CheckedMachine, Verdict};
use capi_policy::{Evaluation, Kind};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// One thing that stands in the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stop {
    /// Whom it stops.
    pub object: String,
    /// The row that decided.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub row: String,
    /// What stands in the way.
    pub why: String,
}

impl Stop {
    fn of(object: &impl ToString, row: &str, why: impl Into<String>) -> Self {
        Self { object: object.to_string(), row: row.to_owned(), why: why.into() }
    }
}

/// Everything that stands in an owner's way.
pub fn stops(state: &State, owner: &ObjectRef, decisions: &BTreeMap<Subject, Evaluation>, over: bool) -> Vec<Stop> {
    let sets = state.controlled(owner, Kind::MachineSet).map(|(set, _)| set);
    let own: Vec<_> = [owner].into_iter().chain(sets).filter_map(ObjectRef::subject).collect();
    let mut stops: Vec<Stop> = own.iter().filter_map(|subject| paused(subject, decisions)).collect();
    for subject in &own {
        stops.extend(decisions.get(subject).into_iter().flat_map(|decision| obstacles(subject, decision)));
    }
    stops.extend(machines_of(state, owner).filter_map(|(name, machine)| of_machine(&name.name, machine)));
    let machines: Vec<_> = machines_of(state, owner).map(|(name, _)| &*name.name).collect();
    stops.extend(decisions.iter().filter_map(|(check, decision)| blocked(check, decision, &machines)));
    if !over {
        stops.push(Stop::of(&"the plan", "", "it goes on beyond the time that it looks ahead"));
    }
    if stops.is_empty() {
        let last = own.iter().filter_map(|subject| decisions.get(subject).zip(Some(subject)));
        stops.extend(last.flat_map(|(decision, subject)| waits(subject, decision)));
    }
    // A preflight check that fails is in the way of its own table and of the one that scales.
    let mut seen = BTreeSet::new();
    stops.retain(|stop| seen.insert((stop.object.clone(), stop.why.clone())));
    stops
}

fn paused(subject: &Subject, decisions: &BTreeMap<Subject, Evaluation>) -> Option<Stop> {
    let paused = decisions.get(subject)?.conditions.iter().find(|condition| condition.kind == "Paused")?;
    (paused.status.as_str() == "True")
        .then(|| Stop::of(subject, paused.row, format!("is paused: {}", one_line(&paused.message))))
}

/// A health check that finds machines of the owner unhealthy and must not have them remediated.
fn blocked(check: &Subject, decision: &Evaluation, machines: &[&str]) -> Option<Stop> {
    let unhealthy = |found: &CheckedMachine| found.verdict == Verdict::Unhealthy && machines.contains(&&*found.name);
    let allowed = decision.conditions.iter().find(|condition| condition.kind == "RemediationAllowed")?;
    let blocks = allowed.status.as_str() == "False" && decision.machines.iter().any(unhealthy);
    blocks.then(|| Stop::of(check, allowed.row, one_line(&allowed.message)))
}

/// A message of several lines in one.
fn one_line(message: &str) -> String {
    let lines = message.lines().map(|line| line.trim_start_matches([' ', '*']));
    lines.fold(String::new(), |text, line| match text.chars().last() {
        None => line.to_owned(),
        Some(':') => text + " " + line,
        Some(_) => text + "; " + line,
    })
}

fn obstacles<'e>(subject: &'e Subject, decision: &'e Evaluation) -> impl Iterator<Item = Stop> + 'e {
    // That a MachineSet differs from what is wanted is the reason of a rollout, and stops nobody.
    let actions = decision.owner_actions.iter().filter(|action| action.decision != "CurrentMachineSet");
    actions.flat_map(move |action| {
        let found = action.obstacles.iter().chain(&action.error);
        found.map(move |why| Stop::of(subject, action.row, why.clone()))
    })
}

/// What owners that have nothing to do wait for.
fn waits<'e>(subject: &'e Subject, decision: &'e Evaluation) -> impl Iterator<Item = Stop> + 'e {
    let actions = decision.owner_actions.iter().filter(|action| ["NextStep", "Scale"].contains(&action.decision));
    actions.map(move |action| Stop::of(subject, action.row, action.line()))
}

fn of_machine(name: &str, machine: &Value) -> Option<Stop> {
    let object = format!("Machine {name}");
    let message = |kind: &str| condition(machine, kind).map(|condition| one_line(text(condition, "/message")));
    let remediation = condition(machine, "OwnerRemediated").filter(|_| has(machine, "OwnerRemediated", "False"));
    match Phase::of(machine) {
        Phase::Available if has(machine, "UpToDate", "False") => {
            Some(Stop::of(&object, "", format!("is not up to date: {}", message("UpToDate").unwrap_or_default())))
        }
        Phase::Available | Phase::Gone => None,
        Phase::Deleting => Some(Stop::of(&object, "", message("Deleting").unwrap_or_default())),
        _ if remediation.is_some() => {
            let reason = remediation.map(|remediation| text(remediation, "/reason")).unwrap_or_default();
            Some(Stop::of(&object, "", format!("{reason}: {}", message("OwnerRemediated").unwrap_or_default())))
        }
        Phase::Booting => Some(Stop::of(&object, "", "has no Node, though its time to come up is over")),
        Phase::Updating => Some(Stop::of(&object, "", "is still updated in place")),
        Phase::Unavailable => {
            let why = message("Ready").unwrap_or_default();
            Some(Stop::of(&object, "", format!("is not available: {why}")))
        }
    }
}
