//! MachinePool.

use super::replicas::counters;
use super::{Conditions, MachineTemplate, Str, VersionCount};
use capi_policy_json::fields;

kind!(MachinePool: Spec<'a>, Status<'a>);

fields! {
    /// `spec` of a MachinePool.
    pub struct Spec<'a> {
        "clusterName" => cluster_name: Str<'a>,
        "replicas" => replicas: Option<i64>,
        "template" => template: MachineTemplate<'a>,
    }

    /// `status` of a MachinePool.
    pub struct Status<'a> {
        "conditions" => conditions: Conditions<'a>,
        "initialization" => initialization: Initialization,
        "replicas" => replicas: Option<i64>,
        "readyReplicas" => ready_replicas: Option<i64>,
        "availableReplicas" => available_replicas: Option<i64>,
        "upToDateReplicas" => up_to_date_replicas: Option<i64>,
        "versions" => versions: Vec<VersionCount<'a>>,
    }

    /// `status.initialization` of a MachinePool.
    pub struct Initialization {
        "bootstrapDataSecretCreated" => bootstrap_data_secret_created: bool,
        "infrastructureProvisioned" => infrastructure_provisioned: bool,
    }
}

counters!(Status);
