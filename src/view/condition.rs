//! A condition as an object carries it.

use super::Str;
use crate::outcome;
use crate::time::Time;
use capi_policy_json::{Skipped, fields};

fields! {
    /// One entry of `status.conditions`, of a Cluster API object or of a Node.
    pub struct Condition<'a> in order requires "type" kind {
        /// Nodes have it.
        "lastHeartbeatTime" => last_heartbeat_time: Skipped,
        "lastTransitionTime" => last_transition_time: Option<Time>,
        "message" => message: Str<'a>,
        "observedGeneration" => observed_generation: Option<i64>,
        "reason" => reason: Str<'a>,
        /// `True`, `False` or `Unknown`; kept as text, since an object may carry anything.
        "status" => status: Str<'a>,
        "type" => kind: Str<'a>,
    }
}

impl Condition<'_> {
    /// The time of the last transition, or the zero time.
    pub fn transitioned(&self) -> Time {
        self.last_transition_time.unwrap_or(Time::ZERO)
    }

    /// Whether it is what was decided already, apart from the time.
    pub fn is(&self, decided: &outcome::Condition) -> bool {
        self.status == decided.status.as_str()
            && self.reason == *decided.reason
            && self.message == *decided.message
            && self.observed_generation.unwrap_or(0) == decided.observed_generation
    }
}

/// `status.conditions`.
pub type Conditions<'a> = Vec<Condition<'a>>;

/// Questions about a list of conditions. The first of a type counts.
pub trait ConditionsExt<'a> {
    /// The condition of that type.
    fn of_type(&self, kind: &str) -> Option<&Condition<'a>>;

    /// Whether the condition of that type is there and has that status.
    fn has(&self, kind: &str, status: &str) -> bool {
        self.of_type(kind).is_some_and(|c| c.status == status)
    }
}

impl<'a> ConditionsExt<'a> for [Condition<'a>] {
    fn of_type(&self, kind: &str) -> Option<&Condition<'a>> {
        self.iter().find(|condition| condition.kind == kind)
    }
}
