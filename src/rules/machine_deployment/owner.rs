//! What a MachineDeployment does next: the current MachineSet, how many machines each MachineSet gets, what is cleaned up.

use super::Input;
use super::apply;
use super::clean_up::CLEAN_UP;
use super::current_machine_set::CURRENT_MACHINE_SET;
use super::deadlock::DEADLOCK;
use super::move_machines::MOVE_MACHINES;
use super::next_step::NEXT_STEP;
use super::paused_scale;
use super::planner::{NEW, Plan, Set, by_size};
use super::rollout::{Act, Rolling, surge as surge_of};
use super::scale_current::{self, SCALE_CURRENT};
use super::scale_old::SCALE_OLD;
use super::surge::{self, SURGE};
use crate::outcome::{Explanation, OwnerAction, OwnerStep};
use crate::progress::{Decision, Mode, Progress, decide};
use crate::rules::owners::action;
use crate::sorted::Sorted;
use crate::table::Table;
use crate::view::annotation;

/// Every decision of the MachineDeployment.
pub fn actions<'a>(input: &'a Input<'a>, mode: Mode) -> (Vec<OwnerAction>, Vec<Explanation>) {
    let progress = Progress::new(mode, &input.object.metadata, &[]);
    let mut planner =
        Planner { facts: Rolling { plan: Plan::new(input, mode.now), set: None, progress }, actions: Vec::new() };
    planner.run();
    let Planner { mut facts, actions } = planner;
    (actions, facts.progress.take_explanations())
}

struct Planner<'a> {
    facts: Rolling<'a>,
    actions: Vec<OwnerAction>,
}

