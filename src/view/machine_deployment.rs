//! MachineDeployment.

use super::replicas::OwnerStatus;
use super::{IntOrPercent, LabelSelector, MachineTemplate, Metadata, Str, Whole};
use crate::time::Time;
use capi_policy_json::fields;
use yoke::Yokeable;

fields! {
    /// A MachineDeployment.
    #[derive(Clone, Debug, Default, Yokeable)]
    pub struct MachineDeployment<'a> {
        "metadata" => metadata: Metadata<'a>,
        "spec" => spec: Whole<'a, Spec<'a>>,
        "status" => status: OwnerStatus<'a>,
    }

    /// `spec` of a MachineDeployment.
    #[derive(Clone, Debug, Default)]
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
    #[derive(Clone, Debug, Default)]
    pub struct Remediation<'a> {
        "maxInFlight" => max_in_flight: Option<IntOrPercent<'a>>,
    }

    /// `spec.rollout` of a MachineDeployment.
    #[derive(Clone, Debug, Default)]
    pub struct Rollout<'a> {
        "after" => after: Option<Time>,
        "strategy" => strategy: Strategy<'a>,
    }

    /// `spec.rollout.strategy` of a MachineDeployment.
    #[derive(Clone, Debug, Default)]
    pub struct Strategy<'a> {
        /// `RollingUpdate` or `OnDelete`.
        "type" => kind: Str<'a>,
        "rollingUpdate" => rolling_update: RollingUpdate<'a>,
    }

    /// `spec.rollout.strategy.rollingUpdate` of a MachineDeployment.
    #[derive(Clone, Debug, Default)]
    pub struct RollingUpdate<'a> {
        "maxSurge" => max_surge: Option<IntOrPercent<'a>>,
        "maxUnavailable" => max_unavailable: Option<IntOrPercent<'a>>,
    }
}
