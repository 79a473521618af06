//! Cluster.

use super::{Conditions, Metadata, Str, null_is_default};
use serde::Deserialize;

/// A Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Cluster<'a> {
    /// `metadata`.
    #[serde(borrow)]
    pub metadata: Metadata<'a>,
    /// `spec`.
    #[serde(borrow)]
    pub spec: Spec<'a>,
    /// `status`.
    #[serde(borrow)]
    pub status: Status<'a>,
}

/// `spec` of a Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec<'a> {
    /// `paused`.
    #[serde(deserialize_with = "null_is_default")]
    pub paused: bool,
    /// `topology`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub topology: Topology<'a>,
}

/// `spec.topology` of a Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Topology<'a> {
    /// `version`.
    #[serde(borrow)]
    pub version: Str<'a>,
}

/// `status` of a Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status<'a> {
    /// `conditions`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub conditions: Conditions<'a>,
}
