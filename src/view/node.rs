//! Node of a workload cluster.

use super::{Conditions, Metadata};
use capi_policy_json::{Skipped, fields};
use yoke::Yokeable;

fields! {
    /// A Node.
    #[derive(Clone, Debug, Default, Yokeable)]
    pub struct Node<'a> in order {
        "apiVersion" => api_version: Skipped,
        "kind" => kind: Skipped,
        "metadata" => metadata: Metadata<'a>,
        "status" => status: Status<'a>,
    }

    /// `status` of a Node.
    #[derive(Clone, Debug, Default)]
    pub struct Status<'a> {
        "conditions" => conditions: Conditions<'a>,
    }
}
