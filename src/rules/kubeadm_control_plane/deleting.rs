#![doc = include_str!("deleting.md")]

use super::{Facts, OfKubeadmControlPlane};
use crate::table::{Table, facts, otherwise, row};

/// Whether the control plane is being deleted, and what is still in the way.
#[rustfmt::skip]
pub static DELETING: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-DEL",
    kind: "KubeadmControlPlane",
    condition: "Deleting",
    about: "During deletion the host says how far it is. True is the transitional state.",
    source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    facts: facts![in_deletion, reason_given],
    rows: &[
        //   row          when            status reason         message
        row!("KCP-DEL-1", not_deleted  => False, "NotDeleting", none),
        row!("KCP-DEL-2", reason_given => True,  given_reason,  given_message),
        row!("KCP-DEL-3", otherwise    => True,  "Deleting",    given_message),
    ],
};

fn in_deletion(s: &Facts<'_>) -> bool {
    s.input.control_plane.metadata.in_deletion()
}

fn reason_given(s: &Facts<'_>) -> bool {
    !s.input.observed.deleting_reason.is_empty()
}

fn not_deleted(s: &Facts<'_>) -> bool {
    !in_deletion(s)
}

fn given_reason(s: &Facts<'_>) -> String {
    s.input.observed.deleting_reason.to_string()
}

fn given_message(s: &Facts<'_>) -> String {
    s.input.observed.deleting_message.to_string()
}
