//! MachineDeployment.

use super::replicas::OwnerStatus;
use super::{IntOrPercent, LabelSelector, MachineTemplate, Str, Whole};
use crate::time::Time;
use capi_policy_json::fields;

kind!(MachineDeployment: Whole<'a, Spec<'a>>, OwnerStatus<'a>);

fields! {
    /// `spec` of a MachineDeployment.
    pub struct Spec<'a> {
        /// Nothing is rolled out, only scaled.
        "paused" => paused: bool,
        "clusterName" => cluster_name: Str<'a>,
        "replicas" => replicas: Option<i64>,
        "selector" => selector: LabelSelector<'a>,
        "template" => template: MachineTemplate<'a>,
        "rollout" => rollout: Rollout<'a>,
        "remediation" => remediation: Remediation<'a>,
    }

    /// `spec.remediation` of a MachineDeployment.
    pub struct Remediation<'a> { "maxInFlight" => max_in_flight: Option<IntOrPercent<'a>> }

    /// `spec.rollout` of a MachineDeployment.
    pub struct Rollout<'a> {
        "after" => after: Option<Time>,
        "strategy" => strategy: Strategy<'a>,
    }

    /// `spec.rollout.strategy` of a MachineDeployment.
    pub struct Strategy<'a> {
        /// `RollingUpdate` or `OnDelete`.
        "type" => kind: Str<'a>,
        "rollingUpdate" => rolling_update: RollingUpdate<'a>,
    }

    /// `spec.rollout.strategy.rollingUpdate` of a MachineDeployment.
    pub struct RollingUpdate<'a> {
        "maxSurge" => max_surge: Option<IntOrPercent<'a>>,
        "maxUnavailable" => max_unavailable: Option<IntOrPercent<'a>>,
    }
}
