//! The decision about one object.

use super::abi::{Made, cases, made, record, variant};
use super::status;
use crate::outcome::{
    Action, Condition, ConditionStatus, Evaluation, Event, Explanation, Fact, Judgement, MachineConditions,
    OwnerAction, OwnerReference, Step, Threshold, written,
};
use crate::snapshot::Kind;
use crate::time::Time;

pub struct OfCluster(pub Evaluation);
pub struct OfKubeadmControlPlane(pub Evaluation);
pub struct OfMachineDeployment(pub Evaluation);
pub struct OfMachineSet(pub Evaluation);
pub struct OfMachinePool(pub Evaluation);
pub struct OfMachine(pub Evaluation);
pub struct OfMachineHealthCheck(pub Evaluation);
/// The decision of a fleet, about an object of any kind.
pub struct OfFleet(pub Evaluation);

/// Evaluations that consist of what all have in common and a status.
macro_rules! evaluations {
    ($($kind:ident)*) => {record! {
        $($kind { e:
            evaluation: &Evaluation = &e.0,
            status: status::$kind<'_> = status::$kind(&e.0.status),
        })*
    }};
}

evaluations!(OfCluster OfKubeadmControlPlane OfMachineDeployment OfMachineSet OfMachinePool OfMachine);

pub struct Decision<'a>(pub &'a Evaluation);
struct Details<'a>(&'a Evaluation);
struct HealthCheckDetails<'a>(&'a Evaluation);

record! {
    OfMachineHealthCheck { e:
        evaluation: &Evaluation = &e.0,
        details: HealthCheckDetails<'_> = HealthCheckDetails(&e.0),
    }
    HealthCheckDetails<'_> { e:
        status: status::OfMachineHealthCheck<'_> = status::OfMachineHealthCheck(&e.0.status),
        machines: &Vec<Judgement> = &e.0.machines,
        threshold: Option<&Threshold> = e.0.threshold.as_ref(),
    }
    OfFleet { e:
        decision: Decision<'_> = Decision(&e.0),
    }
    Decision<'_> { e:
        evaluation: &Evaluation = e.0,
        details: Details<'_> = Details(e.0),
    }
}

variant! {
    // What the kind has of its own.
    Details<'_> { e, case: [
        status::OfCluster<'_>, status::OfKubeadmControlPlane<'_>, status::OfMachineDeployment<'_>, HealthCheckDetails<'_>,
    ] match e.0.kind {
        Kind::Cluster => case.is(0, status::OfCluster(&e.0.status)),
        Kind::KubeadmControlPlane => case.is(1, status::OfKubeadmControlPlane(&e.0.status)),
        Kind::MachineDeployment => case.is(2, status::OfMachineDeployment(&e.0.status)),
        Kind::MachineSet => case.is(3, status::OfMachineSet(&e.0.status)),
        Kind::MachineHealthCheck => case.is(4, HealthCheckDetails(e.0)),
        Kind::MachinePool => case.is(5, status::OfMachinePool(&e.0.status)),
        Kind::Machine => case.is(6, status::OfMachine(&e.0.status)),
    } }
}

record! {
    Evaluation { e:
        subject: (Kind, Option<&str>, &str) = (e.kind, some(&e.namespace), &e.name),
        profile: &str = e.profile.name(),
        now: Made = made(e.now.to_string()),
        conditions: &Vec<Condition> = &e.conditions,
        machine_conditions: &Vec<MachineConditions> = &e.machine_conditions,
        actions: &Vec<Action> = &e.actions,
        owner_actions: &Vec<OwnerAction> = &e.owner_actions,
        events: &Vec<Event> = &e.events,
        requeue_after_seconds: Option<u64> = e.requeue_after_seconds.map(seconds),
        next_change: Option<Made> = time(e.next_change),
        error: Option<&str> = e.error.as_deref(),
        explanations: &Vec<Explanation> = &e.explanations,
    }
    Condition { c:
        kind: &str = c.kind,
        status: ConditionStatus = c.status,
        reason: &str = &c.reason,
        message: &str = &c.message,
        observed_generation: Option<i64> = Some(c.observed_generation).filter(|generation| *generation != 0),
        last_transition_time: Made = made(c.last_transition_time.to_string()),
        row: &str = c.row,
    }
    MachineConditions { m:
        name: &str = &m.name,
        conditions: &Vec<Condition> = &m.conditions,
    }
    OwnerReference { owner:
        api_version: &str = &owner.api_version,
        kind: &str = &owner.kind,
        name: &str = &owner.name,
        uid: &str = &owner.uid,
    }
    Event { e:
        kind: EventType = if e.kind == "Normal" { EventType::Normal } else { EventType::Warning },
        reason: &str = e.reason,
        message: &str = &e.message,
        object_kind: &str = e.object_kind,
        object_name: &str = &e.object_name,
    }
    Explanation { e:
        table: &str = e.table,
        machine: Option<&str> = some(&e.machine),
        row: &str = e.row,
        facts: &Vec<Fact> = &e.facts,
        trace: &Vec<Step> = &e.trace,
    }
    Fact { f:
        name: &str = &f.name,
        value: &str = &f.value,
    }
    Step { s:
        row: &str = s.row,
        when: &str = &s.when,
        holds: bool = s.holds,
    }
}

enum EventType {
    Normal,
    Warning,
}

cases! {
    EventType { Normal Warning }
    ConditionStatus { True False Unknown }
    Kind {
        Cluster KubeadmControlPlane MachineDeployment MachineSet MachineHealthCheck MachinePool Machine
    }
}

type Text<'a> = &'a str;
type ObjectName<'a> = (Option<Text<'a>>, Text<'a>);

variant! {
    Action { action, case: [
        &OwnerReference, (Text<'_>, Text<'_>), (Text<'_>, Made), (Text<'_>, Text<'_>, Text<'_>, ObjectName<'_>),
        ObjectName<'_>,
    ] match action {
        Action::SetOwnerReference { owner } => case.is(0, owner),
        Action::AddLabel { key, value } => case.is(1, (key, value)),
        Action::CreateRemediationRequest { machine, object } => case.is(2, (machine, made(written(object)))),
        Action::DeleteRemediationRequest { machine, api_version, kind, namespace, name } => {
            case.is(3, (machine, api_version, kind, (some(namespace), name)));
        }
        Action::DeleteMachine { namespace, name } => case.is(4, (some(namespace), name)),
    } }
}

/// A text that is there.
pub(super) fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// A time that is there.
pub(super) fn time(time: Option<Time>) -> Option<Made> {
    time.map(|time| made(time.to_string()))
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
