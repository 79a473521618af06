//! The decision about one object.

use super::types;
use super::types::{Label, NewRemediationRequest, ObjectName, RemediationRequest};
use crate::outcome::{
    Action, Condition, ConditionStatus, Evaluation, Event, Explanation, Fact, LastRemediation, MachineConditions,
    Replicas, Status, Step, VersionCount, written,
};

impl From<Evaluation> for types::Evaluation {
    fn from(e: Evaluation) -> Self {
        Self {
            kind: e.kind.to_string(),
            namespace: e.namespace,
            name: e.name,
            profile: e.profile.to_string(),
            now: e.now.to_string(),
            conditions: all(e.conditions),
            status: e.status.into(),
            machine_conditions: all(e.machine_conditions),
            actions: all(e.actions),
            owner_actions: all(e.owner_actions),
            events: all(e.events),
            requeue_after_seconds: e.requeue_after_seconds,
            next_change: e.next_change.map(|time| time.to_string()),
            error: e.error,
            explanations: all(e.explanations),
        }
    }
}

/// Every item converted.
pub(super) fn all<A: Into<B>, B>(items: Vec<A>) -> Vec<B> {
    items.into_iter().map(Into::into).collect()
}

impl From<Condition> for types::Condition {
    fn from(c: Condition) -> Self {
        Self {
            type_: c.kind.to_owned(),
            status: c.status.into(),
            reason: c.reason.into_owned(),
            message: c.message.into_owned(),
            observed_generation: c.observed_generation,
            last_transition_time: c.last_transition_time.to_string(),
            row: c.row.to_owned(),
        }
    }
}

impl From<MachineConditions> for types::MachineConditions {
    fn from(m: MachineConditions) -> Self {
        Self { name: m.name, conditions: all(m.conditions) }
    }
}

impl From<ConditionStatus> for types::ConditionStatus {
    fn from(status: ConditionStatus) -> Self {
        match status {
            ConditionStatus::True => Self::True,
            ConditionStatus::False => Self::False,
            ConditionStatus::Unknown => Self::Unknown,
        }
    }
}

impl From<Status> for types::Status {
    fn from(s: Status) -> Self {
        Self {
            phase: s.phase.map(ToOwned::to_owned),
            last_updated: s.last_updated.map(|time| time.to_string()),
            selector: s.selector,
            version: s.version,
            control_plane_initialized: s.control_plane_initialized,
            last_remediation: s.last_remediation.map(Into::into),
            replicas: s.replicas.into(),
            control_plane: s.control_plane.map(Into::into),
            workers: s.workers.map(Into::into),
            control_plane_upgrade_plan: s.control_plane_upgrade_plan,
            workers_upgrade_plan: s.workers_upgrade_plan,
            expected_machines: s.expected_machines,
            current_healthy: s.current_healthy,
            remediations_allowed: s.remediations_allowed,
            targets: all(s.targets),
            observed_generation: s.observed_generation,
        }
    }
}

impl From<Replicas> for types::Replicas {
    fn from(r: Replicas) -> Self {
        Self {
            desired_replicas: r.desired_replicas,
            replicas: r.replicas,
            ready_replicas: r.ready_replicas,
            available_replicas: r.available_replicas,
            up_to_date_replicas: r.up_to_date_replicas,
            versions: all(r.versions),
        }
    }
}

impl From<VersionCount> for types::VersionCount {
    fn from(v: VersionCount) -> Self {
        Self { version: v.version, replicas: v.replicas }
    }
}

impl From<LastRemediation> for types::LastRemediation {
    fn from(r: LastRemediation) -> Self {
        Self { machine: r.machine, time: r.time.to_string(), retry_count: r.retry_count }
    }
}

impl From<Action> for types::Action {
    fn from(action: Action) -> Self {
        match action {
            Action::SetOwnerReference { owner } => Self::SetOwnerReference(types::OwnerReference {
                api_version: owner.api_version,
                kind: owner.kind,
                name: owner.name,
                uid: owner.uid,
            }),
            Action::AddLabel { key, value } => Self::AddLabel(Label { key, value }),
            Action::CreateRemediationRequest { machine, object } => {
                Self::CreateRemediationRequest(NewRemediationRequest { machine, object: written(&object) })
            }
            Action::DeleteRemediationRequest { machine, api_version, kind, namespace, name } => {
                Self::DeleteRemediationRequest(RemediationRequest { machine, api_version, kind, namespace, name })
            }
            Action::DeleteMachine { namespace, name } => Self::DeleteMachine(ObjectName { namespace, name }),
        }
    }
}

impl From<Event> for types::Event {
    fn from(e: Event) -> Self {
        Self {
            type_: e.kind.to_owned(),
            reason: e.reason.to_owned(),
            message: e.message,
            object_kind: e.object_kind.to_owned(),
            object_name: e.object_name,
        }
    }
}

impl From<Explanation> for types::Explanation {
    fn from(e: Explanation) -> Self {
        Self {
            table: e.table.to_owned(),
            machine: e.machine,
            row: e.row.to_owned(),
            facts: all(e.facts),
            trace: all(e.trace),
        }
    }
}

impl From<Fact> for types::Fact {
    fn from(f: Fact) -> Self {
        Self { name: f.name, value: f.value }
    }
}

impl From<Step> for types::Step {
    fn from(s: Step) -> Self {
        Self { row: s.row.to_owned(), when: s.when, holds: s.holds }
    }
}
