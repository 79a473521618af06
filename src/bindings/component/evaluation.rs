//! The decision about one object.

use super::types;
use super::types::{Label, NewRemediationRequest, ObjectName, RemediationRequest};
use crate::json::written;
use crate::outcome::{
    Action, Condition, ConditionStatus, Evaluation, Event, Explanation, Fact, MachineConditions, MachineEvaluation,
    Step,
};
use crate::snapshot::Kind;
use std::mem;

impl From<Evaluation> for types::Decision {
    fn from(mut e: Evaluation) -> Self {
        let details = details(&mut e);
        Self { evaluation: e.into(), details }
    }
}

/// What the kind has of its own, taken out.
fn details(e: &mut Evaluation) -> types::Details {
    if e.kind == Kind::MachineHealthCheck {
        return types::Details::MachineHealthCheck(health_check(e));
    }
    let status = mem::take(&mut e.status);
    match e.kind {
        Kind::Cluster => types::Details::Cluster(status.into()),
        Kind::KubeadmControlPlane => types::Details::KubeadmControlPlane(status.into()),
        Kind::MachineDeployment => types::Details::MachineDeployment(status.into()),
        Kind::MachineSet => types::Details::MachineSet(status.into()),
        Kind::MachinePool => types::Details::MachinePool(status.into()),
        Kind::Machine | Kind::MachineHealthCheck => types::Details::Machine(status.into()),
    }
}

fn health_check(e: &mut Evaluation) -> types::MachineHealthCheckDetails {
    let machines = mem::take(&mut e.machines);
    types::MachineHealthCheckDetails {
        status: mem::take(&mut e.status).into(),
        machines: machines.into_iter().map(|machine| MachineEvaluation::from(machine).into()).collect(),
        threshold: e.threshold.take().map(Into::into),
    }
}

/// Evaluations that consist of what all have in common and a status.
macro_rules! evaluations {
    ($($evaluation:ident)*) => {$(
        impl From<Evaluation> for types::$evaluation {
            fn from(mut e: Evaluation) -> Self {
                let status = mem::take(&mut e.status).into();
                Self { evaluation: e.into(), status }
            }
        }
    )*};
}

evaluations!(ClusterEvaluation KubeadmControlPlaneEvaluation MachineDeploymentEvaluation MachineSetEvaluation MachinePoolEvaluation MachineEvaluation);

impl From<Evaluation> for types::MachineHealthCheckEvaluation {
    fn from(mut e: Evaluation) -> Self {
        let details = health_check(&mut e);
        Self { evaluation: e.into(), details }
    }
}

impl From<Evaluation> for types::Evaluation {
    fn from(e: Evaluation) -> Self {
        Self {
            subject: types::Subject { kind: e.kind.into(), namespace: some(e.namespace), name: e.name },
            profile: e.profile.to_string(),
            now: e.now.to_string(),
            conditions: all(e.conditions),
            machine_conditions: all(e.machine_conditions),
            actions: all(e.actions),
            owner_actions: all(e.owner_actions),
            events: all(e.events),
            requeue_after_seconds: e.requeue_after_seconds.map(seconds),
            next_change: e.next_change.map(|time| time.to_string()),
            error: e.error,
            explanations: all(e.explanations),
        }
    }
}

impl From<Kind> for types::Kind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Cluster => Self::Cluster,
            Kind::KubeadmControlPlane => Self::KubeadmControlPlane,
            Kind::MachineDeployment => Self::MachineDeployment,
            Kind::MachineSet => Self::MachineSet,
            Kind::MachineHealthCheck => Self::MachineHealthCheck,
            Kind::MachinePool => Self::MachinePool,
            Kind::Machine => Self::Machine,
        }
    }
}

/// Every item converted.
pub(super) fn all<A: Into<B>, B>(items: Vec<A>) -> Vec<B> {
    items.into_iter().map(Into::into).collect()
}

/// A text that is there.
pub(super) fn some(text: impl Into<String>) -> Option<String> {
    Some(text.into()).filter(|text| !text.is_empty())
}

/// How many; an object that claims a negative number has none.
pub(super) fn count(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}

/// The same where nobody may know.
pub(super) fn counts(number: Option<i64>) -> Option<u32> {
    number.map(count)
}

/// A time that is not negative.
pub(super) fn seconds(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

impl From<Condition> for types::Condition {
    fn from(c: Condition) -> Self {
        Self {
            type_: c.kind.to_owned(),
            status: c.status.into(),
            reason: c.reason.into_owned(),
            message: c.message.into_owned(),
            observed_generation: Some(c.observed_generation).filter(|generation| *generation != 0),
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
                let object = ObjectName { namespace: some(namespace), name };
                Self::DeleteRemediationRequest(RemediationRequest { machine, api_version, kind, object })
            }
            Action::DeleteMachine { namespace, name } => {
                Self::DeleteMachine(ObjectName { namespace: some(namespace), name })
            }
        }
    }
}

impl From<Event> for types::Event {
    fn from(e: Event) -> Self {
        Self {
            type_: if e.kind == "Normal" { types::EventType::Normal } else { types::EventType::Warning },
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
            machine: some(e.machine),
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

impl From<Step> for types::TriedRow {
    fn from(s: Step) -> Self {
        Self { row: s.row.to_owned(), when: s.when, holds: s.holds }
    }
}
