//! What the owner of machines does next, and why.

use super::{Condition, LastRemediation};
use capi_policy::time::Time;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One decision of an owner. Cluster API's controllers carry it out; hosts show it and compare it with what happens.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OwnerAction {
    /// What was decided: the name of the table.
    pub decision: String,
    /// The row that decided.
    pub row: String,
    /// The row's guard in words.
    pub why: String,
    /// What the owner does, in order; empty when it waits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<OwnerStep>,
    /// The machines concerned, with the conditions that the owner sets on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<OwnedMachine>,
    /// Whom the choice was between, in the order in which they would be taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// The arithmetic behind it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<Number>,
    /// What stands in the way, as people read it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<String>,
    /// Milliseconds until the owner looks again; none: when something changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requeue_after_milliseconds: Option<i64>,
    /// The earliest moment at which time alone can change this decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::schema::Time>"))]
    pub next_change: Option<Time>,
    /// What kept the owner from going on; it tries again with backoff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A number of a decision's arithmetic.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Number {
    /// What it counts.
    pub name: String,
    /// The number.
    pub value: i64,
}

/// A machine that an owner's decision concerns.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OwnedMachine {
    /// Its name.
    pub name: String,
    /// Its conditions `HealthCheckSucceeded` and `OwnerRemediated` afterwards, complete.
    pub conditions: Vec<Condition>,
}

/// Something an owner does.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
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
        /// Where; none when the Cluster has no failure domains.
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
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
        /// Labels, annotations and specification to apply.
        object: Value,
    },
    /// Delete a MachineSet.
    DeleteMachineSet {
        /// The MachineSet.
        machine_set: String,
    },
}
