#![doc = include_str!("deleting.md")]

use super::OfCluster;
use crate::rules::deletion::deleting;
use crate::table::{Table, otherwise};

/// Whether the Cluster is being deleted, and how far that is.
pub static DELETING: Table<OfCluster> = deleting! {
    id: "CL-DEL", kind: "Cluster", source: "Cluster API v1.13.6, `internal/controllers/cluster`", rows: exists "CL-DEL-1", reported "CL-DEL-2", otherwise "CL-DEL-3",
    about: "The host says how far the deletion is; where it says nothing, that it is in progress. True is the transitional state.",
};
