#![doc = include_str!("machines_up_to_date.md")]

use super::OfKubeadmControlPlane;
use crate::rules::reports::reported;
use crate::table::{Table, otherwise};

/// Whether the machines are as the spec wants them.
pub static MACHINES_UP_TO_DATE: Table<OfKubeadmControlPlane> = reported! {
    id: "KCP-UTD", kind: "KubeadmControlPlane", condition: "MachinesUpToDate", source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    takes: "`UpToDate` of all Machines together" and later, facts: [input.machines.len], first: [],
    up_to_date: "KCP-UTD-1" True "NoReplicas", "KCP-UTD-2" fails, "KCP-UTD-3" False "NotUpToDate", "KCP-UTD-4" Unknown "UpToDateUnknown", "KCP-UTD-5" True "UpToDate",
};
