//! What the host should do and record.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something the host should do. Complete: nothing has to be looked up to carry it out.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
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
        object: Value,
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
}

/// An owner reference to set.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OwnerReference {
    /// The owner's apiVersion.
    pub api_version: String,
    /// The owner's kind.
    pub kind: String,
    /// The owner's name.
    pub name: String,
    /// The owner's uid.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub uid: String,
}

/// A Kubernetes event to record.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// `Normal` or `Warning`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// One word for what happened.
    pub reason: String,
    /// Text for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Kind of the object it is about.
    pub object_kind: String,
    /// Name of the object it is about.
    pub object_name: String,
}
