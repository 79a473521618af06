#![doc = include_str!("node_healthy.md")]

use super::target::{OfTarget, node_unreadable};
use crate::table::{Table, facts, otherwise, row};

/// What a Node that can't be read means for its machine.
#[rustfmt::skip]
pub static NODE_HEALTHY: Table<OfTarget> = Table {
    id: "MHC-NH",
    kind: "MachineHealthCheck",
    condition: "NodeHealthy",
    about: "A Node that can't be read makes one Machine's health unknown; the others are checked all the same.",
    source: "docs/documents.md, MachineHealthCheck, error handling",
    facts: facts![node_unreadable],
    rows: &[
        //   row         when               status   reason           message
        row!("MHC-NH-1", node_unreadable => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("MHC-NH-2", otherwise       => nothing),
    ],
};
