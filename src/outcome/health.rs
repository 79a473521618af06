//! What a health check says about its machines, and the arithmetic behind its threshold.

use super::{Condition, Name};
use crate::time::Time;
use serde::{Deserialize, Serialize};

/// What a health check says about one selected machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineEvaluation {
    /// The machine's name.
    pub name: Name,
    /// The verdict.
    pub verdict: Verdict,
    /// The row that decided it.
    pub row: &'static str,
    /// Why it is unhealthy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The checks that matched, each with its clock.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<MatchedCheck>,
    /// Since when the check that counts has matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Time>,
    /// Which clock base that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// The moment at which the machine turns, or turned, unhealthy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Time>,
    /// The row that decided about remediation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remediation_row: Option<&'static str>,
    /// Whether all this holds until the machine changes or its next timeout runs out.
    #[serde(skip)]
    pub lasts: bool,
    /// The machine's conditions that the health check owns, complete.
    pub conditions: Vec<Condition>,
}

impl MachineEvaluation {
    /// The next moment at which a timeout of the machine runs out.
    pub fn next_change(&self) -> Option<Time> {
        self.checks.iter().filter(|check| !check.expired).map(|check| check.deadline).min()
    }
}

/// The verdict about one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// The health check succeeded.
    Healthy,
    /// The machine needs remediation.
    Unhealthy,
    /// A timeout is still running.
    Waiting,
    /// A target that can't be checked now.
    NotEvaluated,
    /// Selected, but kept out by an annotation.
    Skipped,
}

impl Verdict {
    /// As in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Healthy => "healthy",
            Self::Unhealthy => "unhealthy",
            Self::Waiting => "waiting",
            Self::NotEvaluated => "notEvaluated",
            Self::Skipped => "skipped",
        }
    }
}

/// Why a machine is unhealthy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Cause {
    /// An annotation requests it.
    RemediateAnnotation,
    /// No Node in time.
    NodeStartupTimeout,
    /// The Node is gone.
    NodeNotFound,
    /// A condition of the Machine or the Node.
    UnhealthyCondition,
}

impl Cause {
    /// As in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RemediateAnnotation => "RemediateAnnotation",
            Self::NodeStartupTimeout => "NodeStartupTimeout",
            Self::NodeNotFound => "NodeNotFound",
            Self::UnhealthyCondition => "UnhealthyCondition",
        }
    }
}

/// One check of the health check that matched the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchedCheck {
    /// `Machine` or `Node` for a condition, `startup` for the startup timeout.
    pub on: &'static str,
    /// Type of the condition.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Its status.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub status: String,
    /// Since when it has matched.
    pub since: Time,
    /// Which clock base that is.
    pub clock: Clock,
    /// How long it may match.
    pub timeout_seconds: i64,
    /// The first moment at which it has matched for too long.
    pub deadline: Time,
    /// Whether that moment has come.
    pub expired: bool,
}

/// What a timeout counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Clock {
    /// The machine was created.
    MachineCreated,
    /// The cluster's infrastructure became ready.
    ClusterInfrastructureReady,
    /// The cluster's control plane was initialized.
    ControlPlaneInitialized,
    /// The machine's infrastructure became ready.
    MachineInfrastructureReady,
    /// The condition last changed its status.
    ConditionTransition,
}

impl Clock {
    /// As in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MachineCreated => "machineCreated",
            Self::ClusterInfrastructureReady => "clusterInfrastructureReady",
            Self::ControlPlaneInitialized => "controlPlaneInitialized",
            Self::MachineInfrastructureReady => "machineInfrastructureReady",
            Self::ConditionTransition => "conditionTransition",
        }
    }
}

/// The arithmetic behind `RemediationAllowed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Threshold {
    /// Machines that count.
    pub targets: i64,
    /// Of these: passed.
    pub healthy: i64,
    /// Of these: a timeout is running.
    pub waiting: i64,
    /// Of these: failed.
    pub unhealthy: i64,
    /// Of these: can't be checked now.
    pub not_evaluated: i64,
    /// The number compared with the limit: targets that are not healthy.
    pub counted: i64,
    /// The smallest number at which remediation is allowed, for a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// The largest number at which remediation is allowed.
    pub limit: i64,
    /// The field the limit came from, or `default`.
    pub source: &'static str,
    /// The limit as it was written.
    pub configured: String,
    /// Whether remediation is allowed.
    pub allowed: bool,
    /// What would turn that around, as a sentence.
    pub flips: String,
}

impl Threshold {
    /// How many more machines may turn unhealthy with remediation still allowed: 0 when it is not.
    pub fn remediations_allowed(&self) -> i64 {
        if self.allowed { self.limit.saturating_sub(self.counted) } else { 0 }
    }
}
