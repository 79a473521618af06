#![doc = include_str!("status_versions.md")]

use crate::outcome::VersionCount;
use crate::progress::{Progress, decide};
use crate::table::{EVERY_KIND, Table, facts, in_progress, otherwise, row, subject};

/// An object whose replicas have versions.
pub struct Versioned;

/// What decides whether versions are counted.
pub struct Counting<'a> {
    listed: bool,
    progress: Progress<'a>,
}

/// What becomes of `status.versions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Count how many replicas run each version; the version of a control plane is the first one.
    Count,
    /// Leave the field as it is stored.
    Keep,
    /// Leave it out; the version of a control plane is the lowest that its machines should run.
    LeaveOut,
}

subject!(Versioned, Counting, Act);

in_progress!(Counting);

/// Whether the versions of replicas are counted.
#[rustfmt::skip]
pub static STATUS_VERSIONS: Table<Versioned> = Table {
    id: "VERSIONS",
    kind: EVERY_KIND,
    condition: "StatusVersions",
    about: "How many replicas run each version, in `status.versions` of MachineDeployments, MachineSets, KubeadmControlPlanes and Clusters. A Machine counts with the version that its kubelet reports, else with the one it should have. The documents say nothing about it, so profile `documented` follows the newest release.",
    source: "Cluster API v1.14.2, `internal/util/version`",
    facts: facts![listed],
    rows: &[
        //   row           when                        step
        row!("VERSIONS-1", only since_v1_14, listed    => act Count),
        row!("VERSIONS-2", only since_v1_14, otherwise => act Keep),
        row!("VERSIONS-3", otherwise                   => act LeaveOut),
    ],
};

impl Act {
    /// The versions to report: counted, as they are stored, or none.
    pub fn versions(self, count: impl FnOnce() -> Vec<VersionCount>, stored: &[VersionCount]) -> Vec<VersionCount> {
        match self {
            Self::Count => count(),
            Self::Keep => stored.to_vec(),
            Self::LeaveOut => Vec::new(),
        }
    }
}

/// Decides what becomes of `status.versions`; `listed` says whether what is counted could be listed.
pub fn status_versions(progress: Progress<'_>, listed: bool) -> (Progress<'_>, Act) {
    let mut counting = Counting { listed, progress };
    let act = decide(&STATUS_VERSIONS, &mut counting).act.unwrap_or(Act::LeaveOut);
    (counting.progress, act)
}

/// What is counted could be listed.
fn listed(c: &Counting<'_>) -> bool {
    c.listed
}
