//! Reads JSON text into borrowed views of the fields that are needed, in place.
//!
//! Strict as RFC 8259 and bounded in depth. What the text does not say, or says `null` about, stays as it is. One reader
//! serves every type, where derived readers would be a copy each: they made up most of the policy's size and time.
//!
//! ```
//! use capi_policy_json::{Str, fields, read};
//!
//! fields! {
//!     /// Who a machine is.
//!     pub struct Machine<'a> {
//!         "name" => name: Str<'a>,
//!         "replicas" => replicas: Option<i64>,
//!     }
//! }
//!
//! let machine: Machine<'_> = read(r#"{"name": "m1", "uid": "nobody asks"}"#)?;
//! assert_eq!((&*machine.name, machine.replicas), ("m1", None));
//! let fault = read::<Machine<'_>>(r#"{"name": 5}"#).expect_err("no string");
//! assert_eq!(fault.to_string(), "name: expected a string, found number 5 (line 1 column 10)");
//! # Ok::<(), capi_policy_json::Fault>(())
//! ```

#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unreachable, clippy::unwrap_used)
)]
#![allow(
    clippy::inline_always,
    reason = "the policy is linked for size, and calls for each byte or name take most of the time"
)]

mod fault;
mod fields;
mod object;
mod raw;
mod reader;
mod same;
mod space;
mod str;
mod string;

pub use fault::{Fault, Problem};
pub use fields::{Fields, Read, Skipped, by_name, in_order, is_default};
pub use object::Opened;
pub use raw::Raw;
pub use reader::{MAX_DEPTH, Reader};
pub use same::same;
pub use str::Str;

/// Reads a value; the whole text must be one.
pub fn read<'a, T: Read<'a> + Default>(text: &'a str) -> Result<T, Fault> {
    let mut reader = Reader::new(text);
    let mut value = T::default();
    reader.value(&mut value)?;
    reader.end()?;
    Ok(value)
}
