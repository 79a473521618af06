//! Cluster.

use super::{Conditions, Gate, Metadata, ObjectRef, Str, null_is_default};
use serde::Deserialize;
use yoke::Yokeable;

/// A Cluster.
#[derive(Clone, Debug, Default, Deserialize, Yokeable)]
#[serde(default)]
pub struct Cluster<'a> {
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

/// `spec` of a Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec<'a> {
    /// `paused`.
    #[serde(deserialize_with = "null_is_default")]
    pub paused: bool,
    /// `infrastructureRef`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub infrastructure_ref: ObjectRef<'a>,
    /// `controlPlaneRef`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub control_plane_ref: ObjectRef<'a>,
    /// `controlPlaneEndpoint`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub control_plane_endpoint: Endpoint<'a>,
    /// `topology`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub topology: Topology<'a>,
    /// `availabilityGates`; those of the ClusterClass apply when there is no such list.
    #[serde(borrow)]
    pub availability_gates: Option<Vec<Gate<'a>>>,
}

/// `spec.controlPlaneEndpoint` of a Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Endpoint<'a> {
    /// `host`.
    #[serde(borrow)]
    pub host: Str<'a>,
    /// `port`.
    #[serde(deserialize_with = "null_is_default")]
    pub port: i64,
}

/// `spec.topology` of a Cluster: the two fields that every topology has.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Topology<'a> {
    /// `classRef`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub class_ref: ClassRef<'a>,
    /// `version`.
    #[serde(borrow)]
    pub version: Str<'a>,
}

/// `spec.topology.classRef` of a Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ClassRef<'a> {
    /// `name`.
    #[serde(borrow)]
    pub name: Str<'a>,
}

/// `status` of a Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status<'a> {
    /// `conditions`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub conditions: Conditions<'a>,
    /// `initialization`.
    #[serde(deserialize_with = "null_is_default")]
    pub initialization: Initialization,
    /// `phase`.
    #[serde(borrow)]
    pub phase: Str<'a>,
    /// `controlPlane`.
    #[serde(deserialize_with = "null_is_default")]
    pub control_plane: Counters,
    /// `workers`.
    #[serde(deserialize_with = "null_is_default")]
    pub workers: Counters,
}

/// `status.initialization` of a Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Initialization {
    /// `infrastructureProvisioned`.
    #[serde(deserialize_with = "null_is_default")]
    pub infrastructure_provisioned: bool,
    /// `controlPlaneInitialized`.
    #[serde(deserialize_with = "null_is_default")]
    pub control_plane_initialized: bool,
}

/// `status.controlPlane` or `status.workers` of a Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Counters {
    /// `desiredReplicas`.
    pub desired_replicas: Option<i64>,
    /// `replicas`.
    pub replicas: Option<i64>,
    /// `readyReplicas`.
    pub ready_replicas: Option<i64>,
    /// `availableReplicas`.
    pub available_replicas: Option<i64>,
    /// `upToDateReplicas`.
    pub up_to_date_replicas: Option<i64>,
}

impl Topology<'_> {
    /// Whether the Cluster is made from a ClusterClass.
    pub fn is_defined(&self) -> bool {
        !(self.class_ref.name.is_empty() && self.version.is_empty())
    }
}

impl Endpoint<'_> {
    /// Whether both parts are known.
    pub fn is_valid(&self) -> bool {
        !self.host.is_empty() && self.port != 0
    }
}
