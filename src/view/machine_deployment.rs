//! MachineDeployment.

use super::{Conditions, IntOrPercent, LabelSelector, MachineTemplate, Metadata, Str, null_is_default};
use crate::outcome::Replicas;
use crate::time::Time;
use serde::Deserialize;
use yoke::Yokeable;

/// A MachineDeployment.
#[derive(Clone, Debug, Default, Deserialize, Yokeable)]
#[serde(default)]
pub struct MachineDeployment<'a> {
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

/// `spec` of a MachineDeployment.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Spec<'a> {
    /// `replicas`.
    pub replicas: Option<i64>,
    /// `selector`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub selector: LabelSelector<'a>,
    /// `template`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub template: MachineTemplate<'a>,
    /// `rollout`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub rollout: Rollout<'a>,
}

/// `spec.rollout` of a MachineDeployment.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Rollout<'a> {
    /// `after`.
    pub after: Option<Time>,
    /// `strategy`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub strategy: Strategy<'a>,
}

/// `spec.rollout.strategy` of a MachineDeployment.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Strategy<'a> {
    /// `type`: `RollingUpdate` or `OnDelete`.
    #[serde(borrow, rename = "type")]
    pub kind: Str<'a>,
    /// `rollingUpdate`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub rolling_update: RollingUpdate<'a>,
}

/// `spec.rollout.strategy.rollingUpdate` of a MachineDeployment.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RollingUpdate<'a> {
    /// `maxSurge`.
    #[serde(borrow)]
    pub max_surge: Option<IntOrPercent<'a>>,
    /// `maxUnavailable`.
    #[serde(borrow)]
    pub max_unavailable: Option<IntOrPercent<'a>>,
}

/// `status` of a MachineDeployment.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status<'a> {
    /// `conditions`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub conditions: Conditions<'a>,
    /// `replicas`.
    pub replicas: Option<i64>,
    /// `readyReplicas`.
    pub ready_replicas: Option<i64>,
    /// `availableReplicas`.
    pub available_replicas: Option<i64>,
    /// `upToDateReplicas`.
    pub up_to_date_replicas: Option<i64>,
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
        }
    }
}
