//! Machine.

use super::{Conditions, Gate, Metadata, ObjectRef, Str, annotation, label};
use crate::time::Time;
use capi_policy_json::fields;
use yoke::Yokeable;

fields! {
    /// A Machine.
    #[derive(Clone, Debug, Default, Yokeable)]
    pub struct Machine<'a> {
        "metadata" => metadata: Metadata<'a>,
        "spec" => spec: Spec<'a>,
        "status" => status: Status<'a>,
    }

    /// `spec` of a Machine.
    #[derive(Clone, Debug, Default)]
    pub struct Spec<'a> {
        "clusterName" => cluster_name: Str<'a>,
        "version" => version: Str<'a>,
        "bootstrap" => bootstrap: Bootstrap<'a>,
        "infrastructureRef" => infrastructure_ref: ObjectRef<'a>,
        "failureDomain" => failure_domain: Str<'a>,
        "providerID" => provider_id: Str<'a>,
        "minReadySeconds" => min_ready_seconds: i64,
        "readinessGates" => readiness_gates: Vec<Gate<'a>>,
    }

    /// `spec.bootstrap` of a Machine.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Bootstrap<'a> {
        "configRef" => config_ref: ObjectRef<'a>,
        "dataSecretName" => data_secret_name: Option<Str<'a>>,
    }

    /// `status` of a Machine.
    #[derive(Clone, Debug, Default)]
    pub struct Status<'a> {
        "conditions" => conditions: Conditions<'a>,
        "nodeRef" => node_ref: NodeRef<'a>,
        "deletion" => deletion: Deletion,
        "initialization" => initialization: Initialization,
        "phase" => phase: Str<'a>,
        "lastUpdated" => last_updated: Option<Time>,
    }

    /// `status.nodeRef` of a Machine.
    #[derive(Clone, Debug, Default)]
    pub struct NodeRef<'a> {
        /// The Node's name, empty while there is none.
        "name" => name: Str<'a>,
    }

    /// `status.deletion` of a Machine.
    #[derive(Clone, Debug, Default)]
    pub struct Deletion {
        "nodeDrainStartTime" => node_drain_start_time: Option<Time>,
    }

    /// `status.initialization` of a Machine.
    #[derive(Clone, Debug, Default)]
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
        self.metadata.annotation(annotation::UPDATE_IN_PROGRESS).is_some()
            || self
                .metadata
                .annotation(annotation::PENDING_HOOKS)
                .is_some_and(|hooks| hooks.split(',').any(|hook| hook == "UpdateMachine"))
    }
}
