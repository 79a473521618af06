//! Pod of a workload cluster: what a control-plane component says about itself.

use super::{Conditions, Metadata, Str};
use capi_policy_json::{Skipped, fields};
use yoke::Yokeable;

fields! {
    /// A Pod.
    #[derive(Clone, Debug, Default, Yokeable)]
    pub struct Pod<'a> {
        "apiVersion" => api_version: Skipped,
        "kind" => kind: Skipped,
        "metadata" => metadata: Metadata<'a>,
        "status" => status: Status<'a>,
    }

    /// `status` of a Pod.
    #[derive(Clone, Debug, Default)]
    pub struct Status<'a> {
        "conditions" => conditions: Conditions<'a>,
        "containerStatuses" => container_statuses: Vec<ContainerStatus<'a>>,
        "phase" => phase: Str<'a>,
    }

    /// One entry of `status.containerStatuses`.
    #[derive(Clone, Debug, Default)]
    pub struct ContainerStatus<'a> {
        "lastState" => last_state: ContainerState<'a>,
        "state" => state: ContainerState<'a>,
    }

    /// What a container does, or did last.
    #[derive(Clone, Debug, Default)]
    pub struct ContainerState<'a> {
        "terminated" => terminated: Option<Ended<'a>>,
        "waiting" => waiting: Option<Ended<'a>>,
    }

    /// Why a container does not run.
    #[derive(Clone, Debug, Default)]
    pub struct Ended<'a> {
        "exitCode" => exit_code: i64,
        "reason" => reason: Str<'a>,
    }
}
