//! MachinePool.

use super::replicas::counters;
use super::{Conditions, MachineTemplate, Metadata, Str, VersionCount};
use capi_policy_json::fields;
use yoke::Yokeable;

fields! {
    /// A MachinePool.
    #[derive(Clone, Debug, Default, Yokeable)]
    pub struct MachinePool<'a> {
        "metadata" => metadata: Metadata<'a>,
        "spec" => spec: Spec<'a>,
        "status" => status: Status<'a>,
    }

    /// `spec` of a MachinePool.
    #[derive(Clone, Debug, Default)]
    pub struct Spec<'a> {
        "clusterName" => cluster_name: Str<'a>,
        "replicas" => replicas: Option<i64>,
        "template" => template: MachineTemplate<'a>,
    }

    /// `status` of a MachinePool.
    #[derive(Clone, Debug, Default)]
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
    #[derive(Clone, Debug, Default)]
    pub struct Initialization {
        "bootstrapDataSecretCreated" => bootstrap_data_secret_created: bool,
        "infrastructureProvisioned" => infrastructure_provisioned: bool,
    }
}

counters!(Status);
