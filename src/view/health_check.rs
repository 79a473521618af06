//! MachineHealthCheck.

use super::{Conditions, LabelSelector, Str};
use capi_policy_json::{Fault, Read, Reader, fields};
use std::fmt;

kind!(MachineHealthCheck: Spec<'a>, Status<'a>);

fields! {
    /// `spec` of a MachineHealthCheck.
    pub struct Spec<'a> {
        "clusterName" => cluster_name: Str<'a>,
        "selector" => selector: LabelSelector<'a>,
        "checks" => checks: Checks<'a>,
        "remediation" => remediation: Remediation<'a>,
        /// Another spelling of `remediation.templateRef`.
        "remediationTemplate" => remediation_template: Option<TemplateRef<'a>>,
    }

    /// `spec.checks`.
    pub struct Checks<'a> {
        /// 600 when absent, 0 switches the check off.
        "nodeStartupTimeoutSeconds" => node_startup_timeout_seconds: Option<i64>,
        "unhealthyNodeConditions" => unhealthy_node_conditions: Vec<UnhealthyCondition<'a>>,
        "unhealthyMachineConditions" => unhealthy_machine_conditions: Vec<UnhealthyCondition<'a>>,
    }

    /// A condition that makes a machine unhealthy when it lasts.
    pub struct UnhealthyCondition<'a> {
        "type" => kind: Str<'a>,
        "status" => status: Str<'a>,
        /// `unhealthyTimeoutSeconds` is read too.
        "timeoutSeconds" | "unhealthyTimeoutSeconds" => timeout_seconds: Option<i64>,
    }

    /// `spec.remediation`.
    pub struct Remediation<'a> {
        "triggerIf" => trigger_if: TriggerIf<'a>,
        "templateRef" => template_ref: Option<TemplateRef<'a>>,
    }

    /// `spec.remediation.triggerIf`.
    pub struct TriggerIf<'a> {
        /// `[min-max]`.
        "unhealthyInRange" => unhealthy_in_range: Str<'a>,
        "unhealthyLessThanOrEqualTo" => unhealthy_less_than_or_equal_to: Option<IntOrPercent<'a>>,
    }

    /// A reference to a remediation template.
    pub struct TemplateRef<'a> {
        "apiVersion" => api_version: Str<'a>,
        "kind" => kind: Str<'a>,
        "name" => name: Str<'a>,
    }

    /// `status` of a MachineHealthCheck.
    pub struct Status<'a> {
        "conditions" => conditions: Conditions<'a>,
        "expectedMachines" => expected_machines: Option<i64>,
        "currentHealthy" => current_healthy: Option<i64>,
        "remediationsAllowed" => remediations_allowed: Option<i64>,
        "observedGeneration" => observed_generation: Option<i64>,
        "targets" => targets: Vec<Str<'a>>,
    }
}

/// A number, or text that should be a percentage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntOrPercent<'a> {
    /// A plain number.
    Int(i64),
    /// Text as it stands in the object.
    Text(Str<'a>),
}

impl<'a> Spec<'a> {
    /// The remediation template, where external remediation is configured.
    pub fn template(&self) -> Option<&TemplateRef<'a>> {
        [&self.remediation.template_ref, &self.remediation_template].into_iter().flatten().find(|t| !t.name.is_empty())
    }
}

impl TemplateRef<'_> {
    /// The kind of the requests: by contract the template's without its ending.
    pub fn request_kind(&self) -> &str {
        self.kind.strip_suffix("Template").unwrap_or(&self.kind)
    }
}

impl fmt::Display for IntOrPercent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

impl Default for IntOrPercent<'_> {
    fn default() -> Self {
        Self::Int(0)
    }
}

impl<'a> Read<'a> for IntOrPercent<'a> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        let expected = "a whole number or a percentage like \"40%\"";
        *self = if reader.string_is_next() {
            Self::Text(reader.string(expected, Some)?)
        } else {
            Self::Int(reader.whole_number(expected)?)
        };
        Ok(())
    }
}
