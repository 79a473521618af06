//! Machine.

use super::{Conditions, Gate, Metadata, ObjectRef, Str, annotation, label, null_is_default};
use crate::time::Time;
use serde::Deserialize;
use yoke::Yokeable;

/// A Machine.
#[derive(Clone, Debug, Default, Deserialize, Yokeable)]
#[serde(default)]
pub struct Machine<'a> {
    /// `metadata`.
    #[serde(borrow)]
    pub metadata: Metadata<'a>,
    /// `spec`.
    #[serde(borrow)]
    pub spec: Spec<'a>,
    /// `status`.
    #[serde(borrow)]
    pub status: Status<'a>,
}

/// `spec` of a Machine.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec<'a> {
    /// `clusterName`.
    #[serde(borrow)]
    pub cluster_name: Str<'a>,
    /// `version`.
    #[serde(borrow)]
    pub version: Str<'a>,
    /// `bootstrap`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub bootstrap: Bootstrap<'a>,
    /// `infrastructureRef`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub infrastructure_ref: ObjectRef<'a>,
    /// `failureDomain`.
    #[serde(borrow)]
    pub failure_domain: Str<'a>,
    /// `providerID`.
    #[serde(borrow, rename = "providerID")]
    pub provider_id: Str<'a>,
    /// `minReadySeconds`.
    #[serde(deserialize_with = "null_is_default")]
    pub min_ready_seconds: i64,
    /// `readinessGates`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub readiness_gates: Vec<Gate<'a>>,
}

/// `spec.bootstrap` of a Machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Bootstrap<'a> {
    /// `configRef`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub config_ref: ObjectRef<'a>,
    /// `dataSecretName`.
    #[serde(borrow)]
    pub data_secret_name: Option<Str<'a>>,
}

/// `status` of a Machine.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status<'a> {
    /// `conditions`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub conditions: Conditions<'a>,
    /// `nodeRef`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub node_ref: NodeRef<'a>,
    /// `deletion`.
    #[serde(deserialize_with = "null_is_default")]
    pub deletion: Deletion,
    /// `initialization`.
    #[serde(deserialize_with = "null_is_default")]
    pub initialization: Initialization,
    /// `phase`.
    #[serde(borrow)]
    pub phase: Str<'a>,
    /// `lastUpdated`.
    pub last_updated: Option<Time>,
}

/// `status.nodeRef` of a Machine.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct NodeRef<'a> {
    /// The Node's name, empty while there is none.
    #[serde(borrow)]
    pub name: Str<'a>,
}

/// `status.deletion` of a Machine.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Deletion {
    /// `nodeDrainStartTime`.
    pub node_drain_start_time: Option<Time>,
}

/// `status.initialization` of a Machine.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Initialization {
    /// `bootstrapDataSecretCreated`.
    #[serde(deserialize_with = "null_is_default")]
    pub bootstrap_data_secret_created: bool,
    /// `infrastructureProvisioned`.
    #[serde(deserialize_with = "null_is_default")]
    pub infrastructure_provisioned: bool,
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
