//! The decisions of a policy as Rust values.
//!
//! Fields that this crate does not know yet are ignored, fields that a policy leaves out are empty, so that policies of
//! other versions of the same contract can be read.

mod action;
mod catalog;
mod condition;
mod forecast;
mod health;
mod owner;
#[cfg(feature = "schema")]
mod schema;
mod status;

pub use action::{Action, Event, OwnerReference};
pub use catalog::{Catalog, Outcome, ProfileOutcome, Row, Table};
pub use condition::Condition;
pub use forecast::{Change, Forecast, Moment};
pub use health::{MachineEvaluation, MatchedCheck, Threshold};
pub use owner::{Number, OwnedMachine, OwnerAction, OwnerStep};
pub use status::{LastRemediation, Replicas, Status, VersionCount};

pub use capi_policy::outcome::{Cause, Clock, ConditionStatus, Verdict};

use capi_policy::time::Time;
use serde::{Deserialize, Serialize};

/// The decision about one object.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Evaluation {
    /// The kind of the object.
    pub kind: String,
    /// Its namespace.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The time of the evaluation.
    #[cfg_attr(feature = "schema", schemars(with = "schema::Time"))]
    pub now: Time,
    /// The rules that applied.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub profile: String,
    /// The conditions that the policy owns, complete, in the order Cluster API stores them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// Counters and lists of the object's status, complete.
    #[serde(default)]
    pub status: Status,
    /// For a health check: each selected machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<MachineEvaluation>,
    /// For a control plane: the conditions that it sets on its machines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machine_conditions: Vec<MachineConditions>,
    /// For a health check: the arithmetic behind `RemediationAllowed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<Threshold>,
    /// What the host should do, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// What the owner of machines does next, in the order of its reconcile. Never the host's work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owner_actions: Vec<OwnerAction>,
    /// Events to record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// Seconds until the host should evaluate again; none: when something changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requeue_after_seconds: Option<u64>,
    /// The earliest moment at which time alone can change this decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<schema::Time>"))]
    pub next_change: Option<Time>,
    /// What kept the policy from deciding everything; the host retries with backoff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How each decision was made; only when the snapshot says `explain`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<Explanation>,
}

impl Evaluation {
    /// The condition of that type, if the policy decided about it.
    pub fn condition(&self, condition_type: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.condition_type == condition_type)
    }
}

/// What a control plane decides about the conditions of one of its machines.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MachineConditions {
    /// The machine's name.
    pub name: String,
    /// Its conditions that the control plane owns, complete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

/// How a table came to its decision.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// The table's id.
    pub table: String,
    /// The machine it is about, for the tables of a health check that look at machines; else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub machine: String,
    /// The row that decided.
    pub row: String,
    /// What the guards looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// The rows in order up to the one that decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<Step>,
}

/// One fact that guards look at.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// One row that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// The row's id.
    pub row: String,
    /// Its guard in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub when: String,
    /// Whether the guard held.
    pub holds: bool,
}
