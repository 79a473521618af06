#![doc = include_str!("preflight_checks.md")]

use super::preflight::Preflight;
use crate::progress::Progress;
use crate::table::{Table, facts, in_progress, otherwise, row, subject};

/// A MachineSet before it makes machines.
pub struct CheckedMachineSet;

/// What the guards read.
pub struct Checks<'a> {
    /// The results of the checks.
    pub preflight: &'a Preflight,
    /// What is decided about the MachineSet.
    pub progress: Progress<'a>,
}

/// The result of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// All of them passed.
    Pass,
    /// They can't be run.
    Fail,
    /// Some failed; they are run again soon.
    CheckAgain,
}

subject!(CheckedMachineSet, Checks, Act);

in_progress!(Checks);

/// Whether the control plane is well enough for new machines.
#[rustfmt::skip]
pub static PREFLIGHT_CHECKS: Table<CheckedMachineSet> = Table {
    id: "MS-PRE",
    kind: "MachineSet",
    condition: "PreflightChecks",
    about: "Run before Machines are made or remediated: the control plane has to be stable (`ControlPlaneIsStable`), and the versions have to fit (`KubernetesVersionSkew`, `KubeadmVersionSkew`, `ControlPlaneVersionSkew`). The annotation `machineset.cluster.x-k8s.io/skip-preflight-checks` of the MachineSet, else of its bootstrap template, switches checks off.",
    source: "Cluster API v1.14.2, MachineSet controller",
    facts: facts![failed],
    rows: &[
        //   row         when                then
        row!("MS-PRE-1", checks_impossible => act Fail),
        row!("MS-PRE-2", failed > 0        => act CheckAgain),
        row!("MS-PRE-3", otherwise         => act Pass),
    ],
};

/// How many checks failed.
fn failed(c: &Checks<'_>) -> usize {
    c.preflight.failures.len()
}

/// The checks could not be run.
fn checks_impossible(c: &Checks<'_>) -> bool {
    c.preflight.error.is_some()
}
