//! Typed answers as the JSON that the `json` interface gives for them, so that the two can be compared whole.

use capi_policy_host::catalog::{Description, OutcomeDescription, RowDescription, TableDescription};
use capi_policy_host::types::{
    Action, Cause, Change, Changed, CheckTarget, CheckedMachine, Clock, ClusterStatus, Condition, ConditionStatus,
    Decision, Details, Evaluation, Event, EventType, Explanation, Forecast, Kind, KubeadmControlPlaneStatus,
    MachineConditions, MachineDeploymentStatus, MachineHealthCheckDetails, MachinePoolStatus, MachineSetStatus,
    MachineStatus, MatchedCheck, Moment, ObjectName, OwnedMachine, OwnerAction, OwnerStep, Replicas, Threshold,
    ThresholdSource, Verdict,
};
use capi_policy_host::{EngineError, Session};
use serde_json::{Map, Value, json};

/// The decision about an object of a kind, by the function for that kind.
pub fn evaluate(session: &mut Session, kind: capi_policy::Kind, snapshot: &str) -> Result<Value, EngineError> {
    use capi_policy::Kind;
    Ok(match kind {
        Kind::MachineHealthCheck => {
            let e = session.evaluate_machine_health_check(snapshot)?;
            health_check(&e.evaluation, &e.details)
        }
        Kind::MachineDeployment => {
            let e = session.evaluate_machine_deployment(snapshot)?;
            evaluation(&e.evaluation, &machine_deployment(&e.status))
        }
        Kind::MachineSet => {
            let e = session.evaluate_machine_set(snapshot)?;
            evaluation(&e.evaluation, &machine_set(&e.status))
        }
        Kind::KubeadmControlPlane => {
            let e = session.evaluate_kubeadm_control_plane(snapshot)?;
            evaluation(&e.evaluation, &control_plane(&e.status))
        }
        Kind::MachinePool => {
            let e = session.evaluate_machine_pool(snapshot)?;
            evaluation(&e.evaluation, &machine_pool(&e.status))
        }
        Kind::Machine => {
            let e = session.evaluate_machine(snapshot)?;
            evaluation(&e.evaluation, &machine_status(&e.status))
        }
        Kind::Cluster => {
            let e = session.evaluate_cluster(snapshot)?;
            evaluation(&e.evaluation, &cluster(&e.status))
        }
    })
}

/// What all kinds have in common, with the status of the kind.
pub fn evaluation(e: &Evaluation, status: &Value) -> Value {
    let kind = match e.subject.kind {
        Kind::Cluster => "Cluster",
        Kind::KubeadmControlPlane => "KubeadmControlPlane",
        Kind::MachineDeployment => "MachineDeployment",
        Kind::MachineSet => "MachineSet",
        Kind::MachineHealthCheck => "MachineHealthCheck",
        Kind::MachinePool => "MachinePool",
        Kind::Machine => "Machine",
    };
    present(json!({
        "kind": kind, "namespace": namespace(e.subject.namespace.as_ref()), "name": e.subject.name,
        "profile": e.profile, "now": e.now,
        "conditions": list(&e.conditions, condition),
        "machineConditions": filled(list(&e.machine_conditions, machine_conditions)),
        "status": status,
        "actions": filled(list(&e.actions, action)),
        "ownerActions": filled(list(&e.owner_actions, owner_action)),
        "events": filled(list(&e.events, event)),
        "requeueAfterSeconds": e.requeue_after_seconds,
        "nextChange": e.next_change,
        "error": e.error,
        "explanations": filled(list(&e.explanations, explanation)),
    }))
}

pub fn health_check(e: &Evaluation, details: &MachineHealthCheckDetails) -> Value {
    let s = &details.status;
    let status = present(json!({
        "expectedMachines": s.expected_machines, "currentHealthy": s.current_healthy,
        "remediationsAllowed": s.remediations_allowed, "targets": filled(json!(s.targets)),
        "observedGeneration": s.observed_generation,
    }));
    let mut value = evaluation(e, &status);
    let more = present(json!({
        "machines": filled(list(&details.machines, machine)),
        "threshold": details.threshold.as_ref().map(threshold),
    }));
    merge(&mut value, more);
    value
}

