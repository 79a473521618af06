//! Conversion only: what the policy says, in the words of whoever calls it.

#[cfg(feature = "browser")]
mod browser;
