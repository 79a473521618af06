//! What the host should do and record.

use crate::json::Json;
use serde::Serialize;

/// Something the host should do. Complete: nothing has to be looked up to carry it out.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Action {
    /// Make another object an owner of the evaluated one.
    SetOwnerReference {
        /// The reference to have.
        owner: OwnerReference,
    },
    /// Set a label of the evaluated object.
    AddLabel {
        /// The label's key.
        key: String,
        /// The label's value.
        value: String,
    },
    /// Create a remediation request.
    CreateRemediationRequest {
        /// The machine it is for.
        machine: String,
        /// The whole object.
        object: Json,
    },
    /// Delete a remediation request.
    DeleteRemediationRequest {
        /// The machine it was for.
        machine: String,
        /// The request's apiVersion.
        api_version: String,
        /// The request's kind.
        kind: String,
        /// The request's namespace.
        namespace: String,
        /// The request's name.
        name: String,
    },
    /// Delete a machine that nobody owns.
    DeleteMachine {
        /// The machine's namespace.
        namespace: String,
        /// The machine's name.
        name: String,
    },
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

/// An owner reference to set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnerReference {
    /// The owner's apiVersion.
    pub api_version: String,
    /// The owner's kind.
    pub kind: String,
    /// The owner's name.
    pub name: String,
    /// The owner's uid.
    pub uid: String,
}

/// A Kubernetes event to record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// `Normal` or `Warning`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// One word for what happened.
    pub reason: &'static str,
    /// Text for people.
    pub message: String,
    /// Kind of the object it is about.
    pub object_kind: &'static str,
    /// Name of the object it is about.
    pub object_name: String,
}
