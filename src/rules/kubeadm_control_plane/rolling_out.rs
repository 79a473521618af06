#![doc = include_str!("rolling_out.md")]

use super::OfKubeadmControlPlane;
use crate::rules::rollout::rolling_out;
use crate::table::{Table, otherwise};

/// Whether machines are being replaced because the spec changed.
pub static ROLLING_OUT: Table<OfKubeadmControlPlane> = rolling_out! {
    id: "KCP-ROL", kind: "KubeadmControlPlane", source: "Cluster API v1.13.6, KubeadmControlPlane controller", rows: replaced "KCP-ROL-1", done "KCP-ROL-2"
};
