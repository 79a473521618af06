//! What Cluster API's controllers do with conditions, whatever the kind: aggregate, summarize, mirror, order, and say it.

pub mod aggregate;
pub mod mirror;
pub mod order;
pub mod summary;
pub mod text;
