//! Pod of a workload cluster: what a control-plane component says about itself.

use super::{Conditions, Str};
use capi_policy_json::{Skipped, fields};

kind!(Pod: Skipped, Status<'a>);

fields! {
    /// `status` of a Pod.
    pub struct Status<'a> {
        "conditions" => conditions: Conditions<'a>,
        "containerStatuses" => container_statuses: Vec<ContainerStatus<'a>>,
        "phase" => phase: Str<'a>,
    }

    /// One entry of `status.containerStatuses`.
    pub struct ContainerStatus<'a> {
        "lastState" => last_state: ContainerState<'a>,
        "state" => state: ContainerState<'a>,
    }

    /// What a container does, or did last.
    pub struct ContainerState<'a> {
        "terminated" => terminated: Option<Ended<'a>>,
        "waiting" => waiting: Option<Ended<'a>>,
    }

    /// Why a container does not run.
    pub struct Ended<'a> {
        "exitCode" => exit_code: i64,
        "reason" => reason: Str<'a>,
    }
}
