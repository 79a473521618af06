#![doc = include_str!("owner_remediated.md")]

use super::target::{OfTarget, Target};
use crate::table::{Table, facts, otherwise, row};
use crate::view::ConditionsExt;

/// Tells a machine's owner that it should remediate.
#[rustfmt::skip]
pub static OWNER_REMEDIATED: Table<OfTarget> = Table {
    id: "MHC-OWN",
    kind: "MachineHealthCheck",
    condition: "OwnerRemediated",
    about: "Set once to start a remediation; while one is in progress the condition belongs to the owner.",
    source: "docs/documents.md, MachineHealthCheck, remediation execution",
    facts: facts![remediation_in_progress],
    rows: &[
        //   row          when                           status reason                   message
        row!("MHC-OWN-1", remediation_in_progress => keep),
        row!("MHC-OWN-2", otherwise               => False, "WaitingForRemediation", "Waiting for remediation"),
    ],
};

/// The Machine has an `OwnerRemediated` that is not True.
fn remediation_in_progress(t: &Target<'_>) -> bool {
    t.machine.status.conditions.of_type("OwnerRemediated").is_some_and(|c| c.status != "True")
}
