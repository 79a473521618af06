#![doc = include_str!("rolling_out.md")]

use super::OfKubeadmControlPlane;
use crate::table::{Table, facts, otherwise, row};

/// Whether machines are being replaced because the spec changed.
#[rustfmt::skip]
pub static ROLLING_OUT: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-ROL",
    kind: "KubeadmControlPlane",
    condition: "RollingOut",
    about: "A Machine is rolled out while its `UpToDate` is False; the lines of the messages are told once each, a change of the version first. True is the transitional state.",
    source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    facts: facts![rollout.not_up_to_date_machines; rollout.reasons],
    rows: &[
        //   row          when                                   status  reason           message
        row!("KCP-ROL-1", rollout.not_up_to_date_machines > 0 => True,   "RollingOut",    "Rolling out {rollout.not_up_to_date_machines} not up-to-date replicas{rollout.reasons}"),
        row!("KCP-ROL-2", otherwise                           => False,  "NotRollingOut", ""),
    ],
};
