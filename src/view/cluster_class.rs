//! ClusterClass.

use super::Gate;
use capi_policy_json::fields;

kind!(ClusterClass: Spec<'a>, Status);

fields! {
    /// `status` of a ClusterClass.
    pub struct Status { "observedGeneration" => observed_generation: i64 }

    /// `spec` of a ClusterClass.
    pub struct Spec<'a> {
        /// For Clusters without their own.
        "availabilityGates" => availability_gates: Option<Vec<Gate<'a>>>,
    }
}
