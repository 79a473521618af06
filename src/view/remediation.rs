//! External remediation: the template and the requests made from it, of any provider's kind.

use super::{Metadata, Str};
use capi_policy_json::{Raw, fields};

fields! {
    /// The object behind `spec.remediation.templateRef`.
    pub struct RemediationTemplate<'a> {
        "apiVersion" => api_version: Str<'a>,
        /// By contract ending in `Template`.
        "kind" => kind: Str<'a>,
        "metadata" => metadata: Metadata<'a>,
        "spec" => spec: TemplateSpec<'a>,
    }

    /// `spec` of a remediation template.
    pub struct TemplateSpec<'a> {
        /// What a request is made of: `metadata` and `spec` in the provider's own shape.
        "template" => template: Raw<'a>,
    }

    /// A remediation request that exists already.
    pub struct RemediationRequest<'a> {
        "kind" => kind: Str<'a>,
        "metadata" => metadata: Metadata<'a>,
    }
}
