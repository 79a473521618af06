//! The targets, by what they read.

pub mod fleet;
pub mod json;
pub mod parsers;
pub mod structured;
pub mod text;
