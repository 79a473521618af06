//! Transition tables: the first row whose guard holds decides, and its id is part of the decision.

mod describe;
pub mod progress;
mod run;
mod syntax;

pub use describe::{EVERY_KIND, OutcomeDescription, ProfileOutcome, RowDescription, TableDescription};
pub use run::{Answer, Copied, Decided};
pub(crate) use syntax::{fact, facts, guard, in_progress, internal_error, row, subject};

use crate::outcome::ConditionStatus;
use crate::profile::{Column, Profile};

/// What a table decides about: ties a table to the facts its guards read and to the actions its rows may name.
pub trait Subject {
    /// What the guards read.
    type Facts<'a>;
    /// What rows may decide beside the condition; `()` for tables that only set conditions.
    type Act: Copy + 'static;
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
    /// The facts that an explanation shows and that messages name.
    pub facts: &'static [Shown<S>],
    /// The rows. The last one decides when no other does.
    pub rows: &'static [Row<S>],
}

/// One row of a table, written with `row!`.
pub struct Row<S: Subject + 'static> {
    /// Its id. It is given once and never used for anything else: order and id are independent.
    pub id: &'static str,
    /// Its guard as it is written.
    pub when: &'static str,
    /// Its guard.
    pub holds: fn(&S::Facts<'_>) -> bool,
    /// The profiles that have the row: `None` for all of them.
    pub only: Option<Column>,
    /// The profiles that no longer have it.
    pub except: Option<Column>,
    /// What follows, unless a column says otherwise.
    pub then: Outcome<S>,
    /// What follows under other profiles, where that differs; a later column goes before an earlier one.
    pub columns: &'static [(Column, Outcome<S>)],
}

/// What a row decides.
pub struct Outcome<S: Subject> {
    /// What becomes of the condition.
    pub condition: Effect<S>,
    /// What else follows, and its name.
    pub act: Option<(&'static str, S::Act)>,
}

/// What a row does with the condition.
pub enum Effect<S: Subject> {
    /// Set it.
    Set(ConditionStatus, Words<S>, Words<S>),
    /// Keep it as it is stored.
    Keep,
    /// Take over another object's condition.
    Copy(&'static str, fn(&S::Facts<'_>) -> Copied),
    /// Decide nothing about it.
    Nothing,
}

/// A reason or a message.
pub enum Words<S: Subject> {
    /// A text in which `{name}` stands for the fact of that name.
    Template(&'static str),
    /// Made by a function.
    From(&'static str, fn(&S::Facts<'_>) -> String),
}

/// A fact as explanations and messages show it.
pub struct Shown<S: Subject> {
    /// Its name.
    pub name: &'static str,
    /// Its value in words.
    pub value: fn(&S::Facts<'_>) -> String,
    /// Whether an explanation shows it; the others are there for messages only.
    pub explained: bool,
}

/// A fact as text: one function for all facts of a type.
pub(crate) fn in_text(fact: &impl ToString) -> String {
    fact.to_string()
}

/// Guard of a row that decides whenever it is reached.
pub(crate) fn otherwise<F>(_: &F) -> bool {
    true
}

impl<S: Subject + 'static> Row<S> {
    /// Whether a profile has this row.
    pub fn belongs_to(&self, profile: Profile) -> bool {
        self.only.is_none_or(|column| column.covers(profile))
            && !self.except.is_some_and(|column| column.covers(profile))
    }

    /// What follows under a profile.
    pub fn outcome(&self, profile: Profile) -> &Outcome<S> {
        let column = self.columns.iter().rev().find(|(column, _)| column.covers(profile));
        column.map_or(&self.then, |(_, outcome)| outcome)
    }
}
