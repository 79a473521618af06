//! The evaluation: everything a controller needs to act, and everything a person needs to understand why.

mod action;
mod checked_machine;
mod health;
mod name;
mod owner;
mod status;

pub use action::{Action, Event, OwnerReference};
pub use checked_machine::CheckedMachine;
pub use health::{Cause, Clock, MachineEvaluation, MatchedCheck, Threshold, Verdict};
pub use name::Name;
pub use owner::{Number, OwnedMachine, OwnerAction, OwnerStep};
pub use status::{LastRemediation, Replicas, Status, VersionCount};

pub use crate::json::{Json, written};
use crate::snapshot::{Kind, Profile};
use crate::time::Time;
use capi_policy_json::same;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The decision about one object. Serializes to stable camelCase JSON; absent fields are left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluation {
    /// The kind of the object.
    pub kind: Kind,
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The rules that applied.
    pub profile: Profile,
    /// The time of the evaluation.
    pub now: Time,
    /// The conditions that the policy owns, complete, in the order Cluster API stores them.
    pub conditions: Vec<Condition>,
    /// Counters and lists of the object's status, complete.
    pub status: Status,
    /// For a health check: each selected machine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<CheckedMachine>,
    /// For a control plane: the conditions that it decides about its machines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub machine_conditions: Vec<MachineConditions>,
    /// For a health check: the arithmetic behind `RemediationAllowed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<Threshold>,
    /// What the host should do, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// What the owner of machines does next, in the order of its reconcile. Never the host's work.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owner_actions: Vec<OwnerAction>,
    /// Events to record.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// Seconds until the host should evaluate again; absent: when something changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requeue_after_seconds: Option<i64>,
    /// The earliest moment at which time alone can change this decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_change: Option<Time>,
    /// What kept the policy from deciding everything; the host retries with backoff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How each decision was made; only when the snapshot says `explain`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<Explanation>,
}

/// The conditions to store on a machine of a control plane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineConditions {
    /// The machine's name.
    pub name: String,
    /// Its conditions that the control plane decides, in the order Cluster API stores them.
    pub conditions: Vec<Condition>,
}

/// What a condition says: most of it is the same every time.
pub type Text = Cow<'static, str>;

/// A condition to store on the object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// The condition's type.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// `True`, `False` or `Unknown`.
    pub status: ConditionStatus,
    /// One word for the cause.
    pub reason: Text,
    /// Text for people.
    pub message: Text,
    /// The generation of the object that was evaluated; left out when it is 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub observed_generation: i64,
    /// When the status last changed: the object's own time while the status stays the same, else now.
    pub last_transition_time: Time,
    /// The id of the table row that decided.
    pub row: &'static str,
}

impl Condition {
    /// Status, reason and message in one line.
    pub fn line(&self) -> String {
        let separator = if self.message.is_empty() { "" } else { ": " };
        format!("{} {}{separator}{}", self.status.as_str(), self.reason, self.message)
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

/// The status of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ConditionStatus {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// It is not known.
    Unknown,
}

impl ConditionStatus {
    /// Reads the text of a stored condition.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::True, Self::False, Self::Unknown].into_iter().find(|status| same(status.as_str(), text))
    }

    /// The text Kubernetes stores.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
        }
    }
}

/// How a table came to its decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The table's id.
    pub table: &'static str,
    /// The machine it is about, for the tables of a health check that check machines.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub machine: String,
    /// The row that decided.
    pub row: &'static str,
    /// What the guards looked at.
    pub facts: Vec<Fact>,
    /// The rows in order up to the one that decided.
    pub trace: Vec<Step>,
}

/// One fact that guards look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// One row that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The row's id.
    pub row: &'static str,
    /// Its guard in words.
    pub when: String,
    /// Whether the guard held.
    pub holds: bool,
}
