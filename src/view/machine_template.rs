//! `spec.template` of a MachineSet or MachineDeployment.

use super::machine;
use serde::Deserialize;

/// What machines are made of.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct MachineTemplate<'a> {
    /// `spec`, that of a Machine.
    #[serde(borrow)]
    pub spec: machine::Spec<'a>,
}
