#![doc = include_str!("machines_up_to_date.md")]

use super::{OfMachinePool, machines, machines_not_listed, not_set_by_cluster_api};
use crate::table::{Table, facts, otherwise, row};

/// Whether the machines are as the spec wants them.
#[rustfmt::skip]
pub static MACHINES_UP_TO_DATE: Table<OfMachinePool> = Table {
    id: "MP-UTD",
    kind: "MachinePool",
    condition: "MachinesUpToDate",
    about: "Takes the `UpToDate` of all Machines together, as it was just decided about them: an issue goes before unknown, and the message says who reports what.",
    source: "Cluster API v1.14.2, `api/core/v1beta2` (what the condition means); no release sets it",
    facts: facts![machines; up_to_date.message],
    rows: &[
        // row, when, status, reason, message
        row!("MP-UTD-1", only cluster_api, not_set_by_cluster_api => keep),
        row!("MP-UTD-2", machines_not_listed                      => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MP-UTD-3", up_to_date.nothing_to_aggregate          => True, "NoReplicas", ""),
        row!("MP-UTD-4", up_to_date.aggregation_fails             => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MP-UTD-5", up_to_date.some_issue_reported           => False, "NotUpToDate", "{up_to_date.message}"),
        row!("MP-UTD-6", up_to_date.some_status_unknown           => Unknown, "UpToDateUnknown", "{up_to_date.message}"),
        row!("MP-UTD-7", otherwise                                => True, "UpToDate", "{up_to_date.message}"),
    ],
};
