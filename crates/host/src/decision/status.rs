//! Counters and lists of an object's status.

use capi_policy::time::Time;
use serde::{Deserialize, Serialize};

/// Status fields. Those that the kind does not have, or that stay unset, are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Status {
    /// A word for where the object is in its life.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// Machine: when the phase last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::schema::Time>"))]
    pub last_updated: Option<Time>,
    /// The label selector as text, for the scale subresource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// Control plane: the lowest version of its machines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Control plane: whether it has been initialized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_plane_initialized: Option<bool>,
    /// Control plane: the last remediation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_remediation: Option<LastRemediation>,
    /// Replica counters of the object itself.
    #[serde(flatten)]
    pub replicas: Replicas,
    /// Cluster: replica counters of its control plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_plane: Option<Replicas>,
    /// Cluster: replica counters of its workers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers: Option<Replicas>,
    /// Cluster: the versions that are left for its control plane; none when they could not be computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_plane_upgrade_plan: Option<Vec<String>>,
    /// Cluster: the versions that are left for its workers; none when they could not be computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers_upgrade_plan: Option<Vec<String>>,
    /// Health check: machines that the selector finds and that are not skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_machines: Option<u64>,
    /// Health check: targets that passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_healthy: Option<u64>,
    /// Health check: how many more machines may be remediated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remediations_allowed: Option<u64>,
    /// Health check: names of the targets, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// The generation that was evaluated without an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}

/// Replica counters. A counter that nobody reports is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Replicas {
    /// How many there should be; Cluster only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired_replicas: Option<i64>,
    /// How many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i64>,
    /// Of these: ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready_replicas: Option<i64>,
    /// Of these: available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available_replicas: Option<i64>,
    /// Of these: as the spec wants them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up_to_date_replicas: Option<i64>,
    /// How many of them run each version, oldest version first; none before Cluster API v1.14.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<VersionCount>,
}

/// How many replicas run a version.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VersionCount {
    /// The version, as it is written.
    pub version: String,
    /// How many.
    #[serde(default)]
    pub replicas: i64,
}

/// The last remediation of a control plane.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LastRemediation {
    /// The machine.
    pub machine: String,
    /// When.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::Time"))]
    pub time: Time,
    /// How many tries before.
    pub retry_count: u64,
}
