#![doc = include_str!("initialized.md")]

use super::{Facts, OfKubeadmControlPlane};
use crate::table::{Table, facts, otherwise, row};

/// Whether the control plane has been initialized.
#[rustfmt::skip]
pub static INITIALIZED: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-INI",
    kind: "KubeadmControlPlane",
    condition: "Initialized",
    about: "Initialized is a control plane whose workload cluster has, or once had, the ConfigMap that kubeadm writes. While the only Machine is being remediated or deleted, the workload cluster is not read.",
    source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    facts: facts![kubeadm_config, input.machines.len],
    rows: &[
        //   row          when                   status  reason            message
        row!("KCP-INI-1", initialization.done => True,   "Initialized",    ""),
        row!("KCP-INI-2", otherwise           => False,  "NotInitialized", ""),
    ],
};

fn kubeadm_config(s: &Facts<'_>) -> String {
    s.input.observed.has_kubeadm_config.to_string()
}
