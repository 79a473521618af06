//! Node of a workload cluster.

use super::{Conditions, Str};
use capi_policy_json::fields;

kind!(Node in order: Spec<'a>, Status<'a>);

fields! {
    /// `spec` of a Node.
    pub struct Spec<'a> {
        "providerID" => provider_id: Str<'a>,
        "taints" => taints: Vec<Taint<'a>>,
    }

    /// A taint of a Node, a Machine or a KubeadmConfig.
    pub struct Taint<'a> {
        "effect" => effect: Str<'a>,
        "key" => key: Str<'a>,
    }

    /// `status` of a Node.
    pub struct Status<'a> { "conditions" => conditions: Conditions<'a> }
}
