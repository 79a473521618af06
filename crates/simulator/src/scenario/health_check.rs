//! A health check, in the fields of a MachineHealthCheck.

use super::amount::Amount;
use super::units::Span;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A health check.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HealthCheck {
    /// Whose machines: the name of a MachineDeployment, or `controlPlane`; without it, all of the cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// `spec.checks.nodeStartupTimeoutSeconds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_startup_timeout: Option<Span>,
    /// `spec.checks.unhealthyNodeConditions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unhealthy_node_conditions: Option<Vec<Conditions>>,
    /// `spec.remediation.triggerIf.unhealthyLessThanOrEqualTo`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unhealthy_less_than_or_equal_to: Option<Amount>,
    /// `spec.remediation.triggerIf.unhealthyInRange`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unhealthy_in_range: Option<String>,
}

/// A condition that makes a machine unhealthy when it lasts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Conditions {
    /// The type of the Node's condition.
    pub r#type: String,
    /// The status that is unhealthy.
    pub status: String,
    /// For how long.
    pub timeout: Span,
}

impl HealthCheck {
    /// `spec.checks` and `spec.remediation`, as far as they are given.
    pub fn spec(&self) -> Value {
        let (mut checks, mut trigger) = (Map::new(), Map::new());
        if let Some(timeout) = self.node_startup_timeout {
            checks.insert("nodeStartupTimeoutSeconds".to_owned(), json!(timeout.0));
        }
        if let Some(conditions) = &self.unhealthy_node_conditions {
            let conditions: Vec<_> = conditions
                .iter()
                .map(|each| json!({ "type": each.r#type, "status": each.status, "timeoutSeconds": each.timeout.0 }))
                .collect();
            checks.insert("unhealthyNodeConditions".to_owned(), json!(conditions));
        }
        if let Some(limit) = &self.unhealthy_less_than_or_equal_to {
            trigger.insert("unhealthyLessThanOrEqualTo".to_owned(), json!(limit));
        }
        if let Some(range) = &self.unhealthy_in_range {
            trigger.insert("unhealthyInRange".to_owned(), json!(range));
        }
        let mut spec = Map::new();
        if !checks.is_empty() {
            spec.insert("checks".to_owned(), checks.into());
        }
        if !trigger.is_empty() {
            spec.insert("remediation".to_owned(), json!({ "triggerIf": trigger }));
        }
        spec.into()
    }
}
