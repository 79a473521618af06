//! JSON text to snapshot: the objects, what the host could not read, the time and the profile.

pub mod error;
pub(crate) mod lookup;
pub mod observed;
pub mod profile;
pub(crate) mod rfc3339;
pub mod snapshot;
pub mod time;
