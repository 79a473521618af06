//! The template that MachineDeployments and MachineSets make machines from.

use super::{Str, null_is_default};
use serde::Deserialize;

/// `spec.template`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct MachineTemplate<'a> {
    /// `spec`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub spec: Spec<'a>,
}

/// `spec.template.spec`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec<'a> {
    /// `bootstrap`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub bootstrap: Bootstrap<'a>,
    /// `infrastructureRef`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub infrastructure_ref: Reference<'a>,
}

/// `bootstrap` of a machine's spec.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Bootstrap<'a> {
    /// `configRef`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub config_ref: Reference<'a>,
}

/// A reference to an object, reduced to what messages name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Reference<'a> {
    /// `kind`.
    #[serde(borrow)]
    pub kind: Str<'a>,
}
