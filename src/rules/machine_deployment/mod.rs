//! MachineDeployment: its facts and its tables.

mod deleting;
mod remediating;

pub use deleting::DELETING;
pub use remediating::REMEDIATING;

use super::remediations::Remediations;
use super::stale_machines::{self, stale_machines};
use crate::observed::Observed;
use crate::outcome::{Evaluation, Status};
use crate::progress::{InProgress, Mode, Progress, settle};
use crate::snapshot::Kind;
use crate::table::{Subject, Table};
use crate::view::{Machine, MachineDeployment, MachineSet};

/// A MachineDeployment.
pub struct OfMachineDeployment;

impl Subject for OfMachineDeployment {
    type Facts<'a> = Facts<'a>;
    type Step = ();
}

/// The tables in the order in which they are decided.
pub static TABLES: &[&Table<OfMachineDeployment>] = &[&REMEDIATING, &DELETING];

/// A MachineDeployment and what belongs to it.
pub struct Input<'a> {
    /// The object.
    pub machine_deployment: &'a MachineDeployment<'a>,
    /// Its MachineSets.
    pub machine_sets: Vec<&'a MachineSet<'a>>,
    /// Its Machines.
    pub machines: Vec<&'a Machine<'a>>,
    /// What could be read.
    pub observed: &'a Observed<'a>,
}

/// What the guards read.
pub struct Facts<'a> {
    input: Input<'a>,
    remediations: Remediations<'a>,
    stale: Option<String>,
    progress: Progress<'a>,
}

impl<'a> InProgress<'a> for Facts<'a> {
    fn progress(&mut self) -> &mut Progress<'a> {
        &mut self.progress
    }
}

/// Decides every table.
pub fn evaluate(input: Input<'_>, mode: Mode) -> Evaluation {
    let object = input.machine_deployment;
    let next_change = stale_machines::next_change(&input.machines, mode.now);
    let mut facts = Facts {
        remediations: Remediations::of(&input.machines),
        stale: stale_machines(&input.machines, mode.now),
        progress: Progress::new(mode, &object.metadata, &object.status.conditions),
        input,
    };
    for table in TABLES {
        settle(table, &mut facts);
    }
    let mut evaluation = Evaluation::of(Kind::MachineDeployment, &object.metadata, facts.progress, Status::default());
    evaluation.next_change = next_change;
    evaluation
}
