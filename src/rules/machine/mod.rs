//! Machine: its facts and its tables.

mod updating;

pub use updating::UPDATING;

use crate::observed::Observed;
use crate::outcome::{Evaluation, Status};
use crate::progress::{InProgress, Mode, Progress, settle};
use crate::snapshot::Kind;
use crate::table::{Subject, Table};
use crate::view::Machine;

/// A Machine.
pub struct OfMachine;

impl Subject for OfMachine {
    type Facts<'a> = Facts<'a>;
    type Step = ();
}

/// The tables in the order in which they are decided.
pub static TABLES: &[&Table<OfMachine>] = &[&UPDATING];

/// A Machine and what belongs to it.
pub struct Input<'a> {
    /// The object.
    pub machine: &'a Machine<'a>,
    /// What could be read.
    pub observed: &'a Observed<'a>,
}

/// What the guards read.
pub struct Facts<'a> {
    input: Input<'a>,
    progress: Progress<'a>,
}

impl<'a> InProgress<'a> for Facts<'a> {
    fn progress(&mut self) -> &mut Progress<'a> {
        &mut self.progress
    }
}

/// Decides every table.
pub fn evaluate(input: Input<'_>, mode: Mode) -> Evaluation {
    let object = input.machine;
    let mut facts = Facts { progress: Progress::new(mode, &object.metadata, &object.status.conditions), input };
    for table in TABLES {
        settle(table, &mut facts);
    }
    Evaluation::of(Kind::Machine, &object.metadata, facts.progress, Status::default())
}
