//! What has been decided so far about one object, and the conditions to store in the end.

use crate::order;
use crate::outcome::{Condition, ConditionStatus, Evaluation, Explanation, Status};
use crate::profile::Profile;
use crate::snapshot::{Kind, Snapshot};
use crate::sorted::Sorted;
use crate::table::{Answer, Copied, Decided, Subject, Table};
use crate::time::Time;
use crate::view::{self, ConditionsExt, Metadata};
use capi_policy_json::same;

/// How to evaluate, the same for every object of a snapshot.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// The time of the evaluation.
    pub now: Time,
    /// When conditions change that have to: now, except in a forecast, which takes what was decided first as stored.
    pub changes_at: Time,
    /// Which rules apply.
    pub profile: Profile,
    /// Whether to say how each decision was made.
    pub explain: bool,
}

impl From<&Snapshot<'_>> for Mode {
    fn from(snapshot: &Snapshot<'_>) -> Self {
        Self { now: snapshot.now, changes_at: snapshot.now, profile: snapshot.profile, explain: snapshot.explain }
    }
}

/// The conditions of one object while its tables are decided one after the other.
#[derive(Debug)]
pub struct Progress<'a> {
    /// How to evaluate.
    pub mode: Mode,
    /// The machine's name where machines are checked for another object, else empty.
    pub machine: &'a str,
    generation: i64,
    stored: &'a [view::Condition<'a>],
    decided: Vec<Condition>,
    explanations: Vec<Explanation>,
}

impl<'a> Progress<'a> {
    /// Nothing decided yet.
    pub fn new(mode: Mode, metadata: &Metadata<'_>, stored: &'a [view::Condition<'a>]) -> Self {
        let generation = metadata.generation;
        Self { mode, machine: "", generation, stored, decided: Vec::new(), explanations: Vec::new() }
    }

    /// What the object carries now.
    pub fn stored(&self, kind: &str) -> Option<&view::Condition<'a>> {
        self.stored.of_type(kind)
    }

    /// What this evaluation decided, else what the object carries.
    pub fn current(&self, kind: &str) -> Option<Current<'_>> {
        let decided = self.decided.iter().find(|c| same(c.kind, kind)).map(|c| Current {
            status: c.status.as_str(),
            reason: &c.reason,
            message: &c.message,
            since: c.last_transition_time,
        });
        decided.or_else(|| {
            self.stored(kind).map(|c| Current {
                status: &c.status,
                reason: &c.reason,
                message: &c.message,
                since: c.transitioned(),
            })
        })
    }

    /// Notes what a table decided about a condition.
    fn note(&mut self, kind: &'static str, row: &'static str, decided: Decided, explanation: Option<Explanation>) {
        self.explanations.extend(explanation);
        match decided {
            Decided::Set(condition) => self.set(kind, row, condition),
            Decided::Keep => self.keep(kind, row),
            Decided::Nothing => {}
        }
    }

    /// Notes a condition that is to be set.
    pub fn set(&mut self, kind: &'static str, row: &'static str, condition: Copied) {
        let condition = condition.onto(kind, self.stored(kind), self.generation, self.mode.changes_at, row);
        self.decided.push(condition);
    }

    /// Notes a condition that stays as it is.
    pub fn keep(&mut self, kind: &'static str, row: &'static str) {
        let Some(stored) = self.stored(kind) else { return };
        let Some(status) = ConditionStatus::parse(&stored.status) else { return };
        let condition = Condition {
            kind,
            status,
            reason: String::from(&*stored.reason).into(),
            message: String::from(&*stored.message).into(),
            observed_generation: stored.observed_generation.unwrap_or(0),
            last_transition_time: stored.transitioned(),
            row,
        };
        self.decided.push(condition);
    }

    /// Notes that a condition stays as it is, unless something else was decided.
    pub fn keep_undecided(&mut self, kind: &'static str, row: &'static str) {
        if !self.decided.iter().any(|condition| same(condition.kind, kind)) {
            self.keep(kind, row);
        }
    }

    /// The conditions to store, in order, and how they were found.
    ///
    /// Cluster API sorts only when it changes something, so an object that stays as it is keeps its own order.
    pub fn finish(self) -> (Vec<Condition>, Vec<Explanation>) {
        let Self { stored, mut decided, explanations, .. } = self;
        let unchanged = |condition: &Condition| stored.of_type(condition.kind).is_some_and(|c| c.is(condition));
        if decided.iter().all(unchanged) {
            decided.order_by_key(|condition| stored.iter().position(|c| c.kind == condition.kind));
        } else {
            order::sort(&mut decided);
        }
        (decided, explanations)
    }

    /// The evaluation of the object whose conditions and status are settled.
    pub fn evaluation(self, kind: Kind, object: &Metadata<'_>, status: Status) -> Evaluation {
        let Mode { now, profile, .. } = self.mode;
        let (conditions, explanations) = self.finish();
        Evaluation {
            kind,
            namespace: object.namespace.to_string(),
            name: object.name.to_string(),
            profile,
            now,
            conditions,
            status,
            machines: Vec::new(),
            machine_conditions: Vec::new(),
            threshold: None,
            actions: Vec::new(),
            owner_actions: Vec::new(),
            events: Vec::new(),
            requeue_after_seconds: None,
            next_change: None,
            error: None,
            explanations,
        }
    }

    /// Whether what was decided about a condition differs from what is stored.
    pub fn changes(&self, kind: &str) -> bool {
        let stored = self.stored(kind).map(|c| (&*c.status, &*c.reason, &*c.message));
        self.current(kind).map(|c| (c.status, c.reason, c.message)) != stored
    }

    /// How the decisions so far were made.
    pub fn take_explanations(&mut self) -> Vec<Explanation> {
        std::mem::take(&mut self.explanations)
    }

    /// Takes over how decisions about other objects were made.
    pub fn add_explanations(&mut self, explanations: Vec<Explanation>) {
        self.explanations.extend(explanations);
    }
}

/// A condition as it stands while tables are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Current<'p> {
    /// Its status.
    pub status: &'p str,
    /// Its reason.
    pub reason: &'p str,
    /// Its message.
    pub message: &'p str,
    /// When its status last changed.
    pub since: Time,
}

/// Facts that carry the progress of the object they are about, so that later tables can read earlier decisions.
pub trait InProgress<'a> {
    /// The object's progress.
    fn progress(&mut self) -> &mut Progress<'a>;
}

/// What follows from a table beside its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision<Act> {
    /// The row that decided.
    pub row: &'static str,
    /// What the row wants done.
    pub act: Option<Act>,
}

/// Decides a table, and records its condition and, on request, how it was decided. Every table is run by this function.
pub fn decide<'a, S>(table: &Table<S>, facts: &mut S::Facts<'a>) -> Decision<S::Act>
where
    S: Subject + 'static,
    S::Facts<'a>: InProgress<'a>,
{
    let progress = facts.progress();
    let (mode, machine) = (progress.mode, progress.machine);
    let Answer { row, condition, act, explanation } = table.run(facts, mode.profile, mode.explain.then_some(machine));
    facts.progress().note(table.condition, row, condition, explanation);
    Decision { row, act }
}
