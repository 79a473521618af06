//! Typed answers as the JSON that the `json` interface gives for them, so that the two can be compared whole.

use capi_policy_host::catalog::{Description, OutcomeDescription, RowDescription, TableDescription};
use capi_policy_host::evaluator::{Change, Decision, ForecastResult, Moment};
use capi_policy_host::types::{
    Action, Condition, ConditionStatus, Evaluation, Event, Explanation, HealthCheckEvaluation, MachineEvaluation,
    MatchedCheck, OwnedMachine, OwnerAction, OwnerStep, Replicas, Status, Threshold, Verdict,
};
use serde_json::{Map, Value, json};

pub fn evaluation(e: &Evaluation) -> Value {
    present(json!({
        "kind": e.kind, "namespace": e.namespace, "name": e.name, "profile": e.profile, "now": e.now,
        "conditions": list(&e.conditions, condition),
        "status": status(&e.status),
        "machineConditions": filled(list(&e.machine_conditions, |machine| json!({
            "name": machine.name, "conditions": list(&machine.conditions, condition),
        }))),
        "actions": filled(list(&e.actions, action)),
        "ownerActions": filled(list(&e.owner_actions, owner_action)),
        "events": filled(list(&e.events, event)),
        "requeueAfterSeconds": e.requeue_after_seconds,
        "nextChange": e.next_change,
        "error": e.error,
        "explanations": filled(list(&e.explanations, explanation)),
    }))
}

pub fn health_check(e: &HealthCheckEvaluation) -> Value {
    let mut value = evaluation(&e.evaluation);
    let more = present(json!({
        "machines": filled(list(&e.machines, machine)),
        "threshold": e.threshold.as_ref().map(threshold),
    }));
    merge(&mut value, more);
    value
}

pub fn forecast(f: &ForecastResult) -> Value {
    let now = match &f.now {
        Decision::HealthCheck(e) => health_check(e),
        Decision::Object(e) => evaluation(e),
    };
    json!({ "now": now, "until": f.until, "moments": list(&f.moments, moment), "complete": f.complete })
}

pub fn description(d: &Description) -> Value {
    json!({
        "name": d.name, "version": d.version, "wit": d.wit, "clusterApi": d.cluster_api, "profiles": d.profiles,
    })
}

pub fn table(t: &TableDescription) -> Value {
    json!({
        "id": t.id, "kind": t.kind, "condition": t.condition, "about": t.about, "source": t.source,
        "rows": list(&t.rows, row),
    })
}

fn row(r: &RowDescription) -> Value {
    let mut value = json!({ "id": r.id, "when": r.when });
    merge(&mut value, outcome(&r.then));
    if !r.profiles.is_empty() {
        value["profiles"] = json!(r.profiles);
    }
    if !r.others.is_empty() {
        value["others"] = list(&r.others, |other| {
            let mut value = json!({ "profile": other.profile });
            merge(&mut value, outcome(&other.then));
            value
        });
    }
    value
}

fn outcome(o: &OutcomeDescription) -> Value {
    let mut value = json!({ "status": o.status, "reason": o.reason, "message": o.message });
    if !o.act.is_empty() {
        value["act"] = json!(o.act);
    }
    value
}

fn moment(m: &Moment) -> Value {
    json!({ "at": m.at, "changes": list(&m.changes, change) })
}

fn change(c: &Change) -> Value {
    present(json!({ "subject": c.subject, "what": c.what, "from": c.from, "to": c.to, "row": text(&c.row) }))
}

fn condition(c: &Condition) -> Value {
    let status = match c.status {
        ConditionStatus::True => "True",
        ConditionStatus::False => "False",
        ConditionStatus::Unknown => "Unknown",
    };
    present(json!({
        "type": c.type_, "status": status, "reason": c.reason, "message": c.message,
        "observedGeneration": Some(c.observed_generation).filter(|generation| *generation != 0),
        "lastTransitionTime": c.last_transition_time, "row": c.row,
    }))
}

