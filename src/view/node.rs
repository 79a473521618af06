//! Node of a workload cluster.

use super::{Conditions, Metadata, null_is_default};
use serde::Deserialize;
use yoke::Yokeable;

/// A Node.
#[derive(Clone, Debug, Default, Deserialize, Yokeable)]
#[serde(default)]
pub struct Node<'a> {
    /// `metadata`.
    #[serde(borrow)]
    pub metadata: Metadata<'a>,
    /// `status`.
    #[serde(borrow)]
    pub status: Status<'a>,
}

/// `status` of a Node.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status<'a> {
    /// `conditions`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub conditions: Conditions<'a>,
}
