//! Which objects belong to which, for the watches.

pub mod observed;
pub mod relations;
