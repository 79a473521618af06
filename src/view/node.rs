//! Node of a workload cluster.

use super::{Conditions, Metadata, Str};
use capi_policy_json::{Skipped, fields};
use yoke::Yokeable;

fields! {
    /// A Node.
    #[derive(Clone, Debug, Default, Yokeable)]
    pub struct Node<'a> in order {
        "apiVersion" => api_version: Skipped,
        "kind" => kind: Skipped,
        "metadata" => metadata: Metadata<'a>,
        "spec" => spec: Spec<'a>,
        "status" => status: Status<'a>,
    }

    /// `spec` of a Node.
    #[derive(Clone, Debug, Default)]
    pub struct Spec<'a> {
        "providerID" => provider_id: Str<'a>,
        "taints" => taints: Vec<Taint<'a>>,
    }

    /// A taint of a Node, a Machine or a KubeadmConfig.
    #[derive(Clone, Debug, Default)]
    pub struct Taint<'a> {
        "effect" => effect: Str<'a>,
        "key" => key: Str<'a>,
    }

    /// `status` of a Node.
    #[derive(Clone, Debug, Default)]
    pub struct Status<'a> {
        "conditions" => conditions: Conditions<'a>,
    }
}
