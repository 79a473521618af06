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
    /// What is written in it, whatever it is about.
    pub head: Head,
    /// Its guard.
    pub holds: fn(&S::Facts<'_>) -> bool,
    /// What follows, unless a column says otherwise.
    pub then: Outcome<S>,
    /// What follows in the columns of its head.
    pub others: &'static [Outcome<S>],
}

/// The part of a row that is the same for every subject.
pub struct Head {
    /// Its id. It is given once and never used for anything else: order and id are independent.
    pub id: &'static str,
    /// Its guard as it is written.
    pub when: &'static str,
    /// The profiles that have the row: `None` for all of them.
    pub only: Option<Column>,
    /// The profiles that no longer have it.
    pub except: Option<Column>,
    /// The other profiles for which it says what follows; a later column goes before an earlier one.
    pub columns: &'static [Column],
}

/// What a row decides.
pub struct Outcome<S: Subject + 'static> {
    /// As it is written.
    pub says: Says,
    /// Takes over another object's condition, where it does.
    pub copied: Option<fn(&S::Facts<'_>) -> Copied>,
    /// What it decides beside the condition.
    pub act: Option<S::Act>,
}

/// What a row decides, as it is written.
pub struct Says {
    /// What becomes of the condition.
    pub condition: Effect,
    /// The name of what else follows.
    pub act: &'static str,
}

/// What a row does with the condition.
pub enum Effect {
    /// Set it, with the templates of its reason and its message: `{name}` stands for the fact of that name.
    Set(ConditionStatus, &'static str, &'static str),
    /// Keep it as it is stored.
    Keep,
    /// Take over another object's condition.
    Copy(&'static str),
    /// Decide nothing about it.
    Nothing,
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

impl Head {
    /// Whether a profile has this row.
    pub fn belongs_to(&self, profile: Profile) -> bool {
        self.only.is_none_or(|column| column.covers(profile))
            && !self.except.is_some_and(|column| column.covers(profile))
    }

    /// The column that says what follows under a profile; without one, what the row says itself.
    pub fn column(&self, profile: Profile) -> Option<usize> {
        self.columns.iter().rposition(|column| column.covers(profile))
    }
}

impl<S: Subject + 'static> Row<S> {
    /// What follows in a column.
    fn outcome(&self, column: Option<usize>) -> &Outcome<S> {
        column.and_then(|column| self.others.get(column)).unwrap_or(&self.then)
    }
}

/// A table whatever it is about, so that the code that describes and explains tables is there once and not for each subject.
trait Written {
    /// A row's head, as long as there are rows.
    fn head(&self, row: usize) -> Option<&Head>;

    /// What a row says in a column.
    fn says(&self, row: usize, column: Option<usize>) -> Option<&Says>;

    /// The name of a fact and whether an explanation shows it, as long as there are facts.
    fn fact(&self, fact: usize) -> Option<(&'static str, bool)>;
}

impl<S: Subject + 'static> Written for Table<S> {
    fn head(&self, row: usize) -> Option<&Head> {
        self.rows.get(row).map(|row| &row.head)
    }

    fn says(&self, row: usize, column: Option<usize>) -> Option<&Says> {
        self.rows.get(row).map(|row| &row.outcome(column).says)
    }

    fn fact(&self, fact: usize) -> Option<(&'static str, bool)> {
        self.facts.get(fact).map(|fact| (fact.name, fact.explained))
    }
}
