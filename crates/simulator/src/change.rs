//! What became of the fleet: one change at a time, with who made it and why.

use capi_policy::fleet::Subject;
use capi_policy::time::Time;
use serde::Serialize;

/// A change that a decision or the model of machines brought about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// When.
    pub time: Time,
    /// Whose decision it was; absent for what machines do by themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<Subject>,
    /// The row that decided.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub row: String,
    /// Why, in words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// What changed.
    #[serde(flatten)]
    pub change: Change,
}

/// What changed. Names are those of Machines, unless they are called otherwise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "change", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "each says what it is")]
pub enum Change {
    MachineSetCreated { machine_set: String, replicas: i64 },
    MachineSetScaled { machine_set: String, from: i64, to: i64 },
    MachineSetDeleted { machine_set: String },
    MachineCreated { machine: String, owner: String },
    MachineUp { machine: String },
    MachineSilent { machine: String, why: &'static str },
    MachineBack { machine: String },
    Incident { what: String },
    MachineUnhealthy { machine: String },
    MachineDeleting { machine: String },
    MachineGone { machine: String },
    MachineMoved { machine: String, to: String },
    UpdateStarted { machine: String },
    UpdateDone { machine: String },
    EtcdLeadershipMoved { from: String, to: String },
    EtcdMemberRemoved { member: String },
    RemediationRequested { machine: String, request: String },
    RemediationRequestDeleted { machine: String, request: String },
}

impl Change {
    /// The Machine it is about, where it is about one.
    pub fn machine(&self) -> Option<&str> {
        match self {
            Self::MachineCreated { machine, .. }
            | Self::MachineUp { machine }
            | Self::MachineSilent { machine, .. }
            | Self::MachineBack { machine }
            | Self::MachineUnhealthy { machine }
            | Self::MachineDeleting { machine }
            | Self::MachineGone { machine }
            | Self::MachineMoved { machine, .. }
            | Self::UpdateStarted { machine }
            | Self::UpdateDone { machine }
            | Self::RemediationRequested { machine, .. }
            | Self::RemediationRequestDeleted { machine, .. } => Some(machine),
            _ => None,
        }
    }

    /// In a few words.
    pub fn line(&self) -> String {
        match self {
            Self::MachineSetCreated { machine_set, replicas } => {
                format!("MachineSet {machine_set} created with {replicas} replicas")
            }
            Self::MachineSetScaled { machine_set, from, to } => {
                format!("MachineSet {machine_set} scaled from {from} to {to}")
            }
            Self::MachineSetDeleted { machine_set } => format!("MachineSet {machine_set} deleted"),
            Self::MachineCreated { machine, .. } => format!("machine {machine} created"),
            Self::MachineUp { machine } => format!("machine {machine} is up"),
            Self::MachineSilent { machine, why } => format!("machine {machine} falls silent: {why}"),
            Self::MachineBack { machine } => format!("machine {machine} is back"),
            Self::Incident { what } => what.clone(),
            Self::MachineUnhealthy { machine } => format!("machine {machine} marked for remediation"),
            Self::MachineDeleting { machine } => format!("machine {machine} deleted"),
            Self::MachineGone { machine } => format!("machine {machine} is gone"),
            Self::MachineMoved { machine, to } => format!("machine {machine} moved to MachineSet {to}"),
            Self::UpdateStarted { machine } => format!("in-place update of machine {machine} started"),
            Self::UpdateDone { machine } => format!("machine {machine} is updated in place"),
            Self::EtcdLeadershipMoved { from, to } => format!("etcd leadership moved from {from} to {to}"),
            Self::EtcdMemberRemoved { member } => format!("etcd member {member} removed"),
            Self::RemediationRequested { machine, request } => format!("{request} created for machine {machine}"),
            Self::RemediationRequestDeleted { machine, request } => format!("{request} of machine {machine} deleted"),
        }
    }
}