pub fn forecast(f: &Forecast) -> Value {
    json!({ "now": decision(&f.now), "until": f.until, "moments": list(&f.moments, moment), "complete": f.complete })
}

pub fn decision(d: &Decision) -> Value {
    match &d.details {
        Details::Cluster(s) => evaluation(&d.evaluation, &cluster(s)),
        Details::KubeadmControlPlane(s) => evaluation(&d.evaluation, &control_plane(s)),
        Details::MachineDeployment(s) => evaluation(&d.evaluation, &machine_deployment(s)),
        Details::MachineSet(s) => evaluation(&d.evaluation, &machine_set(s)),
        Details::MachineHealthCheck(details) => health_check(&d.evaluation, details),
        Details::MachinePool(s) => evaluation(&d.evaluation, &machine_pool(s)),
        Details::Machine(s) => evaluation(&d.evaluation, &machine_status(s)),
    }
}

pub fn cluster(s: &ClusterStatus) -> Value {
    present(json!({
        "phase": s.phase, "controlPlane": s.control_plane.as_ref().map(replicas), "workers": s.workers.as_ref().map(replicas),
        "controlPlaneUpgradePlan": s.control_plane_upgrade_plan, "workersUpgradePlan": s.workers_upgrade_plan,
    }))
}

pub fn control_plane(s: &KubeadmControlPlaneStatus) -> Value {
    let remediation = s.last_remediation.as_ref();
    let mut value = present(json!({
        "selector": s.selector, "version": s.version, "controlPlaneInitialized": s.initialized,
        "lastRemediation":
            remediation.map(|r| json!({ "machine": r.machine, "time": r.time, "retryCount": r.retry_count })),
    }));
    merge(&mut value, replicas(&s.replicas));
    value
}

pub fn machine_deployment(s: &MachineDeploymentStatus) -> Value {
    let mut value = present(json!({ "phase": s.phase, "selector": s.selector }));
    merge(&mut value, replicas(&s.replicas));
    value
}

pub fn machine_set(s: &MachineSetStatus) -> Value {
    let mut value = present(json!({ "selector": s.selector }));
    merge(&mut value, replicas(&s.replicas));
    value
}

pub fn machine_pool(s: &MachinePoolStatus) -> Value {
    replicas(&s.replicas)
}

pub fn machine_status(s: &MachineStatus) -> Value {
    present(json!({ "phase": s.phase, "lastUpdated": s.last_updated }))
}

/// JSON always has it, also when it is empty.
fn namespace(namespace: Option<&String>) -> &str {
    namespace.map_or("", |namespace| namespace)
}

pub fn description(d: &Description) -> Value {
    json!({
        "name": d.name, "version": d.version, "wit": d.wit, "clusterApi": d.cluster_api, "profiles": d.profiles,
    })
}

pub fn table(t: &TableDescription) -> Value {
    json!({
        "id": t.code, "kind": t.kind, "condition": t.condition, "about": t.about, "source": t.source,
        "rows": list(&t.rows, row),
    })
}

fn row(r: &RowDescription) -> Value {
    let mut value = json!({ "id": r.code, "when": r.when });
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
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let mut value = json!({ "status": text(&o.status), "reason": text(&o.reason), "message": text(&o.message) });
    if let Some(act) = &o.act {
        value["act"] = json!(act);
    }
    value
}

fn moment(m: &Moment) -> Value {
    json!({ "at": m.at, "changes": list(&m.changes, change) })
}

fn change(c: &Change) -> Value {
    let what = match &c.what {
        Changed::Verdict => "verdict",
        Changed::Action => "action",
        Changed::Condition(of_type) => of_type,
    };
    present(json!({ "subject": c.subject, "what": what, "from": c.from, "to": c.to, "row": c.row }))
}

