//! MachineHealthCheck.

use super::{Conditions, LabelSelector, Metadata, Str, null_is_default};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use std::fmt;
use yoke::Yokeable;

/// A MachineHealthCheck.
#[derive(Clone, Debug, Default, Deserialize, Yokeable)]
#[serde(default)]
pub struct MachineHealthCheck<'a> {
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

/// `spec` of a MachineHealthCheck.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec<'a> {
    /// `clusterName`.
    #[serde(borrow)]
    pub cluster_name: Str<'a>,
    /// `selector`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub selector: LabelSelector<'a>,
    /// `checks`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub checks: Checks<'a>,
    /// `remediation`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub remediation: Remediation<'a>,
    /// `remediationTemplate`, another spelling of `remediation.templateRef`.
    #[serde(borrow)]
    pub remediation_template: Option<TemplateRef<'a>>,
}

/// `spec.checks`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Checks<'a> {
    /// `nodeStartupTimeoutSeconds`: 600 when absent, 0 switches the check off.
    pub node_startup_timeout_seconds: Option<i64>,
    /// `unhealthyNodeConditions`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub unhealthy_node_conditions: Vec<UnhealthyCondition<'a>>,
    /// `unhealthyMachineConditions`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub unhealthy_machine_conditions: Vec<UnhealthyCondition<'a>>,
}

/// A condition that makes a machine unhealthy when it lasts.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct UnhealthyCondition<'a> {
    /// `type`.
    #[serde(borrow, rename = "type")]
    pub kind: Str<'a>,
    /// `status`.
    #[serde(borrow)]
    pub status: Str<'a>,
    /// `timeoutSeconds`; `unhealthyTimeoutSeconds` is read too.
    #[serde(alias = "unhealthyTimeoutSeconds")]
    pub timeout_seconds: Option<i64>,
}

/// `spec.remediation`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Remediation<'a> {
    /// `triggerIf`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub trigger_if: TriggerIf<'a>,
    /// `templateRef`.
    #[serde(borrow)]
    pub template_ref: Option<TemplateRef<'a>>,
}

/// `spec.remediation.triggerIf`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TriggerIf<'a> {
    /// `unhealthyInRange`, `[min-max]`.
    #[serde(borrow)]
    pub unhealthy_in_range: Str<'a>,
    /// `unhealthyLessThanOrEqualTo`.
    #[serde(borrow)]
    pub unhealthy_less_than_or_equal_to: Option<IntOrPercent<'a>>,
}

/// A number, or text that should be a percentage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntOrPercent<'a> {
    /// A plain number.
    Int(i64),
    /// Text as it stands in the object.
    Text(Str<'a>),
}

/// A reference to a remediation template.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TemplateRef<'a> {
    /// `apiVersion`.
    #[serde(borrow)]
    pub api_version: Str<'a>,
    /// `kind`.
    #[serde(borrow)]
    pub kind: Str<'a>,
    /// `name`.
    #[serde(borrow)]
    pub name: Str<'a>,
}

/// `status` of a MachineHealthCheck.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status<'a> {
    /// `conditions`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub conditions: Conditions<'a>,
    /// `expectedMachines`.
    pub expected_machines: Option<i64>,
    /// `currentHealthy`.
    pub current_healthy: Option<i64>,
    /// `remediationsAllowed`.
    pub remediations_allowed: Option<i64>,
    /// `observedGeneration`.
    pub observed_generation: Option<i64>,
    /// `targets`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub targets: Vec<Str<'a>>,
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

impl<'de: 'a, 'a> Deserialize<'de> for IntOrPercent<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either<'a>(std::marker::PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for Either<'a> {
            type Value = IntOrPercent<'a>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number or a percentage like \"40%\"")
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<IntOrPercent<'a>, E> {
                Ok(IntOrPercent::Int(number))
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<IntOrPercent<'a>, E> {
                i64::try_from(number)
                    .map(IntOrPercent::Int)
                    .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
            }
            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<IntOrPercent<'a>, E> {
                Ok(IntOrPercent::Text(text.into()))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<IntOrPercent<'a>, E> {
                Ok(IntOrPercent::Text(Str::from(text).into_owned()))
            }
        }
        deserializer.deserialize_any(Either(std::marker::PhantomData))
    }
}
