//! Replica counters as statuses carry them.

use super::{Conditions, VersionCount};
use capi_policy_json::fields;

fields! {
    /// `status` of a MachineDeployment or MachineSet.
    pub struct OwnerStatus<'a> {
        "conditions" => conditions: Conditions<'a>,
        "replicas" => replicas: Option<i64>,
        "readyReplicas" => ready_replicas: Option<i64>,
        "availableReplicas" => available_replicas: Option<i64>,
        "upToDateReplicas" => up_to_date_replicas: Option<i64>,
        "versions" => versions: Vec<VersionCount<'a>>,
        "observedGeneration" => observed_generation: i64,
    }
}

/// The counters of a status as they are stored.
macro_rules! counters {
    ($status:ident) => {
        impl $status<'_> {
            /// The counters as they are stored.
            pub fn counters(&self) -> $crate::outcome::Replicas {
                $crate::outcome::Replicas {
                    desired_replicas: None,
                    replicas: self.replicas,
                    ready_replicas: self.ready_replicas,
                    available_replicas: self.available_replicas,
                    up_to_date_replicas: self.up_to_date_replicas,
                    versions: self.versions.iter().map($crate::view::VersionCount::counted).collect(),
                }
            }
        }
    };
}
pub(super) use counters;

counters!(OwnerStatus);
