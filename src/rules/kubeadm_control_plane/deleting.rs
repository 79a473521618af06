#![doc = include_str!("deleting.md")]

use super::OfKubeadmControlPlane;
use crate::rules::deletion::deleting;
use crate::table::{Table, otherwise};

/// Whether the control plane is being deleted, and what is still in the way.
pub static DELETING: Table<OfKubeadmControlPlane> = deleting! {
    id: "KCP-DEL", kind: "KubeadmControlPlane", source: "Cluster API v1.13.6, KubeadmControlPlane controller", rows: exists "KCP-DEL-1", reported "KCP-DEL-2", otherwise "KCP-DEL-3",
    about: "During deletion the host says how far it is. True is the transitional state.",
};
