//! What the owner of machines does next, and why.

use super::{Condition, LastRemediation};
use crate::json::Json;
use crate::time::Time;
use serde::Serialize;

/// One decision of an owner. Cluster API's controllers carry it out; hosts show it and compare it with what happens.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnerAction {
    /// What was decided: the name of the table.
    pub decision: &'static str,
    /// The row that decided.
    pub row: &'static str,
    /// The row's guard in words.
    pub why: String,
    /// What the owner does, in order; empty when it waits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<OwnerStep>,
    /// The machines concerned, with the conditions that the owner sets on them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<OwnedMachine>,
    /// Whom the choice was between, in the order in which they would be taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// The arithmetic behind it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<Number>,
    /// What stands in the way, as people read it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<String>,
    /// Milliseconds until the owner looks again; absent: when something changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requeue_after_milliseconds: Option<i64>,
    /// The earliest moment at which time alone can change this decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_change: Option<Time>,
    /// What kept the owner from going on; it tries again with backoff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl OwnerAction {
    /// With a number of its arithmetic.
    pub(crate) fn with(mut self, name: &'static str, value: i64) -> Self {
        self.numbers.push(Number { name, value });
        self
    }

    /// Notes one more thing that went wrong.
    pub(crate) fn fail(&mut self, error: &str) {
        let before = self.error.take().map(|before| before + "; ").unwrap_or_default();
        self.error = Some(before + error);
    }

    /// What it does, why, and its numbers, in one line.
    pub fn line(&self) -> String {
        let steps: Vec<_> = self.steps.iter().map(OwnerStep::line).collect();
        let numbers: Vec<_> = self.numbers.iter().map(|number| format!("{} {}", number.name, number.value)).collect();
        let does = if self.steps.is_empty() { "waits".to_owned() } else { steps.join(", ") };
        let mut line = format!("{does}: {}", self.why);
        if !numbers.is_empty() {
            line = format!("{line} ({})", numbers.join(", "));
        }
        for obstacle in self.obstacles.iter().chain(&self.error) {
            line = format!("{line}; {obstacle}");
        }
        line
    }
}

/// A number of a decision's arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Number {
    /// What it counts.
    pub name: &'static str,
    /// The number.
    pub value: i64,
}

/// A machine that an owner's decision concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnedMachine {
    /// Its name.
    pub name: String,
    /// Its conditions `HealthCheckSucceeded` and `OwnerRemediated` afterwards, complete.
    pub conditions: Vec<Condition>,
}

/// Something an owner does.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum OwnerStep {
    /// Delete a machine.
    DeleteMachine {
        /// The machine.
        machine: String,
    },
    /// Make machines.
    CreateMachines {
        /// How many.
        count: i64,
        /// Where; absent when the Cluster has no failure domains.
        #[serde(skip_serializing_if = "Option::is_none")]
        failure_domain: Option<String>,
    },
    /// Hand a machine to another MachineSet, where it is updated in place.
    MoveMachine {
        /// The machine.
        machine: String,
        /// The MachineSet.
        to: String,
        /// The label that its machines have.
        unique_label: String,
    },
    /// A machine that came from another MachineSet counts here from now on.
    AcknowledgeMove {
        /// The machine.
        machine: String,
    },
    /// Hand a machine to the extension that updates it in place.
    StartInPlaceUpdate {
        /// The machine.
        machine: String,
    },
    /// Move etcd's leadership to another member.
    MoveEtcdLeadership {
        /// The member that leads.
        from: String,
        /// The member that is to lead.
        to: String,
    },
    /// Remove a member of etcd.
    RemoveEtcdMember {
        /// The member; empty for one without a name.
        member: String,
    },
    /// Let the deletion of a machine go on.
    RemovePreTerminateHook {
        /// The machine.
        machine: String,
    },
    /// Set an annotation of the owner.
    SetAnnotation {
        /// Its key.
        key: String,
        /// Its value.
        value: String,
    },
    /// Remove an annotation of the owner.
    RemoveAnnotation {
        /// Its key.
        key: String,
    },
    /// Write `status.lastRemediation` of the owner.
    SetLastRemediation(LastRemediation),
    /// Create or change a MachineSet.
    ApplyMachineSet {
        /// The MachineSet.
        machine_set: String,
        /// Whether it has the template that the MachineDeployment wants.
        current: bool,
        /// Whether it is new.
        created: bool,
        /// How many machines it has by its spec now.
        from: i64,
        /// How many it is to have.
        replicas: i64,
        /// Why, as the planner notes it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
        /// Labels, annotations and specification to apply.
        object: Json,
    },
    /// Delete a MachineSet.
    DeleteMachineSet {
        /// The MachineSet.
        machine_set: String,
    },
}

impl OwnerStep {
    /// What it does and to whom, in a few words.
    pub fn line(&self) -> String {
        match self {
            Self::DeleteMachine { machine } => format!("delete machine {machine}"),
            Self::CreateMachines { count, failure_domain: None } => format!("create {count} machines"),
            Self::CreateMachines { count, failure_domain: Some(domain) } => {
                format!("create {count} machines in {domain}")
            }
            Self::MoveMachine { machine, to, .. } => format!("move machine {machine} to {to}"),
            Self::AcknowledgeMove { machine } => format!("count machine {machine}"),
            Self::StartInPlaceUpdate { machine } => format!("update machine {machine} in place"),
            Self::MoveEtcdLeadership { from, to } => format!("move etcd leadership from {from} to {to}"),
            Self::RemoveEtcdMember { member } => format!("remove etcd member {member}"),
            Self::RemovePreTerminateHook { machine } => format!("let machine {machine} go"),
            Self::SetAnnotation { key, .. } => format!("set annotation {key}"),
            Self::RemoveAnnotation { key } => format!("remove annotation {key}"),
            Self::SetLastRemediation(last) => format!("note the remediation of {}", last.machine),
            Self::ApplyMachineSet { machine_set, created: true, replicas, .. } => {
                format!("create MachineSet {machine_set} with {replicas} replicas")
            }
            Self::ApplyMachineSet { machine_set, from, replicas, .. } if from == replicas => {
                format!("update MachineSet {machine_set}")
            }
            Self::ApplyMachineSet { machine_set, from, replicas, .. } => {
                format!("scale MachineSet {machine_set} from {from} to {replicas}")
            }
            Self::DeleteMachineSet { machine_set } => format!("delete MachineSet {machine_set}"),
        }
    }
}
