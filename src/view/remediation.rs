//! External remediation: the template and the requests made from it, of any provider's kind.

use super::{Metadata, Str};
use serde::Deserialize;
use serde_json::Value;

/// The object behind `spec.remediation.templateRef`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RemediationTemplate<'a> {
    /// `apiVersion`.
    #[serde(borrow)]
    pub api_version: Str<'a>,
    /// `kind`, by contract ending in `Template`.
    #[serde(borrow)]
    pub kind: Str<'a>,
    /// `metadata`.
    #[serde(borrow)]
    pub metadata: Metadata<'a>,
    /// `spec`.
    pub spec: TemplateSpec,
}

/// `spec` of a remediation template.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct TemplateSpec {
    /// What a request is made of: `metadata` and `spec` in the provider's own shape.
    pub template: Value,
}

/// A remediation request that exists already.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RemediationRequest<'a> {
    /// `kind`.
    #[serde(borrow)]
    pub kind: Str<'a>,
    /// `metadata`.
    #[serde(borrow)]
    pub metadata: Metadata<'a>,
}
