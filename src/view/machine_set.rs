//! MachineSet.

use super::replicas::OwnerStatus;
use super::{LabelSelector, MachineTemplate, Str, Whole};
use capi_policy_json::fields;

kind!(MachineSet: Whole<'a, Spec<'a>>, OwnerStatus<'a>);

fields! {
    /// `spec` of a MachineSet.
    pub struct Spec<'a> {
        "clusterName" => cluster_name: Str<'a>,
        "deletion" => deletion: Deletion<'a>,
        "replicas" => replicas: Option<i64>,
        "selector" => selector: LabelSelector<'a>,
        "template" => template: MachineTemplate<'a>,
    }

    /// `spec.deletion` of a MachineSet.
    pub struct Deletion<'a> {
        /// `Random`, `Newest` or `Oldest`.
        "order" => order: Str<'a>,
    }
}