fn status(s: &Status) -> Value {
    let remediation = s.last_remediation.as_ref();
    let mut value = present(json!({
        "phase": s.phase, "lastUpdated": s.last_updated, "selector": s.selector, "version": s.version,
        "controlPlaneInitialized": s.control_plane_initialized,
        "lastRemediation":
            remediation.map(|r| json!({ "machine": r.machine, "time": r.time, "retryCount": r.retry_count })),
        "controlPlane": s.control_plane.as_ref().map(replicas),
        "workers": s.workers.as_ref().map(replicas),
        "controlPlaneUpgradePlan": s.control_plane_upgrade_plan,
        "workersUpgradePlan": s.workers_upgrade_plan,
        "expectedMachines": s.expected_machines, "currentHealthy": s.current_healthy,
        "remediationsAllowed": s.remediations_allowed,
        "targets": filled(json!(s.targets)),
        "observedGeneration": s.observed_generation,
    }));
    merge(&mut value, replicas(&s.replicas));
    value
}

fn replicas(r: &Replicas) -> Value {
    present(json!({
        "desiredReplicas": r.desired_replicas, "replicas": r.replicas, "readyReplicas": r.ready_replicas,
        "availableReplicas": r.available_replicas, "upToDateReplicas": r.up_to_date_replicas,
        "versions": filled(list(&r.versions, |v| present(json!({
            "version": v.version, "replicas": Some(v.replicas).filter(|replicas| *replicas != 0),
        })))),
    }))
}

fn machine(m: &MachineEvaluation) -> Value {
    let verdict = match m.verdict {
        Verdict::Healthy => "healthy",
        Verdict::Unhealthy => "unhealthy",
        Verdict::Waiting => "waiting",
        Verdict::NotEvaluated => "notEvaluated",
        Verdict::Skipped => "skipped",
    };
    present(json!({
        "name": m.name, "verdict": verdict, "row": m.row, "cause": m.cause,
        "checks": filled(list(&m.checks, check)),
        "since": m.since, "clock": m.clock, "deadline": m.deadline, "remediationRow": m.remediation_row,
        "conditions": list(&m.conditions, condition),
    }))
}

fn check(c: &MatchedCheck) -> Value {
    present(json!({
        "on": c.on, "type": text(&c.type_), "status": text(&c.status), "since": c.since, "clock": c.clock,
        "timeoutSeconds": c.timeout_seconds, "deadline": c.deadline, "expired": c.expired,
    }))
}

fn threshold(t: &Threshold) -> Value {
    present(json!({
        "targets": t.targets, "healthy": t.healthy, "waiting": t.waiting, "unhealthy": t.unhealthy,
        "notEvaluated": t.not_evaluated, "counted": t.counted, "min": t.min, "limit": t.limit, "source": t.source,
        "configured": t.configured, "allowed": t.allowed, "flips": t.flips,
    }))
}

fn action(a: &Action) -> Value {
    match a {
        Action::SetOwnerReference(o) => json!({
            "type": "setOwnerReference",
            "owner": { "apiVersion": o.api_version, "kind": o.kind, "name": o.name, "uid": o.uid },
        }),
        Action::AddLabel(l) => json!({ "type": "addLabel", "key": l.key, "value": l.value }),
        Action::CreateRemediationRequest(r) => {
            let object: Value = serde_json::from_str(&r.object).expect("an object");
            json!({ "type": "createRemediationRequest", "machine": r.machine, "object": object })
        }
        Action::DeleteRemediationRequest(r) => json!({
            "type": "deleteRemediationRequest", "machine": r.machine, "apiVersion": r.api_version, "kind": r.kind,
            "namespace": r.namespace, "name": r.name,
        }),
        Action::DeleteMachine(m) => json!({ "type": "deleteMachine", "namespace": m.namespace, "name": m.name }),
        Action::Other(text) => serde_json::from_str(text).expect("an action"),
    }
}

