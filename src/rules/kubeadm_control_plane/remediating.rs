#![doc = include_str!("remediating.md")]

use super::OfKubeadmControlPlane;
use crate::rules::remediations::remediating;
use crate::table::{Table, otherwise};

/// Whether unhealthy machines are being replaced.
pub static REMEDIATING: Table<OfKubeadmControlPlane> = remediating! {
    id: "KCP-REM", kind: "KubeadmControlPlane", source: "docs/documents.md, KubeadmControlPlane `Remediating`", first: [],
    rows: healthy "KCP-REM-1", left_alone "KCP-REM-2" [False, "NotRemediating", "{remediations.not_healthy} (not to be remediated)"; cluster_api: False, "NotRemediating", "{remediations.not_healthy} (not to be remediated by KubeadmControlPlane)"], remediated "KCP-REM-3", unclear "KCP-REM-4",
};
