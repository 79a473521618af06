#![doc = include_str!("rolling_out.md")]

use super::OfMachineDeployment;
use crate::rules::rollout::rolling_out;
use crate::table::{Table, otherwise};

/// Whether machines are being replaced because the spec changed.
pub static ROLLING_OUT: Table<OfMachineDeployment> = rolling_out! {
    id: "MD-ROL", kind: "MachineDeployment", source: "Cluster API v1.13.6, MachineDeployment controller", rows: replaced "MD-ROL-1", done "MD-ROL-2"
};
