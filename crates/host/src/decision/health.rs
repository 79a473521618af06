//! What a health check decides about its machines, and the arithmetic behind its threshold.

use super::{Cause, Clock, Condition, Verdict};
use capi_policy::time::Time;
use serde::{Deserialize, Serialize};

/// What a health check decides about one selected machine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MachineEvaluation {
    /// The machine's name.
    pub name: String,
    /// The verdict.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::Verdict"))]
    pub verdict: Verdict,
    /// The row that decided the verdict.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub row: String,
    /// Why it is unhealthy.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::schema::Cause>"))]
    pub cause: Option<Cause>,
    /// The checks that matched, each with its clock.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<MatchedCheck>,
    /// Since when the check that counts has matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::schema::Time>"))]
    pub since: Option<Time>,
    /// Which clock base that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::schema::Clock>"))]
    pub clock: Option<Clock>,
    /// The moment at which the machine turns, or turned, unhealthy.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::schema::Time>"))]
    pub deadline: Option<Time>,
    /// The row that decided about remediation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remediation_row: Option<String>,
    /// The machine's conditions that the health check owns, complete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

/// One check of the health check that matched the machine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MatchedCheck {
    /// `Machine` or `Node` for a condition, `startup` for the startup timeout.
    pub on: String,
    /// Type of the condition; empty for the startup timeout.
    #[serde(rename = "type", default, skip_serializing_if = "String::is_empty")]
    pub condition_type: String,
    /// Its status; empty for the startup timeout.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub status: String,
    /// Since when it has matched.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::Time"))]
    pub since: Time,
    /// Which clock base that is.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::Clock"))]
    pub clock: Clock,
    /// How long it may match.
    pub timeout_seconds: i64,
    /// The first moment at which it has matched for too long.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::Time"))]
    pub deadline: Time,
    /// Whether that moment has come.
    pub expired: bool,
}

/// The arithmetic behind `RemediationAllowed`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Threshold {
    /// Machines that count.
    pub targets: u64,
    /// Of these: passed.
    pub healthy: u64,
    /// Of these: a timeout is running.
    pub waiting: u64,
    /// Of these: failed.
    pub unhealthy: u64,
    /// Of these: can't be checked now.
    pub not_evaluated: u64,
    /// The number compared with the limit: targets that are not healthy.
    pub counted: u64,
    /// The smallest number at which remediation is allowed, for a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// The largest number at which remediation is allowed.
    pub limit: i64,
    /// The field the limit came from, or `default`.
    pub source: String,
    /// The limit as it was written.
    pub configured: String,
    /// Whether remediation is allowed.
    pub allowed: bool,
    /// What would turn that around, as a sentence.
    pub flips: String,
}
