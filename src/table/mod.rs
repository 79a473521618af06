//! Facts in, decision out: the first row whose guard holds decides, and its id is part of the decision.

mod describe;

pub use describe::{EVERY_KIND, OutcomeDescription, RowDescription, TableDescription};

use self::describe::in_words;
use crate::outcome::{Condition, ConditionStatus, Explanation, Fact, Step, Text};
use crate::snapshot::Profile;
use crate::time::Time;
use crate::view;
use capi_policy_json::same;

/// What a table decides about: ties a table to the facts its guards read.
pub trait Subject {
    /// What the guards read.
    type Facts<'a>;
    /// The steps that rows may name; `()` for tables that only set conditions.
    type Step: Copy + 'static;
}

/// A transition table.
pub struct Table<S: Subject + 'static> {
    /// The id that its rows start with.
    pub id: &'static str,
    /// The kind of the evaluated object.
    pub kind: &'static str,
    /// The condition it sets, or the name of what it decides.
    pub condition: &'static str,
    /// What it decides, for a reader.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What an explanation shows of the facts.
    pub facts: &'static [Shown<S>],
    /// The rows. The last one decides when no other does.
    pub rows: &'static [Row<S>],
}

/// One row of a table.
pub struct Row<S: Subject + 'static> {
    /// Its id, stable between versions.
    pub id: &'static str,
    /// Its guard in words.
    pub when: &'static str,
    /// Its guard.
    pub holds: fn(&S::Facts<'_>) -> bool,
    /// What follows.
    pub then: Outcome<S>,
    /// What follows under profile `cluster-api`, where that differs.
    pub cluster_api: Option<&'static Outcome<S>>,
}

/// What a row does.
pub enum Outcome<S: Subject> {
    /// Set the condition.
    Set(ConditionStatus, Words<S>, Words<S>),
    /// Leave the condition as it is.
    Keep,
    /// Take over another object's condition.
    Copy(&'static str, fn(&S::Facts<'_>) -> Copied),
    /// Go on with the named step.
    Act(&'static str, S::Step),
}

/// A condition taken over from another object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Its status.
    pub status: ConditionStatus,
    /// Its reason.
    pub reason: Text,
    /// Its message.
    pub message: Text,
    /// Its time of transition, which is kept.
    pub since: Option<Time>,
}

/// A reason or a message: fixed, or said by a function whose name says what it says.
pub enum Words<S: Subject> {
    /// The same every time.
    Fixed(&'static str),
    /// Made from the facts.
    From(&'static str, fn(&S::Facts<'_>) -> String),
}

/// A fact as an explanation shows it.
pub struct Shown<S: Subject> {
    /// Its name.
    pub name: &'static str,
    /// Its value in words.
    pub value: fn(&S::Facts<'_>) -> String,
}

/// One row of a table. See [`Table`]; the macro's only service is that guards and messages are also printed.
macro_rules! row {
    ($id:literal, $when:ident => $($outcome:tt)+) => {
        row!(@split $id, $when, [] $($outcome)+)
    };
    (@split $id:literal, $when:ident, [$($then:tt)+] ; cluster_api: $($other:tt)+) => {
        $crate::table::Row {
            id: $id, when: stringify!($when), holds: |facts| $when(facts),
            then: row!(@outcome $($then)+), cluster_api: Some(&row!(@outcome $($other)+)),
        }
    };
    (@split $id:literal, $when:ident, [$($then:tt)*] $next:tt $($rest:tt)*) => {
        row!(@split $id, $when, [$($then)* $next] $($rest)*)
    };
    (@split $id:literal, $when:ident, [$($then:tt)+]) => {
        $crate::table::Row {
            id: $id, when: stringify!($when), holds: |facts| $when(facts),
            then: row!(@outcome $($then)+), cluster_api: None,
        }
    };
    (@outcome keep) => { $crate::table::Outcome::Keep };
    (@outcome act $step:ident) => { $crate::table::Outcome::Act(stringify!($step), Step::$step) };
    (@outcome copy $from:ident) => { $crate::table::Outcome::Copy(stringify!($from), |facts| $from(facts)) };
    (@outcome $status:ident, $reason:tt, $message:tt) => {
        $crate::table::Outcome::Set(
            $crate::outcome::ConditionStatus::$status, row!(@words $reason), row!(@words $message),
        )
    };
    (@words none) => { $crate::table::Words::Fixed("") };
    (@words $fixed:literal) => { $crate::table::Words::Fixed($fixed) };
    (@words $from:ident) => { $crate::table::Words::From(stringify!($from), |facts| $from(facts)) };
}
pub(crate) use row;

/// The facts that an explanation shows: functions of the facts, by their names.
macro_rules! facts {
    ($($fact:ident),* $(,)?) => {
        &[$($crate::table::Shown { name: stringify!($fact), value: |facts| $crate::table::in_text(&$fact(facts)) }),*]
    };
}
pub(crate) use facts;

/// A fact as an explanation shows it: one function for all facts of a type, since a copy in each was 3 % of the artifact.
#[inline(never)]
pub(crate) fn in_text(fact: &impl ToString) -> String {
    fact.to_string()
}

/// Guard of a row that decides whenever it is reached.
pub(crate) fn otherwise<F>(_: &F) -> bool {
    true
}

/// The answer of a table.
pub struct Decision<Step> {
    /// The row that decided.
    pub row: &'static str,
    /// What follows.
    pub then: Decided<Step>,
}

/// What a decision says.
pub enum Decided<Step> {
    /// Set the condition so.
    Set(Copied),
    /// Leave the condition as it is.
    Keep,
    /// Go on with the named step.
    Act(Step),
}

impl<S: Subject + 'static> Table<S> {
    /// The decision for these facts.
    pub fn decide(&self, facts: &S::Facts<'_>, profile: Profile) -> Decision<S::Step> {
        let Some(row) = self.rows.iter().find(|row| (row.holds)(facts)).or(self.rows.last()) else {
            return Decision { row: self.id, then: Decided::Keep };
        };
        let then = match row.outcome(profile) {
            Outcome::Set(status, reason, message) => Decided::Set(Copied {
                status: *status,
                reason: reason.say(facts),
                message: message.say(facts),
                since: None,
            }),
            Outcome::Copy(_, from) => Decided::Set(from(facts)),
            Outcome::Keep => Decided::Keep,
            Outcome::Act(_, step) => Decided::Act(*step),
        };
        Decision { row: row.id, then }
    }

