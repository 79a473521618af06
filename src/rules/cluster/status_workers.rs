#![doc = include_str!("status_workers.md")]

use crate::progress::{InProgress, Progress, decide};
use crate::table::{Subject, Table, facts, otherwise, row};

/// The workers of a Cluster.
pub struct OfWorkers;

/// What decides which of them count: nothing but the profile.
pub struct Workers<'a> {
    progress: Progress<'a>,
}

/// Who counts among the workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// MachinePools too.
    CountPools,
    /// Everybody but MachinePools.
    LeavePoolsOut,
}

impl Subject for OfWorkers {
    type Facts<'a> = Workers<'a>;
    type Act = Act;
}

impl<'a> InProgress<'a> for Workers<'a> {
    fn progress(&mut self) -> &mut Progress<'a> {
        &mut self.progress
    }
}

/// Whether MachinePools count among the workers.
#[rustfmt::skip]
pub static STATUS_WORKERS: Table<OfWorkers> = Table {
    id: "CL-WRK",
    kind: "Cluster",
    condition: "StatusWorkers",
    about: "Who counts in `status.workers`. No condition of a Cluster looks at MachinePools: they do not report enough yet. The documents say nothing about it, so profile `documented` follows the newest release.",
    source: "Cluster API v1.14.2, `core/reconcilers/cluster`",
    facts: facts![],
    rows: &[
        //   row         when                        step
        row!("CL-WRK-1", only since_v1_14, otherwise => act CountPools),
        row!("CL-WRK-2", otherwise                   => act LeavePoolsOut),
    ],
};

/// Decides whether MachinePools count.
pub fn status_workers(progress: Progress<'_>) -> (Progress<'_>, bool) {
    let mut workers = Workers { progress };
    let pools = decide(&STATUS_WORKERS, &mut workers).act == Some(Act::CountPools);
    (workers.progress, pools)
}