fn owner_action(a: &OwnerAction) -> Value {
    let machine = |m: &OwnedMachine| json!({ "name": m.name, "conditions": list(&m.conditions, condition) });
    present(json!({
        "decision": a.decision, "row": a.row, "why": a.why,
        "steps": filled(list(&a.steps, owner_step)),
        "machines": filled(list(&a.machines, machine)),
        "candidates": filled(json!(a.candidates)),
        "numbers": filled(list(&a.numbers, |n| json!({ "name": n.name, "value": n.value }))),
        "obstacles": filled(json!(a.obstacles)),
        "requeueAfterMilliseconds": a.requeue_after_milliseconds,
        "nextChange": a.next_change,
        "error": a.error,
    }))
}

fn owner_step(step: &OwnerStep) -> Value {
    match step {
        OwnerStep::DeleteMachine(machine) => json!({ "type": "deleteMachine", "machine": machine }),
        OwnerStep::CreateMachines(new) => present(json!({
            "type": "createMachines", "count": new.count, "failureDomain": new.failure_domain,
        })),
        OwnerStep::MoveMachine(m) => json!({
            "type": "moveMachine", "machine": m.machine, "to": m.to, "uniqueLabel": m.unique_label,
        }),
        OwnerStep::AcknowledgeMove(machine) => json!({ "type": "acknowledgeMove", "machine": machine }),
        OwnerStep::StartInPlaceUpdate(machine) => json!({ "type": "startInPlaceUpdate", "machine": machine }),
        OwnerStep::MoveEtcdLeadership(m) => json!({ "type": "moveEtcdLeadership", "from": m.from, "to": m.to }),
        OwnerStep::RemoveEtcdMember(member) => json!({ "type": "removeEtcdMember", "member": member }),
        OwnerStep::RemovePreTerminateHook(machine) => json!({ "type": "removePreTerminateHook", "machine": machine }),
        OwnerStep::SetAnnotation(l) => json!({ "type": "setAnnotation", "key": l.key, "value": l.value }),
        OwnerStep::RemoveAnnotation(key) => json!({ "type": "removeAnnotation", "key": key }),
        OwnerStep::SetLastRemediation(r) => json!({
            "type": "setLastRemediation", "machine": r.machine, "time": r.time, "retryCount": r.retry_count,
        }),
        OwnerStep::ApplyMachineSet(c) => {
            let object: Value = serde_json::from_str(&c.object).expect("an object");
            present(json!({
                "type": "applyMachineSet", "machineSet": c.machine_set, "current": c.current, "created": c.created,
                "from": c.from, "replicas": c.replicas, "notes": filled(json!(c.notes)), "object": object,
            }))
        }
        OwnerStep::DeleteMachineSet(name) => json!({ "type": "deleteMachineSet", "machineSet": name }),
    }
}

fn event(e: &Event) -> Value {
    json!({
        "type": e.type_, "reason": e.reason, "message": e.message, "objectKind": e.object_kind,
        "objectName": e.object_name,
    })
}

fn explanation(e: &Explanation) -> Value {
    present(json!({
        "table": e.table, "machine": text(&e.machine), "row": e.row,
        "facts": e.facts.iter().map(|f| json!({ "name": f.name, "value": f.value })).collect::<Value>(),
        "trace": e.trace.iter().map(|s| json!({ "row": s.row, "when": s.when, "holds": s.holds })).collect::<Value>(),
    }))
}

fn list<T>(items: &[T], item: fn(&T) -> Value) -> Value {
    items.iter().map(item).collect()
}

/// Nothing for an empty list, which JSON leaves out.
fn filled(list: Value) -> Option<Value> {
    Some(list).filter(|list| list.as_array().is_some_and(|items| !items.is_empty()))
}

/// Nothing for an empty text, which JSON leaves out.
fn text(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// The object without its fields that are null.
fn present(mut object: Value) -> Value {
    fields(&mut object).retain(|_, value| !value.is_null());
    object
}

fn merge(into: &mut Value, mut more: Value) {
    fields(into).append(fields(&mut more));
}

fn fields(object: &mut Value) -> &mut Map<String, Value> {
    object.as_object_mut().expect("an object")
}
