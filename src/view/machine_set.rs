//! MachineSet.

use super::replicas::OwnerStatus;
use super::{LabelSelector, MachineTemplate, Metadata, Str, Whole};
use capi_policy_json::fields;
use yoke::Yokeable;

fields! {
    /// A MachineSet.
    #[derive(Clone, Debug, Default, Yokeable)]
    pub struct MachineSet<'a> {
        "metadata" => metadata: Metadata<'a>,
        "spec" => spec: Whole<'a, Spec<'a>>,
        "status" => status: OwnerStatus<'a>,
    }

    /// `spec` of a MachineSet.
    #[derive(Clone, Debug, Default)]
    pub struct Spec<'a> {
        "clusterName" => cluster_name: Str<'a>,
        "deletion" => deletion: Deletion<'a>,
        "replicas" => replicas: Option<i64>,
        "selector" => selector: LabelSelector<'a>,
        "template" => template: MachineTemplate<'a>,
    }

    /// `spec.deletion` of a MachineSet.
    #[derive(Clone, Debug, Default)]
    pub struct Deletion<'a> {
        /// `Random`, `Newest` or `Oldest`.
        "order" => order: Str<'a>,
    }
}
