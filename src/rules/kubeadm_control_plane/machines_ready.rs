#![doc = include_str!("machines_ready.md")]

use super::OfKubeadmControlPlane;
use crate::rules::reports::reported;
use crate::table::{Table, otherwise};

/// Whether the machines are ready.
pub static MACHINES_READY: Table<OfKubeadmControlPlane> = reported! {
    id: "KCP-RDY", kind: "KubeadmControlPlane", condition: "MachinesReady", source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    takes: "`Ready` of all Machines together", facts: [input.machines.len], first: [],
    ready: "KCP-RDY-1" True "NoReplicas", "KCP-RDY-2" fails, "KCP-RDY-3" False "NotReady", "KCP-RDY-4" Unknown "ReadyUnknown", "KCP-RDY-5" True "Ready",
};
