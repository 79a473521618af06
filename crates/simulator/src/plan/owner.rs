//! What a plan means for each owner of machines: whom it replaces, how few stay available, whether etcd keeps its quorum.

use super::phase::{MachinePlan, Phase};
use super::stop::{Stop, stops};
use crate::change::{Change, Step};
use crate::control_plane;
use crate::object::{has, in_deletion, number};
use crate::state::{State, owner_of};
use capi_policy::fleet::{ObjectRef, Subject};
use capi_policy::time::Time;
use capi_policy::{Evaluation, Kind};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What a plan means for one owner.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnerPlan {
    /// The owner.
    pub owner: Subject,
    /// Whether it has all machines that it wants at the end, available and up to date.
    pub done: bool,
    /// When its last step is done.
    pub end: Time,
    /// Machines that are replaced or go, in that order.
    pub replaced: Vec<Replaced>,
    /// Machines that are updated in place, in that order.
    pub updated: Vec<String>,
    /// Machines that are made, in that order.
    pub created: Vec<String>,
    /// How many machines there are.
    pub machines: Machines,
    /// How many of them are available.
    pub available: Available,
    /// Of a control plane that runs etcd.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etcd: Option<EtcdMembers>,
    /// What stands in the way at the end; empty when it is done.
    pub stops: Vec<Stop>,
}

impl OwnerPlan {
    /// Whether anything happens to its machines.
    pub fn moves(&self) -> bool {
        !(self.replaced.is_empty() && self.updated.is_empty() && self.created.is_empty())
    }
}

/// A machine that goes.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replaced {
    /// The machine.
    pub machine: String,
    /// Whether it goes because it is unhealthy.
    pub remediated: bool,
    /// The row that decided.
    pub row: String,
}

/// How many machines there are.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Machines {
    /// Wanted.
    pub wanted: i64,
    /// At the start.
    pub before: usize,
    /// At most, meanwhile.
    pub most: usize,
    /// As many as the strategy allows; absent where it does not limit them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<i64>,
    /// At the end.
    pub after: usize,
}

/// How many machines are available.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Available {
    /// At the start.
    pub before: usize,
    /// At the least, meanwhile.
    pub lowest: usize,
    /// As few as the strategy allows; absent where it does not limit them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<i64>,
    /// At the end.
    pub after: usize,
}

/// The members of etcd.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EtcdMembers {
    /// With a vote, at the start.
    pub before: usize,
    /// Whether the healthy ones were always enough for a quorum.
    pub quorum_held: bool,
    /// How many more could fail with a quorum left, at the worst moment; negative without one.
    pub lowest_margin: i64,
    /// With a vote, at the end.
    pub after: usize,
}

/// From when on the plan goes, and whether it came to its end.
#[derive(Clone, Copy)]
pub struct Span {
    /// The start.
    pub start: Time,
    /// Whether no machine is on its way any more.
    pub over: bool,
}

/// The owners that a plan is about, and what was seen of their machines.
pub struct Watched {
    owners: BTreeMap<ObjectRef, Seen>,
    machines: BTreeMap<String, MachinePlan>,
    started: bool,
}

#[derive(Default)]
struct Seen {
    machines: Machines,
    available: Available,
    etcd: Option<EtcdMembers>,
}

impl Watched {
    /// Watches these owners, or all.
    pub fn new(state: &State, wanted: &[Subject]) -> Self {
        let all = [Kind::MachineDeployment, Kind::KubeadmControlPlane, Kind::MachineSet];
        let owners = all.into_iter().flat_map(|kind| state.of_kind(kind)).filter(|(_, object)| {
            // A MachineSet is part of its MachineDeployment's plan.
            owner_of(object).is_none_or(|owner| owner.place.decidable() != Some(Kind::MachineDeployment))
        });
        let asked = |name: &ObjectRef| wanted.is_empty() || name.subject().is_some_and(|own| wanted.contains(&own));
        let owners = owners.map(|(name, _)| name.clone()).filter(asked);
        let owners = owners.map(|name| (name, Seen::default())).collect();
        Self { owners, machines: BTreeMap::new(), started: false }
    }

    /// Notes the machines that are there before anything happens.
    pub fn before(&mut self, state: &State) {
        for owner in self.owners.keys() {
            let Some(subject) = owner.subject() else { continue };
            for (name, _) in machines_of(state, owner) {
                let machine =
                    MachinePlan { name: name.name.clone(), owner: subject.clone(), new: false, turns: vec![] };
                self.machines.insert(name.name.clone(), machine);
            }
        }
    }

    /// Looks at everything after a moment has passed.
    pub fn sample(&mut self, state: &State, now: Time) {
        let mut alive = BTreeSet::new();
        for (owner, seen) in &mut self.owners {
            let (mut count, mut available) = (0, 0);
            for (name, object) in machines_of(state, owner) {
                let phase = Phase::of(object);
                count += 1;
                available += usize::from(phase == Phase::Available);
                alive.insert(name.name.clone());
                if let Some(subject) = owner.subject() {
                    let made = || MachinePlan { name: name.name.clone(), owner: subject, new: true, turns: vec![] };
                    self.machines.entry(name.name.clone()).or_insert_with(made).turn(now, phase);
                }
            }
            seen.note(count, available, control_plane::votes(state, owner), !self.started);
        }
        for (_, machine) in self.machines.iter_mut().filter(|(name, _)| !alive.contains(*name)) {
            machine.turn(now, Phase::Gone);
        }
        self.started = true;
    }

