//! Out: everything a controller needs to act, and everything a person needs to understand why.

use crate::progress::{Mode, Progress};
use crate::snapshot::{Kind, Profile};
use crate::time::Time;
use crate::view::{self, Metadata};
use serde::Serialize;
use serde_json::Value;

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
    pub machines: Vec<MachineEvaluation>,
    /// For a health check: the arithmetic behind `RemediationAllowed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<Threshold>,
    /// What the host should do, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
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

impl Evaluation {
    /// The decision about an object whose conditions and status are settled.
    pub(crate) fn of(kind: Kind, object: &Metadata<'_>, progress: Progress<'_>, status: Status) -> Self {
        let Mode { now, profile, .. } = progress.mode;
        let (conditions, explanations) = progress.finish();
        Self {
            kind,
            namespace: object.namespace.to_string(),
            name: object.name.to_string(),
            profile,
            now,
            conditions,
            status,
            machines: Vec::new(),
            threshold: None,
            actions: Vec::new(),
            events: Vec::new(),
            requeue_after_seconds: None,
            next_change: None,
            error: None,
            explanations,
        }
    }
}

/// A condition to store on the object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// The condition's type.
    #[serde(rename = "type")]
    pub kind: String,
    /// `True`, `False` or `Unknown`.
    pub status: ConditionStatus,
    /// One word for the cause.
    pub reason: String,
    /// Text for people.
    pub message: String,
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

    /// Whether the object carries just this already.
    pub fn same_as(&self, stored: &view::Condition<'_>) -> bool {
        stored.status == self.status.as_str()
            && stored.reason == *self.reason
            && stored.message == *self.message
            && stored.observed_generation.unwrap_or(0) == self.observed_generation
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

/// The status of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum ConditionStatus {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// It can't be told.
    Unknown,
}

impl ConditionStatus {
    /// Reads the text of a stored condition.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "True" => Some(Self::True),
            "False" => Some(Self::False),
            "Unknown" => Some(Self::Unknown),
            _ => None,
        }
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

/// Status fields. Those that the kind does not have, or that stay unset, are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// A word for where the object is in its life.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<&'static str>,
    /// Machine: when the phase last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_updated: Option<Time>,
    /// The label selector as text, for the scale subresource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// Control plane: the lowest version of its machines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Control plane: whether it has been initialized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_plane_initialized: Option<bool>,
    /// Control plane: the last remediation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_remediation: Option<LastRemediation>,
    /// Replica counters of the object itself.
    #[serde(flatten)]
    pub replicas: Replicas,
    /// Cluster: replica counters of its control plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_plane: Option<Replicas>,
    /// Cluster: replica counters of its workers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers: Option<Replicas>,
    /// Health check: machines that the selector finds and that are not skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_machines: Option<i64>,
    /// Health check: targets that passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_healthy: Option<i64>,
    /// Health check: how many more machines may be remediated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remediations_allowed: Option<i64>,
    /// Health check: names of the targets, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// The generation that was evaluated without an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}

/// Replica counters. A counter that nobody reports stays unset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replicas {
    /// How many there should be; Cluster only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired_replicas: Option<i64>,
    /// How many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i64>,
    /// Of these: ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready_replicas: Option<i64>,
    /// Of these: available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available_replicas: Option<i64>,
    /// Of these: as the spec wants them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up_to_date_replicas: Option<i64>,
}

/// The last remediation of a control plane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LastRemediation {
    /// The machine.
    pub machine: String,
    /// When.
    pub time: Time,
    /// How many tries before.
    pub retry_count: i64,
}

/// What a health check says about one selected machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineEvaluation {
    /// The machine's name.
    pub name: String,
    /// The judgement.
    pub verdict: Verdict,
    /// The row that judged.
    pub row: &'static str,
    /// Why it is unhealthy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The checks that matched, each with its clock.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<MatchedCheck>,
    /// Since when the check that counts has matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Time>,
    /// Which clock base that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// The moment at which the machine turns, or turned, unhealthy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Time>,
    /// The row that decided about remediation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remediation_row: Option<&'static str>,
    /// The machine's conditions that the health check owns, complete.
    pub conditions: Vec<Condition>,
}

/// The judgement of one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// The health check succeeded.
    Healthy,
    /// The machine needs remediation.
    Unhealthy,
    /// A timeout is still running.
    Waiting,
    /// A target that can't be judged now.
    NotEvaluated,
    /// Selected, but kept out by an annotation.
    Skipped,
}

impl Verdict {
    /// As in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Healthy => "healthy",
            Self::Unhealthy => "unhealthy",
            Self::Waiting => "waiting",
            Self::NotEvaluated => "notEvaluated",
            Self::Skipped => "skipped",
        }
    }
}

/// Why a machine is unhealthy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Cause {
    /// Somebody asked for it.
    RemediateAnnotation,
    /// No Node in time.
    NodeStartupTimeout,
    /// The Node is gone.
    NodeNotFound,
    /// A condition of the Machine or the Node.
    UnhealthyCondition,
}

/// One check of the health check that matched the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchedCheck {
    /// `Machine` or `Node` for a condition, `startup` for the startup timeout.
    pub on: &'static str,
    /// Type of the condition.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Its status.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub status: String,
    /// Since when it has matched.
    pub since: Time,
    /// Which clock base that is.
    pub clock: Clock,
    /// How long it may match.
    pub timeout_seconds: i64,
    /// The first moment at which it has matched for too long.
    pub deadline: Time,
    /// Whether that moment has come.
    pub expired: bool,
}

/// What a timeout counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Clock {
    /// The machine was created.
    MachineCreated,
    /// The cluster's infrastructure became ready.
    ClusterInfrastructureReady,
    /// The cluster's control plane was initialized.
    ControlPlaneInitialized,
    /// The machine's infrastructure became ready.
    MachineInfrastructureReady,
    /// The condition last changed its status.
    ConditionTransition,
}

/// The arithmetic behind `RemediationAllowed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Threshold {
    /// Machines that count.
    pub targets: i64,
    /// Of these: passed.
    pub healthy: i64,
    /// Of these: a timeout is running.
    pub waiting: i64,
    /// Of these: failed.
    pub unhealthy: i64,
    /// Of these: can't be judged now.
    pub not_evaluated: i64,
    /// The number compared with the limit: targets that are not healthy.
    pub counted: i64,
    /// The smallest number at which remediation is allowed, for a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// The largest number at which remediation is allowed.
    pub limit: i64,
    /// The field the limit came from, or `default`.
    pub source: &'static str,
    /// The limit as it was written.
    pub configured: String,
    /// Whether remediation is allowed.
    pub allowed: bool,
    /// What would turn that around, as a sentence.
    pub flips: String,
}

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

/// How a table came to its decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The table's id.
    pub table: &'static str,
    /// The machine it is about, for the tables of a health check that judge machines.
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
