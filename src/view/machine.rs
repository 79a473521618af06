//! Machine.

use super::{Conditions, ConditionsExt, Gate, ObjectRef, Str, Taint, annotation, label};
use crate::time::Time;
use capi_policy_json::{Skipped, fields};

kind!(Machine in order: Spec<'a>, Status<'a>);

fields! {
    /// `spec` of a Machine.
    pub struct Spec<'a> in order {
        "bootstrap" => bootstrap: Bootstrap<'a>,
        "clusterName" => cluster_name: Str<'a>,
        "failureDomain" => failure_domain: Str<'a>,
        "infrastructureRef" => infrastructure_ref: ObjectRef<'a>,
        "minReadySeconds" => min_ready_seconds: i64,
        "providerID" => provider_id: Str<'a>,
        "readinessGates" => readiness_gates: Vec<Gate<'a>>,
        "taints" => taints: Vec<Taint<'a>>,
        "version" => version: Str<'a>,
    }

    /// `spec.bootstrap` of a Machine.
    #[derive(PartialEq, Eq)]
    pub struct Bootstrap<'a> in order {
        "configRef" => config_ref: ObjectRef<'a>,
        "dataSecretName" => data_secret_name: Option<Str<'a>>,
    }

    /// `status` of a Machine.
    pub struct Status<'a> in order {
        "addresses" => addresses: Skipped,
        "certificatesExpiryDate" => certificates_expiry_date: Option<Time>,
        "conditions" => conditions: Conditions<'a>,
        "deletion" => deletion: Deletion,
        "initialization" => initialization: Initialization,
        "lastUpdated" => last_updated: Option<Time>,
        "nodeInfo" => node_info: NodeInfo<'a>,
        "nodeRef" => node_ref: NodeRef<'a>,
        "phase" => phase: Str<'a>,
    }

    /// `status.nodeInfo` of a Machine: what its Node reports about itself.
    pub struct NodeInfo<'a> { "kubeletVersion" => kubelet_version: Str<'a> }

    /// `status.nodeRef` of a Machine.
    pub struct NodeRef<'a> {
        /// The Node's name, empty while there is none.
        "name" => name: Str<'a>,
    }

    /// `status.deletion` of a Machine.
    pub struct Deletion { "nodeDrainStartTime" => node_drain_start_time: Option<Time> }

    /// `status.initialization` of a Machine.
    pub struct Initialization {
        "bootstrapDataSecretCreated" => bootstrap_data_secret_created: bool,
        "infrastructureProvisioned" => infrastructure_provisioned: bool,
    }
}

impl Machine<'_> {
    /// Whether this is a control-plane machine.
    pub fn is_control_plane(&self) -> bool {
        self.metadata.label(label::CONTROL_PLANE).is_some()
    }

    /// Whether an in-place update is in progress.
    pub fn updating_in_place(&self) -> bool {
        self.metadata.annotation(annotation::UPDATE_IN_PROGRESS).is_some() || self.update_pending()
    }

    /// Whether its in-place update was handed to the extension.
    pub fn update_pending(&self) -> bool {
        let hooks = self.metadata.annotation(annotation::PENDING_HOOKS);
        hooks.is_some_and(|hooks| hooks.split(',').any(|hook| hook == "UpdateMachine"))
    }

    /// Whether a health check found it unhealthy and left it to its owner.
    pub fn to_be_remediated(&self) -> bool {
        let conditions = &self.status.conditions;
        conditions.has("HealthCheckSucceeded", "False") && conditions.has("OwnerRemediated", "False")
    }
}