impl Planner<'_> {
    fn run(&mut self) {
        let create_reason = self.find_current();
        self.number_revisions();
        let decision = self.decide(&NEXT_STEP);
        let plan = &self.facts.plan;
        let numbers = [("wanted", plan.wanted()), ("machines", plan.machines()), ("available", plan.available())];
        for (name, value) in numbers {
            self.number(name, value);
        }
        let planned = match decision.act {
            Some(Act::ScaleOnly) => Some(()),
            Some(Act::OnDelete) => {
                self.create(&create_reason);
                self.plan_on_delete()
            }
            Some(Act::RollOut) => {
                self.create(&create_reason);
                self.plan_rolling_update()
            }
            _ => None,
        };
        if planned.is_none() {
            self.fail("the next step can't be planned");
            return;
        }
        if decision.act == Some(Act::ScaleOnly) {
            paused_scale::scale(&mut self.facts.plan);
        }
        self.apply(&create_reason);
        let after = self.facts.input().object.spec.rollout.after;
        let later = after.filter(|after| *after > self.facts.plan.now);
        if let Some(next) = self.actions.iter_mut().find(|action| action.decision == NEXT_STEP.condition) {
            next.next_change = later;
        }
        if decision.act != Some(Act::ScaleOnly) {
            self.clean_up();
        }
    }

    /// Runs a table; what it decides is an entry of its own.
    fn decide(&mut self, table: &'static Table<super::rollout::Rollout>) -> Decision<Act> {
        let set = self.facts.set.as_ref().map(|set| set.name().to_owned());
        let decision = decide(table, &mut self.facts);
        let mut action = action(table, decision.row);
        action.candidates = set.into_iter().collect();
        self.actions.push(action);
        decision
    }

    fn last(&mut self) -> Option<&mut OwnerAction> {
        self.actions.last_mut()
    }

    fn number(&mut self, name: &'static str, value: i64) {
        if let Some(action) = self.last() {
            *action = std::mem::take(action).with(name, value);
        }
    }

    fn fail(&mut self, why: &str) {
        if let Some(action) = self.last() {
            let row = action.row;
            let error = format!("{why} ({row}: {})", action.why);
            action.fail(&error);
        }
    }

    /// Finds the current MachineSet; the answer is why there is none.
    fn find_current(&mut self) -> String {
        let sets = by_size(self.facts.input());
        let (mut differing, mut discarded, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
        for stored in &sets {
            let set = self.facts.plan.compared(stored);
            self.facts.set = Some(set);
            let decision = self.decide(&CURRENT_MACHINE_SET);
            let Some(mut set) = self.facts.set.take() else { continue };
            set.eligible = decision.act == Some(Act::Replace);
            let expired = decision.act == Some(Act::ReplaceWithNew) && !set.differences.is_empty();
            let mut details: Vec<_> = set.differences.iter().map(|difference| difference.detail.clone()).collect();
            if expired {
                details.push(super::current_machine_set::EXPIRED.to_owned());
            }
            if let Some(action) = self.last() {
                action.obstacles = set.differences.iter().map(|difference| difference.message.clone()).collect();
            }
            if !set.differences.is_empty() {
                reasons.push(format!("MachineSet {} needs rollout: {}", set.name(), details.join(", ")));
                differing.push(set);
            } else if decision.act == Some(Act::Keep) {
                self.facts.plan.current = Some(set);
            } else {
                discarded.push(set);
            }
        }
        let all_differ = discarded.is_empty();
        differing.extend(discarded);
        self.facts.plan.old = differing;
        match (self.facts.plan.rollout_after(), sets.is_empty()) {
            _ if self.facts.plan.current.is_some() => String::new(),
            (_, true) => "no MachineSets exist for the MachineDeployment".to_owned(),
            (Some(after), _) if !all_differ => format!(
                "spec.rollout.after on MachineDeployment set to {after}, no MachineSet has been created afterwards"
            ),
            _ => format!("couldn't find MachineSet matching MachineDeployment spec template: {}", reasons.join("; ")),
        }
    }

    /// The current MachineSet has the highest revision, the others keep theirs.
    fn number_revisions(&mut self) {
        let plan = &mut self.facts.plan;
        let on_delete = plan.input.object.spec.rollout.strategy.kind == *"OnDelete";
        let mut highest: i64 = 0;
        for set in &mut plan.old {
            let stored = set.stored.map(|stored| &stored.metadata);
            for key in [annotation::REVISION, annotation::REVISION_HISTORY] {
                if let Some(value) = stored.and_then(|metadata| metadata.annotation(key)) {
                    set.annotations.insert(key, value.to_string());
                }
            }
            set.annotations.insert(annotation::DISABLE_MACHINE_CREATE, on_delete.to_string());
            let revision = set.annotations.get(annotation::REVISION).and_then(|revision| revision.parse().ok());
            highest = highest.max(revision.unwrap_or(0));
        }
        let next = highest.saturating_add(1);
        let Some(current) = &mut plan.current else { return };
        let stored = current.stored.map(|stored| &stored.metadata);
        let stored = |key: &str| stored.and_then(|metadata| metadata.annotation(key)).map(ToString::to_string);
        let own = stored(annotation::REVISION);
        let own_number = own.as_ref().and_then(|own| own.parse::<i64>().ok());
        plan.revision = own.clone().filter(|_| own_number.is_some_and(|own| own > next)).unwrap_or(next.to_string());
        if let Some(history) = stored(annotation::REVISION_HISTORY) {
            current.annotations.insert(annotation::REVISION_HISTORY, history);
        }
        if let Some(own) = own.as_ref().filter(|own| **own != plan.revision) {
            let history = current.annotations.entry(annotation::REVISION_HISTORY).or_default();
            let first = history.is_empty() || history.starts_with(',');
            *history = if first { own.clone() } else { format!("{history},{own}") };
        }
        if own.unwrap_or_default() != plan.revision {
            current.note("this is now the current MachineSet".to_owned());
        }
        current.annotations.insert(annotation::REVISION, plan.revision.clone());
        current.annotations.insert(annotation::DISABLE_MACHINE_CREATE, "false".to_owned());
    }

    /// Makes a current MachineSet where there is none.
    fn create(&mut self, reason: &str) {
        if self.facts.plan.current.is_none() {
            self.facts.plan.current = Some(Set::new());
            self.number_revisions();
            if let Some(current) = &mut self.facts.plan.current {
                current.notes.clear();
            }
            if let Some(action) = self.last() {
                action.obstacles.push(reason.to_owned());
            }
        }
    }

    fn plan_on_delete(&mut self) -> Option<()> {
        self.scale_current()?;
        self.scale_old();
        Some(())
    }

    fn plan_rolling_update(&mut self) -> Option<()> {
        self.facts.plan.acknowledge_moves();
        self.scale_current()?;
        self.scale_old();
        self.update_in_place()?;
        let decision = self.decide(&DEADLOCK);
        if decision.act == Some(Act::BreakDeadlock) {
            let spec = self.facts.plan.first_unavailable().map(|set| {
                set.intent = Some(set.spec.saturating_sub(1).max(0));
            });
            if let (Some(()), Some(current)) = (spec, &mut self.facts.plan.current) {
                let note = "scaling down by 1 to unblock rollout stuck due to unavailable Machine on oldMS";
                current.note(note.to_owned());
            }
        }
        Some(())
    }

    fn scale_current(&mut self) -> Option<()> {
        let decision = self.decide(&SCALE_CURRENT);
        let facts = &self.facts;
        let (wanted, machines) = (facts.plan.wanted(), facts.plan.machines());
        let (room, surge) = (scale_current::room(facts), surge_of(facts).unwrap_or(0));
        let rolling = super::max_unavailable::rolling_update(facts.input().object);
        self.number("machines", machines);
        self.number("maxMachines", wanted.saturating_add(surge));
        let current = self.facts.plan.current.as_mut()?;
        match decision.act {
            Some(Act::Fail) => return None,
            Some(Act::Align) => {
                let note = "scale down to align MachineSet spec.replicas to MachineDeployment spec.replicas";
                current.note(note.to_owned());
                current.intent = Some(wanted);
            }
            Some(Act::Grow) => {
                // With `OnDelete` the room is never more than what is missing.
                let count = if rolling { room.min(wanted.saturating_sub(current.spec)) } else { room };
                let surge = if rolling { format!(" + {surge} maxSurge") } else { String::new() };
                current.note(format!("{machines} current Machines < {wanted} MachineDeployment spec.replicas{surge}"));
                current.intent = Some(current.spec.saturating_add(count));
            }
            _ => {}
        }
        Some(())
    }

    fn scale_old(&mut self) {
        let decision = self.decide(&SCALE_OLD);
        let plan = &self.facts.plan;
        let numbers = [("available", plan.available()), ("minAvailable", plan.min_available()), ("room", plan.room())];
        for (name, value) in numbers {
            self.number(name, value);
        }
        match decision.act {
            Some(Act::Shrink) => self.facts.plan.scale_down_old(),
            Some(Act::ShrinkOnDelete) => self.facts.plan.scale_down_on_delete(),
            _ => {}
        }
    }

    fn update_in_place(&mut self) -> Option<()> {
        let plan = &self.facts.plan;
        let gate = plan.input.observed.feature_gates.in_place_updates;
        if !gate || plan.of_current(|set| set.spec) >= plan.wanted() {
            return Some(());
        }
        let target = plan.current.as_ref().map_or(NEW, Set::name).to_owned();
        let mut sources = Vec::new();
        for i in 0..self.facts.plan.old.len() {
            self.facts.set = self.facts.plan.old.get(i).cloned();
            let decision = self.decide(&MOVE_MACHINES);
            self.facts.set = None;
            match (decision.act, self.facts.plan.old.get_mut(i)) {
                (Some(Act::Fail), _) => return None,
                (Some(Act::Move), Some(set)) => {
                    set.note(format!("should scale down by moving Machines to MachineSet {target}"));
                    set.annotations.insert(annotation::MOVE_MACHINES_TO, target.clone());
                    sources.push(set.name().to_owned());
                }
                _ => {}
            }
        }
        if sources.is_empty() {
            return Some(());
        }
        sources.order_by(Ord::cmp);
        if let Some(current) = &mut self.facts.plan.current {
            current.annotations.insert(annotation::RECEIVE_MACHINES_FROM, sources.join(","));
        }
        self.surge();
        Some(())
    }

    fn surge(&mut self) {
        let used = surge::surge_used(&self.facts);
        let mut growth = surge::growth_without_surge(&self.facts);
        if used > 0 && growth == 0 {
            self.facts.plan.busy_before = self.facts.plan.busy();
        }
        let decision = self.decide(&SURGE);
        let updating = self.facts.plan.updating.clone();
        if let Some(action) = self.last() {
            action.candidates = updating;
        }
        let Some(current) = &mut self.facts.plan.current else { return };
        match decision.act {
            Some(Act::SurgeByOne) => {
                growth = 1;
                current.note("surge 1 allowed to create availability for in-place updates".to_owned());
            }
            Some(Act::DropSurge) => current.note(format!("surge {used} dropped to prioritize in-place updates")),
            _ => return,
        }
        current.intent = (growth > 0).then(|| current.spec.saturating_add(growth));
    }

    /// What is applied to the API server.
    fn apply(&mut self, create_reason: &str) {
        let plan = &self.facts.plan;
        let (input, max_surge) = (plan.input, plan.max_surge());
        let mut steps: Vec<_> =
            plan.acknowledged.iter().map(|machine| OwnerStep::AcknowledgeMove { machine: machine.clone() }).collect();
        for set in plan.current.iter().chain(&plan.old) {
            let from = set.stored.and_then(|stored| stored.spec.replicas).unwrap_or(0);
            let mut notes = set.notes.clone();
            if set.stored.is_none() {
                notes.insert(0, create_reason.to_owned());
            }
            steps.push(OwnerStep::ApplyMachineSet {
                machine_set: set.name().to_owned(),
                current: plan.current.as_ref().is_some_and(|current| current.name() == set.name()),
                created: set.stored.is_none(),
                from,
                replicas: set.wanted(),
                notes,
                object: apply::desired(input, set, max_surge),
            });
        }
        let noted = input.object.metadata.annotation(annotation::REVISION).map_or("", |revision| revision);
        if noted != plan.revision {
            let (key, value) = (annotation::REVISION.to_owned(), plan.revision.clone());
            steps.push(OwnerStep::SetAnnotation { key, value });
        }
        let mut apply = OwnerAction { steps, ..action(&NEXT_STEP, self.row_of_next_step()) };
        if let Some(next) = self.actions.iter_mut().find(|action| action.decision == NEXT_STEP.condition) {
            apply.numbers.append(&mut next.numbers);
            apply.obstacles.append(&mut next.obstacles);
            *next = apply;
        }
    }

    fn row_of_next_step(&self) -> &'static str {
        self.actions.iter().find(|action| action.decision == NEXT_STEP.condition).map_or("", |action| action.row)
    }

    fn clean_up(&mut self) {
        self.facts.plan.sort_by_age();
        for i in 0..self.facts.plan.old.len() {
            self.facts.set = self.facts.plan.old.get(i).cloned();
            let decision = self.decide(&CLEAN_UP);
            let machine_set = self.facts.set.take().map(|set| set.name().to_owned()).unwrap_or_default();
            if let (Some(Act::Delete), Some(action)) = (decision.act, self.last()) {
                action.steps.push(OwnerStep::DeleteMachineSet { machine_set });
            }
        }
    }
}
