#![doc = include_str!("rolling_out.md")]

use super::OfMachineDeployment;
use crate::table::{Table, facts, otherwise, row};

/// Whether machines are being replaced because the spec changed.
#[rustfmt::skip]
pub static ROLLING_OUT: Table<OfMachineDeployment> = Table {
    id: "MD-ROL",
    kind: "MachineDeployment",
    condition: "RollingOut",
    about: "A Machine is rolled out while its `UpToDate` is False; the lines of the messages are told once each, a change of the version first. True is the transitional state.",
    source: "Cluster API v1.13.6, MachineDeployment controller",
    facts: facts![rollout.not_up_to_date_machines; rollout.reasons],
    rows: &[
        //   row         when                                   status  reason           message
        row!("MD-ROL-1", rollout.not_up_to_date_machines > 0 => True,   "RollingOut",    "Rolling out {rollout.not_up_to_date_machines} not up-to-date replicas{rollout.reasons}"),
        row!("MD-ROL-2", otherwise                           => False,  "NotRollingOut", ""),
    ],
};
