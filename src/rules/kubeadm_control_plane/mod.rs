//! KubeadmControlPlane: its facts and its tables.

mod remediating;

pub use remediating::REMEDIATING;

use super::remediations::Remediations;
use crate::outcome::{Evaluation, Status};
use crate::progress::{InProgress, Mode, Progress, settle};
use crate::snapshot::Kind;
use crate::table::{Subject, Table};
use crate::view::{KubeadmControlPlane, Machine};

/// A KubeadmControlPlane.
pub struct OfKubeadmControlPlane;

impl Subject for OfKubeadmControlPlane {
    type Facts<'a> = Facts<'a>;
    type Step = ();
}

/// The tables in the order in which they are decided.
pub static TABLES: &[&Table<OfKubeadmControlPlane>] = &[&REMEDIATING];

/// A KubeadmControlPlane and what belongs to it.
pub struct Input<'a> {
    /// The object.
    pub control_plane: &'a KubeadmControlPlane<'a>,
    /// Its Machines.
    pub machines: Vec<&'a Machine<'a>>,
}

/// What the guards read.
pub struct Facts<'a> {
    remediations: Remediations<'a>,
    progress: Progress<'a>,
}

impl<'a> InProgress<'a> for Facts<'a> {
    fn progress(&mut self) -> &mut Progress<'a> {
        &mut self.progress
    }
}

/// Decides every table.
pub fn evaluate(input: &Input<'_>, mode: Mode) -> Evaluation {
    let object = input.control_plane;
    let mut facts = Facts {
        remediations: Remediations::of(&input.machines),
        progress: Progress::new(mode, &object.metadata, &object.status.conditions),
    };
    for table in TABLES {
        settle(table, &mut facts);
    }
    Evaluation::of(Kind::KubeadmControlPlane, &object.metadata, facts.progress, Status::default())
}