    /// The steps of these owners and their machines.
    pub fn relevant(&self, steps: Vec<Step>) -> Vec<Step> {
        let owners: Vec<_> = self.owners.keys().filter_map(ObjectRef::subject).collect();
        let concerns = |step: &Step| {
            let decided = step.by.as_ref().is_some_and(|by| owners.contains(by));
            decided || step.change.machine().is_some_and(|machine| self.machines.contains_key(machine))
        };
        steps.into_iter().filter(concerns).collect()
    }

    /// The lives of the machines: those that were there, then new ones as they came.
    pub fn machines(self) -> Vec<MachinePlan> {
        let mut machines: Vec<_> = self.machines.into_values().collect();
        machines.sort_by_key(|machine| {
            let first = machine.turns.first().map(|turn| turn.time).filter(|_| machine.new);
            (machine.owner.clone(), first.map_or(i64::MIN, Time::unix_seconds))
        });
        machines
    }

    /// What it means for each owner.
    pub fn owners(
        &self,
        state: &State,
        decisions: &BTreeMap<Subject, Evaluation>,
        steps: &[Step],
        span: Span,
    ) -> Vec<OwnerPlan> {
        let owners = self.owners.iter().filter_map(|(owner, seen)| {
            let (subject, object) = (owner.subject()?, state.get(owner)?);
            let own = |step: &&Step| step.change.machine().is_some_and(|name| self.belongs(name, &subject));
            let steps: Vec<_> = steps.iter().filter(own).collect();
            let decided = |table: &str, name: &str| {
                let actions = &decisions.get(&subject)?.owner_actions;
                let action = actions.iter().find(|action| action.decision == table)?;
                action.numbers.iter().find(|number| number.name == name).map(|number| number.value)
            };
            let wanted = if in_deletion(object) { 0 } else { number(object, "/spec/replicas") };
            let done = is_done(state, owner, wanted);
            Some(OwnerPlan {
                done,
                end: steps.last().map_or(span.start, |step| step.time),
                replaced: replaced(&steps),
                updated: named(&steps, |change| matches!(change, Change::UpdateStarted { .. })),
                created: named(&steps, |change| matches!(change, Change::MachineCreated { .. })),
                machines: Machines { wanted, allowed: decided("ScaleCurrent", "maxMachines"), ..seen.machines },
                available: Available { allowed: decided("ScaleOld", "minAvailable"), ..seen.available },
                etcd: seen.etcd,
                stops: if done { Vec::new() } else { stops(state, owner, decisions, span.over) },
                owner: subject,
            })
        });
        owners.collect()
    }

    fn belongs(&self, machine: &str, owner: &Subject) -> bool {
        self.machines.get(machine).is_some_and(|machine| machine.owner == *owner)
    }
}

impl Seen {
    fn note(&mut self, machines: usize, available: usize, votes: Option<(usize, usize)>, first: bool) {
        if first {
            self.machines.before = machines;
            (self.available.before, self.available.lowest) = (available, available);
        }
        self.machines.most = self.machines.most.max(machines);
        self.available.lowest = self.available.lowest.min(available);
        (self.machines.after, self.available.after) = (machines, available);
        let Some((voting, healthy)) = votes else { return };
        let margin = signed(healthy).saturating_sub(signed(voting / 2).saturating_add(1));
        let etcd = self.etcd.get_or_insert(EtcdMembers {
            before: voting,
            quorum_held: true,
            lowest_margin: margin,
            after: voting,
        });
        etcd.after = voting;
        etcd.lowest_margin = etcd.lowest_margin.min(margin);
        etcd.quorum_held &= margin >= 0;
    }
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The machines of an owner, with those of its MachineSets.
pub fn machines_of<'s>(state: &'s State, owner: &'s ObjectRef) -> impl Iterator<Item = (&'s ObjectRef, &'s Value)> {
    let sets = state.controlled(owner, Kind::MachineSet).map(|(set, _)| set);
    let below = sets.flat_map(|set| state.controlled(set, Kind::Machine));
    state.controlled(owner, Kind::Machine).chain(below)
}

fn is_done(state: &State, owner: &ObjectRef, wanted: i64) -> bool {
    let machines: Vec<_> = machines_of(state, owner).map(|(_, machine)| machine).collect();
    let fine = |machine: &&Value| Phase::of(machine) == Phase::Available && !has(machine, "UpToDate", "False");
    signed(machines.len()) == wanted && machines.iter().all(fine)
}

fn named(steps: &[&Step], of: fn(&Change) -> bool) -> Vec<String> {
    let steps = steps.iter().filter(|step| of(&step.change));
    steps.filter_map(|step| step.change.machine().map(ToOwned::to_owned)).collect()
}

fn replaced(steps: &[&Step]) -> Vec<Replaced> {
    let deleted = steps.iter().filter(|step| matches!(step.change, Change::MachineDeleting { .. }));
    let replaced = deleted.filter_map(|step| {
        let remediated =
            step.row.contains("-OWN-") || step.by.as_ref().is_some_and(|by| by.kind == Kind::MachineHealthCheck);
        Some(Replaced { machine: step.change.machine()?.to_owned(), remediated, row: step.row.clone() })
    });
    replaced.collect()
}
