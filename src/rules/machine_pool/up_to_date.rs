#![doc = include_str!("up_to_date.md")]

use crate::progress::Progress;
use crate::table::{Table, facts, in_progress, otherwise, row, subject};
use crate::view::{Machine, MachinePool};

/// A Machine of a MachinePool.
pub struct OfPoolMachine;

/// What the guards read.
pub struct PoolMachine<'a> {
    /// The pool.
    pub pool: &'a MachinePool<'a>,
    /// The pool is paused.
    pub paused: bool,
    /// The Machine.
    pub machine: &'a Machine<'a>,
    /// What is decided about the Machine.
    pub progress: Progress<'a>,
}

subject!(OfPoolMachine, PoolMachine, ());

in_progress!(PoolMachine);

/// Whether a Machine of a pool is as the pool wants it.
#[rustfmt::skip]
pub static UP_TO_DATE: Table<OfPoolMachine> = Table {
    id: "MP-MUT",
    kind: "MachinePool",
    condition: "UpToDate",
    about: "The infrastructure replaces what differs, so every Machine of a pool counts as up to date until it is deleted.",
    source: "Cluster API v1.14.2, `core/reconcilers/machinepool`",
    facts: facts![paused, pool_in_deletion, in_deletion],
    rows: &[
        // row, when, status, reason, message
        row!("MP-MUT-1", paused or pool_in_deletion => keep),
        row!("MP-MUT-2", in_deletion                => False, "NotUpToDate", "Machine is being deleted"),
        row!("MP-MUT-3", otherwise                  => True,  "UpToDate",    ""),
    ],
};

/// The MachinePool is paused, so nothing is done about its Machines.
fn paused(m: &PoolMachine<'_>) -> bool {
    m.paused
}

/// The MachinePool has a deletion timestamp.
fn pool_in_deletion(m: &PoolMachine<'_>) -> bool {
    m.pool.metadata.in_deletion()
}

/// The Machine has a deletion timestamp.
fn in_deletion(m: &PoolMachine<'_>) -> bool {
    m.machine.metadata.in_deletion()
}
