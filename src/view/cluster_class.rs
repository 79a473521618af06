//! ClusterClass.

use super::{Gate, Metadata};
use capi_policy_json::fields;

fields! {
    /// A ClusterClass.
    #[derive(Clone, Debug, Default)]
    pub struct ClusterClass<'a> {
        "metadata" => metadata: Metadata<'a>,
        "spec" => spec: Spec<'a>,
        "status" => status: Status,
    }

    /// `status` of a ClusterClass.
    #[derive(Clone, Debug, Default)]
    pub struct Status {
        "observedGeneration" => observed_generation: i64,
    }

    /// `spec` of a ClusterClass.
    #[derive(Clone, Debug, Default)]
    pub struct Spec<'a> {
        /// For Clusters without their own.
        "availabilityGates" => availability_gates: Option<Vec<Gate<'a>>>,
    }
}
