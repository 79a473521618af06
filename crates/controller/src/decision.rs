//! The policy's JSON, as far as the watcher acts on it.

use super::differences::{is_controllers_own, keeps};
use super::entry::StoredCondition;
use capi_policy::time::Time;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The decision about one object.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    #[serde(default)]
    pub conditions: Vec<Condition>,
    #[serde(default)]
    pub status: Map<String, Value>,
    #[serde(default)]
    pub machines: Vec<Machine>,
    /// What an owner decides about the conditions of its machines.
    #[serde(default)]
    pub machine_conditions: Vec<MachineConditions>,
    #[serde(default)]
    pub threshold: Value,
    #[serde(default)]
    pub actions: Vec<Action>,
    #[serde(default)]
    pub events: Vec<Event>,
    pub requeue_after_seconds: Option<u64>,
    pub next_change: Option<Time>,
    pub error: Option<String>,
}

/// A condition to store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    #[serde(rename = "type")]
    pub kind: String,
    pub status: String,
    #[serde(default)]
    pub reason: String,
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub observed_generation: i64,
    pub last_transition_time: String,
    #[serde(default)]
    pub row: String,
    /// It stays as it is stored.
    #[serde(skip)]
    pub kept: bool,
}

/// What a health check says about one machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Machine {
    pub name: String,
    pub verdict: String,
    #[serde(default)]
    pub row: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remediation_row: Option<String>,
    #[serde(default)]
    pub conditions: Vec<Condition>,
}

/// What an owner decides about one machine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct MachineConditions {
    pub name: String,
    #[serde(default)]
    pub conditions: Vec<Condition>,
}

/// Something to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Action {
    SetOwnerReference { owner: Value },
    AddLabel { key: String, value: String },
    CreateRemediationRequest { machine: String, object: Value },
    DeleteRemediationRequest { machine: String, api_version: String, kind: String, namespace: String, name: String },
    DeleteMachine { namespace: String, name: String },
}

/// A Kubernetes event to record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    #[serde(rename = "type")]
    pub kind: String,
    pub reason: String,
    pub message: String,
    pub object_kind: String,
    pub object_name: String,
}

impl Decision {
    /// Reads what the policy answered. Objects without fields are left out: the server does not keep them. Conditions of
    /// machines that these decide about themselves are left to them.
    pub fn parse(value: &Value, machines_decide: bool) -> serde_json::Result<Self> {
        let mut decision = Self::deserialize(value)?;
        if machines_decide {
            for machine in &mut decision.machines {
                machine.conditions.retain(|condition| condition.kind != "NodeHealthy");
            }
        }
        let profile = value["profile"].as_str().unwrap_or_default();
        let of_machines = decision.machines.iter_mut().map(|machine| &mut machine.conditions);
        let of_owned = decision.machine_conditions.iter_mut().map(|machine| &mut machine.conditions);
        for condition in of_machines.chain(of_owned).chain([&mut decision.conditions]).flatten() {
            condition.kept = keeps(profile, &condition.row);
        }
        decision.status.retain(|_, value| value.as_object().is_none_or(|fields| !fields.is_empty()));
        Ok(decision)
    }

    /// Drops the conditions whose facts only Cluster API's controllers have: they are never written.
    pub fn leave_to_controllers(&mut self, kind: &str) {
        self.conditions.retain(|condition| !is_controllers_own(kind, &condition.kind));
        for machine in &mut self.machine_conditions {
            machine.conditions.retain(|condition| !is_controllers_own("Machine", &condition.kind));
        }
    }
}

impl Condition {
    /// Status, reason and message in one line.
    pub fn line(&self) -> String {
        line(&self.status, &self.reason, &self.message)
    }

    /// Whether the object carries just this.
    pub fn stored_in(&self, conditions: &[StoredCondition<'_>]) -> bool {
        conditions.iter().find(|stored| stored.condition_type == *self.kind).is_some_and(|stored| {
            let same =
                stored.status == *self.status && stored.reason == *self.reason && stored.message == *self.message;
            same && stored.observed_generation == self.observed_generation
        })
    }
}

/// Status, reason and message of a stored condition in one line.
pub fn stored_line(stored: &StoredCondition<'_>) -> String {
    line(&stored.status, &stored.reason, &stored.message)
}

fn line(status: &str, reason: &str, message: &str) -> String {
    let separator = if message.is_empty() { "" } else { ": " };
    format!("{status} {reason}{separator}{message}")
}

impl Action {
    /// Its `type` in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::SetOwnerReference { .. } => "setOwnerReference",
            Self::AddLabel { .. } => "addLabel",
            Self::CreateRemediationRequest { .. } => "createRemediationRequest",
            Self::DeleteRemediationRequest { .. } => "deleteRemediationRequest",
            Self::DeleteMachine { .. } => "deleteMachine",
        }
    }

    /// The machine it is about, where it is about one.
    pub fn machine(&self) -> Option<&str> {
        match self {
            Self::CreateRemediationRequest { machine, .. } | Self::DeleteRemediationRequest { machine, .. } => {
                Some(machine)
            }
            Self::DeleteMachine { name, .. } => Some(name),
            Self::SetOwnerReference { .. } | Self::AddLabel { .. } => None,
        }
    }
}
