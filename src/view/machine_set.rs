//! MachineSet.

use super::{Conditions, LabelSelector, MachineTemplate, Metadata, Str, VersionCount, Whole};
use crate::outcome::Replicas;
use capi_policy_json::fields;
use yoke::Yokeable;

fields! {
    /// A MachineSet.
    #[derive(Clone, Debug, Default, Yokeable)]
    pub struct MachineSet<'a> {
        "metadata" => metadata: Metadata<'a>,
        "spec" => spec: Whole<'a, Spec<'a>>,
        "status" => status: Status<'a>,
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

    /// `status` of a MachineSet.
    #[derive(Clone, Debug, Default)]
    pub struct Status<'a> {
        "conditions" => conditions: Conditions<'a>,
        "replicas" => replicas: Option<i64>,
        "readyReplicas" => ready_replicas: Option<i64>,
        "availableReplicas" => available_replicas: Option<i64>,
        "upToDateReplicas" => up_to_date_replicas: Option<i64>,
        "versions" => versions: Vec<VersionCount<'a>>,
        "observedGeneration" => observed_generation: i64,
    }
}

impl Status<'_> {
    /// The counters as they are stored.
    pub fn counters(&self) -> Replicas {
        Replicas {
            desired_replicas: None,
            replicas: self.replicas,
            ready_replicas: self.ready_replicas,
            available_replicas: self.available_replicas,
            up_to_date_replicas: self.up_to_date_replicas,
            versions: self.versions.iter().map(VersionCount::counted).collect(),
        }
    }
}
