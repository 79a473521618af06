#![doc = include_str!("deleting.md")]

use super::OfMachine;
use crate::rules::deletion::deleting;
use crate::table::{Table, otherwise};

/// Whether the Machine is being deleted, and how far that is.
pub static DELETING: Table<OfMachine> = deleting! {
    id: "M-DEL", kind: "Machine", source: "Cluster API v1.13.6, `internal/controllers/machine`", rows: exists "M-DEL-1", reported "M-DEL-2", otherwise "M-DEL-3",
    about: "The host says how far the deletion is; where it says nothing, that it is in progress. True is the transitional state.",
};
