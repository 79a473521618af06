#![doc = include_str!("status_workers.md")]

use crate::progress::{Progress, decide};
use crate::table::{Table, facts, in_progress, otherwise, row, subject};

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

subject!(OfWorkers, Workers, Act);

in_progress!(Workers);

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