    /// The status that a row sets.
    pub fn status_of(&self, id: &str, profile: Profile) -> Option<ConditionStatus> {
        self.rows.iter().find(|row| same(row.id, id)).and_then(|row| match row.outcome(profile) {
            Outcome::Set(status, ..) => Some(*status),
            _ => None,
        })
    }

    /// How the table comes to its decision.
    pub fn explain(&self, facts: &S::Facts<'_>, machine: &str) -> Explanation {
        let mut trace = Vec::new();
        for row in self.rows {
            let holds = (row.holds)(facts) || self.rows.last().is_some_and(|last| last.id == row.id);
            trace.push(Step { row: row.id, when: in_words(row.when), holds });
            if holds {
                break;
            }
        }
        Explanation {
            table: self.id,
            machine: machine.to_owned(),
            row: trace.last().map_or(self.id, |step| step.row),
            facts: self
                .facts
                .iter()
                .map(|fact| Fact { name: in_words(fact.name), value: (fact.value)(facts) })
                .collect(),
            trace,
        }
    }

    /// The table as data.
    pub fn describe(&self) -> TableDescription {
        TableDescription {
            id: self.id,
            kind: self.kind,
            condition: self.condition,
            about: self.about,
            source: self.source,
            rows: self.rows.iter().map(Row::describe).collect(),
        }
    }
}

impl<S: Subject + 'static> Row<S> {
    fn outcome(&self, profile: Profile) -> &Outcome<S> {
        match (profile, self.cluster_api) {
            (Profile::ClusterApi, Some(outcome)) => outcome,
            _ => &self.then,
        }
    }

    fn describe(&self) -> RowDescription {
        RowDescription {
            id: self.id,
            when: in_words(self.when),
            then: self.then.describe(),
            cluster_api: self.cluster_api.map(Outcome::describe),
        }
    }
}

impl<S: Subject> Outcome<S> {
    fn describe(&self) -> OutcomeDescription {
        let (status, reason, message) = match self {
            Self::Set(status, reason, message) => (status.as_str().to_owned(), reason.describe(), message.describe()),
            Self::Keep => ("keep".to_owned(), String::new(), String::new()),
            Self::Copy(from, _) => (format!("copy {}", in_words(from)), String::new(), String::new()),
            Self::Act(step, _) => (in_words(step), String::new(), String::new()),
        };
        OutcomeDescription { status, reason, message }
    }
}

impl<S: Subject> Words<S> {
    fn say(&self, facts: &S::Facts<'_>) -> Text {
        match self {
            Self::Fixed(text) => Text::Borrowed(text),
            Self::From(_, say) => say(facts).into(),
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Fixed(text) => (*text).to_owned(),
            Self::From(name, _) => format!("<{}>", in_words(name)),
        }
    }
}

impl Copied {
    /// The condition to store, given what the object carries now.
    pub fn onto(
        self,
        kind: &'static str,
        stored: Option<&view::Condition<'_>>,
        generation: i64,
        now: Time,
        row: &'static str,
    ) -> Condition {
        let kept = stored.filter(|c| c.status == self.status.as_str()).and_then(|c| c.last_transition_time);
        Condition {
            kind,
            status: self.status,
            reason: self.reason,
            message: self.message,
            observed_generation: generation,
            last_transition_time: kept.or(self.since).unwrap_or(now),
            row,
        }
    }
}
