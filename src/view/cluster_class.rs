//! ClusterClass.

use super::Gate;
use capi_policy_json::fields;

fields! {
    /// A ClusterClass.
    #[derive(Clone, Debug, Default)]
    pub struct ClusterClass<'a> {
        "spec" => spec: Spec<'a>,
    }

    /// `spec` of a ClusterClass.
    #[derive(Clone, Debug, Default)]
    pub struct Spec<'a> {
        /// For Clusters without their own.
        "availabilityGates" => availability_gates: Option<Vec<Gate<'a>>>,
    }
}
