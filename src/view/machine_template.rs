//! `spec.template` of a MachineSet or MachineDeployment.

use super::machine;
use capi_policy_json::fields;

fields! {
    /// What machines are made of.
    pub struct MachineTemplate<'a> {
        /// That of a Machine.
        "spec" => spec: machine::Spec<'a>,
    }
}
