#![doc = include_str!("deleting.md")]

use super::OfKubeadmControlPlane;
use crate::table::{Table, facts, otherwise, row};

/// Whether the control plane is being deleted, and what is still in the way.
#[rustfmt::skip]
pub static DELETING: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-DEL",
    kind: "KubeadmControlPlane",
    condition: "Deleting",
    about: "During deletion the host says how far it is. True is the transitional state.",
    source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    facts: facts![deletion.in_deletion, deletion.reason_given; deletion.given_reason, deletion.given_message],
    rows: &[
        //   row          when                        status  reason                     message
        row!("KCP-DEL-1", not deletion.in_deletion => False,  "NotDeleting",             ""),
        row!("KCP-DEL-2", deletion.reason_given    => True,   "{deletion.given_reason}", "{deletion.given_message}"),
        row!("KCP-DEL-3", otherwise                => True,   "Deleting",                "{deletion.given_message}"; cluster_api: True, "", "{deletion.given_message}"),
    ],
};
