#![doc = include_str!("deleting.md")]

use super::{OfMachinePool, in_deletion, machines, machines_not_listed, not_set_by_cluster_api};
use crate::rules::owned_machines::deleting_machines;
use crate::table::{Table, facts, otherwise, row};

/// Whether the MachinePool is being deleted, and what is still in the way.
#[rustfmt::skip]
pub static DELETING: Table<OfMachinePool> = Table {
    id: "MP-DEL",
    kind: "MachinePool",
    condition: "Deleting",
    about: "Says what is left to delete, and which Machines have been in deletion for more than 15 minutes. True is the transitional state.",
    source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    facts: facts![in_deletion, machines, stale.stale_machines, infrastructure.found, bootstrap.found; deleting_machines, infrastructure.kind, bootstrap.kind],
    rows: &[
        // row, when, status, reason, message
        row!("MP-DEL-1", only cluster_api, not_set_by_cluster_api => keep),
        row!("MP-DEL-2", machines_not_listed                      => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MP-DEL-3", not in_deletion                          => False, "NotDeleting", ""),
        row!("MP-DEL-4", stale.some_stale                         => True, "Deleting", "{deleting_machines}\n* {stale.stale_machines}"),
        row!("MP-DEL-5", machines > 0                             => True, "Deleting", "{deleting_machines}"),
        row!("MP-DEL-6", infrastructure.found                     => True, "Deleting", "Deleting {infrastructure.kind}"),
        row!("MP-DEL-7", bootstrap.found                          => True, "Deleting", "Deleting {bootstrap.kind}"),
        row!("MP-DEL-8", otherwise                                => True, "Deleting", "Deletion completed"),
    ],
};
