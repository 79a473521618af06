#![doc = include_str!("targets.md")]

use super::target::Target;
use crate::table::{Table, facts, otherwise, row, subject};
use crate::view::{annotation, label};

/// Which machines a health check looks at.
#[rustfmt::skip]
pub static TARGETS: Table<OfSelection> = Table {
    id: "MHC-TGT",
    kind: "MachineHealthCheck",
    condition: "Targets",
    about: "A Machine is a target when it belongs to the Cluster, the selector finds its labels, and no annotation keeps it out.",
    source: "docs/documents.md, MachineHealthCheck, target selection",
    facts: facts![paused_by_annotation, skipped_by_annotation],
    rows: &[
        //   row          when                         step
        row!("MHC-TGT-1", of_another_cluster    => act PassOver),
        row!("MHC-TGT-2", not_selected          => act PassOver),
        row!("MHC-TGT-3", paused_by_annotation  => act Skip),
        row!("MHC-TGT-4", skipped_by_annotation => act Skip),
        row!("MHC-TGT-5", otherwise             => act Check),
    ],
};

/// A machine that may be a target.
pub struct OfSelection;

subject!(OfSelection, Target, Act);

/// The Machine's cluster-name label is not `spec.clusterName`.
fn of_another_cluster(t: &Target<'_>) -> bool {
    t.machine.metadata.label(label::CLUSTER_NAME) != Some(&t.health_check.spec.cluster_name)
}

/// What the selector wants the Cluster's name to be does not count: the name in the spec stands in its place.
fn not_selected(t: &Target<'_>) -> bool {
    !t.health_check.spec.selector.matches_apart_from(label::CLUSTER_NAME, &t.machine.metadata)
}

/// The Machine has the annotation `cluster.x-k8s.io/paused`.
fn paused_by_annotation(t: &Target<'_>) -> bool {
    t.machine.metadata.annotation(annotation::PAUSED).is_some()
}

/// The Machine has the annotation `cluster.x-k8s.io/skip-remediation`.
fn skipped_by_annotation(t: &Target<'_>) -> bool {
    t.machine.metadata.annotation(annotation::SKIP_REMEDIATION).is_some()
}

/// Whether a machine is a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// It is not selected.
    PassOver,
    /// It is selected, but kept out.
    Skip,
    /// It is a target.
    Check,
}
