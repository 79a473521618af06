//! Cluster.

use super::{Conditions, Metadata, null_is_default};
use serde::Deserialize;

/// A Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Cluster<'a> {
    /// `metadata`.
    #[serde(borrow)]
    pub metadata: Metadata<'a>,
    /// `spec`.
    pub spec: Spec,
    /// `status`.
    #[serde(borrow)]
    pub status: Status<'a>,
}

/// `spec` of a Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec {
    /// `paused`.
    #[serde(deserialize_with = "null_is_default")]
    pub paused: bool,
}

/// `status` of a Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status<'a> {
    /// `conditions`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub conditions: Conditions<'a>,
}
