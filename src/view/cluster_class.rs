//! ClusterClass.

use super::Gate;
use serde::Deserialize;

/// A ClusterClass.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ClusterClass<'a> {
    /// `spec`.
    #[serde(borrow)]
    pub spec: Spec<'a>,
}

/// `spec` of a ClusterClass.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec<'a> {
    /// `availabilityGates`, for Clusters without their own.
    #[serde(borrow)]
    pub availability_gates: Option<Vec<Gate<'a>>>,
}