fn condition(c: &Condition) -> Value {
    let status = match c.status {
        ConditionStatus::True => "True",
        ConditionStatus::False => "False",
        ConditionStatus::Unknown => "Unknown",
    };
    present(json!({
        "type": c.type_, "status": status, "reason": c.reason, "message": c.message,
        "observedGeneration": c.observed_generation,
        "lastTransitionTime": c.last_transition_time, "row": c.row,
    }))
}

fn machine_conditions(m: &MachineConditions) -> Value {
    json!({ "name": m.name, "conditions": list(&m.conditions, condition) })
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

fn machine(m: &CheckedMachine) -> Value {
    let verdict = match m.verdict {
        Verdict::Healthy => "healthy",
        Verdict::Unhealthy => "unhealthy",
        Verdict::Waiting => "waiting",
        Verdict::NotEvaluated => "notEvaluated",
        Verdict::Skipped => "skipped",
    };
    present(json!({
        "name": m.name, "verdict": verdict, "row": m.row, "cause": m.cause.map(cause),
        "checks": filled(list(&m.checks, check)),
        "since": m.since, "clock": m.clock.map(clock), "deadline": m.deadline, "remediationRow": m.remediation_row,
        "conditions": list(&m.conditions, condition),
    }))
}

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::RemediateAnnotation => "RemediateAnnotation",
        Cause::NodeStartupTimeout => "NodeStartupTimeout",
        Cause::NodeNotFound => "NodeNotFound",
        Cause::UnhealthyCondition => "UnhealthyCondition",
    }
}

fn clock(clock: Clock) -> &'static str {
    match clock {
        Clock::MachineCreated => "machineCreated",
        Clock::ClusterInfrastructureReady => "clusterInfrastructureReady",
        Clock::ControlPlaneInitialized => "controlPlaneInitialized",
        Clock::MachineInfrastructureReady => "machineInfrastructureReady",
        Clock::ConditionTransition => "conditionTransition",
    }
}

fn check(c: &MatchedCheck) -> Value {
    let (on, condition) = match &c.on {
        CheckTarget::Machine(condition) => ("Machine", Some(condition)),
        CheckTarget::Node(condition) => ("Node", Some(condition)),
        CheckTarget::Startup => ("startup", None),
    };
    present(json!({
        "on": on, "type": condition.and_then(|c| text(&c.type_)), "status": condition.and_then(|c| text(&c.status)),
        "since": c.since, "clock": clock(c.clock), "timeoutSeconds": c.timeout_seconds, "deadline": c.deadline,
        "expired": c.expired,
    }))
}

fn threshold(t: &Threshold) -> Value {
    let source = match t.source {
        ThresholdSource::UnhealthyInRange => "unhealthyInRange",
        ThresholdSource::UnhealthyLessThanOrEqualTo => "unhealthyLessThanOrEqualTo",
        ThresholdSource::Default => "default",
    };
    present(json!({
        "targets": t.targets, "healthy": t.healthy, "waiting": t.waiting, "unhealthy": t.unhealthy,
        "notEvaluated": t.not_evaluated, "counted": t.counted, "min": t.min, "limit": t.limit, "source": source,
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
            "namespace": namespace(r.object.namespace.as_ref()), "name": r.object.name,
        }),
        Action::DeleteMachine(ObjectName { namespace: of, name }) => {
            json!({ "type": "deleteMachine", "namespace": namespace(of.as_ref()), "name": name })
        }
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
        "type": if e.type_ == EventType::Normal { "Normal" } else { "Warning" }, "reason": e.reason, "message": e.message, "objectKind": e.object_kind,
        "objectName": e.object_name,
    })
}

fn explanation(e: &Explanation) -> Value {
    present(json!({
        "table": e.table, "machine": e.machine, "row": e.row,
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
