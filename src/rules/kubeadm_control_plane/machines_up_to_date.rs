#![doc = include_str!("machines_up_to_date.md")]

use super::OfKubeadmControlPlane;
use crate::table::{Table, facts, otherwise, row};

/// Whether the machines are as the spec wants them.
#[rustfmt::skip]
pub static MACHINES_UP_TO_DATE: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-UTD",
    kind: "KubeadmControlPlane",
    condition: "MachinesUpToDate",
    about: "Takes the `UpToDate` of all Machines together: an issue goes before unknown, and the message says who reports what. A Machine that does not have it yet is looked at once it is more than 10 seconds old.",
    source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    facts: facts![input.machines.len; up_to_date.message],
    rows: &[
        //   row          when                               status   reason             message
        row!("KCP-UTD-1", up_to_date.nothing_to_aggregate => True,    "NoReplicas",      ""),
        row!("KCP-UTD-2", up_to_date.aggregation_fails    => Unknown, "InternalError",   CHECK_CONTROLLER_LOGS),
        row!("KCP-UTD-3", up_to_date.some_issue_reported  => False,   "NotUpToDate",     "{up_to_date.message}"),
        row!("KCP-UTD-4", up_to_date.some_status_unknown  => Unknown, "UpToDateUnknown", "{up_to_date.message}"),
        row!("KCP-UTD-5", otherwise                       => True,    "UpToDate",        "{up_to_date.message}"),
    ],
};
