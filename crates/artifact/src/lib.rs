#![doc = include_str!("../README.md")]

/// The component; empty where the crate was built from a clone in which it was not built before.
pub const COMPONENT: &[u8] = include_bytes!(env!("CAPI_POLICY_COMPONENT"));
