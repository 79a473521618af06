#![doc = include_str!("certificates_available.md")]

use super::OfKubeadmControlPlane;
use crate::table::{Table, facts, otherwise, row};

/// Whether the certificates of the Cluster are there.
#[rustfmt::skip]
pub static CERTIFICATES_AVAILABLE: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-CRT",
    kind: "KubeadmControlPlane",
    condition: "CertificatesAvailable",
    about: "Whether the Secrets with the certificates of the Cluster are there. The controller makes what is missing until the control plane is initialized; after that, nobody can.",
    source: "Cluster API v1.14.2, `controlplane/kubeadm`",
    facts: facts![certificates.missing_ones, certificates.created],
    rows: &[
        // row, when, status, reason, message
        row!("KCP-CRT-1", certificates.not_read      => keep),
        row!("KCP-CRT-2", certificates.unreadable    => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("KCP-CRT-3", certificates.not_creatable => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("KCP-CRT-4", certificates.one_missing   => False, "NotAvailable", "Cluster certificate for {certificates.missing_ones} is not available, please check cluster certificate secrets"),
        row!("KCP-CRT-5", certificates.missing       => False, "NotAvailable", "Cluster certificates for {certificates.missing_ones} are not available, please check cluster certificate secrets"),
        row!("KCP-CRT-6", certificates.not_owned     => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("KCP-CRT-7", otherwise                  => True, "Available", ""),
    ],
};
