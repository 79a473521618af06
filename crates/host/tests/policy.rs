//! The API for controllers: objects in as anything that serializes, typed decisions out, with and without a runtime.

#[path = "../../../tests/case_file/mod.rs"]
#[allow(dead_code, reason = "only the snapshots are used here")]
mod case_file;
mod policies;

use capi_policy_host::decision::{Action, Catalog, ConditionStatus, Evaluation, Verdict};
use capi_policy_host::{EngineError, ErrorCode, Limits, Options, Policy, Time};
use policies::{SNAPSHOT, hostile, real, tight, uncached};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Duration;

fn policy() -> Policy {
    Policy::from_path(real(), &uncached(Limits::default())).expect("the policy")
}

/// A health check of one machine whose Node has not been ready for an hour, and which nobody owns.
fn unhealthy() -> Value {
    let condition = json!({ "type": "Ready", "status": "False", "lastTransitionTime": "2026-01-15T11:00:00Z" });
    json!({
        "now": "2026-01-15T12:00:00Z",
        "machineHealthCheck": {
            "metadata": { "name": "workers", "namespace": "prod" },
            "spec": {
                "clusterName": "c1",
                "selector": { "matchLabels": { "pool": "workers" } },
                "checks": { "unhealthyNodeConditions": [{ "type": "Ready", "status": "False", "timeoutSeconds": 300 }] },
            },
        },
        "cluster": {
            "metadata": { "name": "c1", "namespace": "prod" },
            "status": {
                "conditions": [
                    { "type": "InfrastructureReady", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z" },
                    { "type": "ControlPlaneInitialized", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z" },
                ],
                "initialization": { "infrastructureProvisioned": true, "controlPlaneInitialized": true },
            },
        },
        "machines": [{
            "metadata": {
                "name": "m1", "namespace": "prod", "labels": { "pool": "workers", "cluster.x-k8s.io/cluster-name": "c1" },
                "creationTimestamp": "2026-01-01T00:00:00Z",
            },
            "spec": { "clusterName": "c1" },
            "status": { "nodeRef": { "name": "n1" } },
        }],
        "nodes": [{ "metadata": { "name": "n1" }, "status": { "conditions": [condition] } }],
    })
}

#[test]
fn a_decision_is_typed() {
    let evaluation = policy().evaluate(&unhealthy()).expect("a decision");
    let machine = evaluation.machines.first().expect("a machine");
    assert_eq!(machine.verdict, Verdict::Unhealthy);
    assert_eq!(machine.deadline, Time::parse("2026-01-15T11:05:01Z"));
    let allowed = evaluation.condition("RemediationAllowed").expect("a condition");
    assert_eq!(allowed.status, ConditionStatus::True);
    assert_eq!(allowed.last_transition_time, evaluation.now);
    let deleted = Action::DeleteMachine { namespace: "prod".to_owned(), name: "m1".to_owned() };
    assert_eq!(evaluation.actions.last(), Some(&deleted));
    assert_eq!(evaluation.status.expected_machines, Some(1));
}

/// The cases of every table: what is read and written again is what the policy answered, so no field is
/// missing from the types.
#[test]
fn no_field_of_a_decision_is_lost() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let files = case_file::read_all(&tests.join("cases"));
    let mut kinds = BTreeSet::new();
    for case in files.iter().flat_map(|file| &file.cases) {
        let mut snapshot = case.snapshot();
        snapshot["explain"] = json!(true);
        let Ok(answer) = capi_policy::evaluate_json(&snapshot.to_string()) else { continue };
        let mut answer: Value = serde_json::from_str(&answer).expect("JSON");
        let read: Evaluation = serde_json::from_value(answer.clone()).unwrap_or_else(|e| panic!("{}: {e}", case.note));
        kinds.insert(read.kind.clone());
        let mut written = serde_json::to_value(&read).expect("JSON");
        without_empty(&mut answer);
        without_empty(&mut written);
        assert_eq!(written, answer, "{}", case.note);
    }
    assert_eq!(kinds.len(), capi_policy::Kind::ALL.len(), "{kinds:?}");
    let catalog: Value = serde_json::from_str(&capi_policy::catalog::json()).expect("JSON");
    let read: Catalog = serde_json::from_value(catalog.clone()).expect("a catalog");
    assert_eq!(read.tables.len(), catalog["tables"].as_array().map_or(0, Vec::len));
}

/// Empty texts, lists and zeros are written by one side and left out by the other, which means the same.
fn without_empty(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(without_empty);
            fields.retain(|_, value| ![json!(""), json!(0), json!({}), json!([])].contains(value));
        }
        Value::Array(items) => items.iter_mut().for_each(without_empty),
        _ => {}
    }
}

#[test]
fn objects_are_anything_that_serializes() {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Snapshot<'a> {
        now: Time,
        machine_deployment: &'a Value,
    }
    let machine_deployment = &json!({ "metadata": { "name": "md-0", "generation": 3 } });
    let now = Time::parse("2025-01-01T00:00:00Z").expect("a time");
    let by_type = policy().evaluate(&Snapshot { now, machine_deployment }).expect("a decision");
    let by_text = policy().evaluate(&serde_json::from_str::<Value>(SNAPSHOT).expect("JSON")).expect("a decision");
    assert_eq!(by_type, by_text);
}

#[test]
fn bytes_path_and_library_decide_the_same() {
    let from_bytes = Policy::from_bytes(&fs::read(real()).expect("the component"), &uncached(Limits::default()));
    let evaluation = policy().evaluate(&unhealthy()).expect("a decision");
    assert_eq!(from_bytes.expect("the policy").evaluate(&unhealthy()).expect("a decision"), evaluation);
    assert_eq!(Policy::native().evaluate(&unhealthy()).expect("a decision"), evaluation);
    let until = Time::parse("2026-01-16T00:00:00Z").expect("a time");
    let forecast = policy().forecast(&unhealthy(), until).expect("a forecast");
    assert_eq!(forecast.now, evaluation);
    assert_eq!(forecast, Policy::native().forecast(&unhealthy(), until).expect("a forecast"));
    assert_eq!(policy().catalog().expect("a catalog"), Policy::native().catalog().expect("a catalog"));
}

#[test]
fn an_error_has_a_code_a_path_and_says_whether_to_try_again() {
    let error = policy().evaluate(&json!({ "now": 5, "machine": {} })).expect_err("no time");
    let EngineError::Malformed { code, path, .. } = &error else { panic!("{error:?}") };
    assert_eq!((*code, path.as_deref()), (ErrorCode::Invalid, Some("now")));
    assert!(!error.is_transient());

    let looping = Policy::from_bytes(&hostile("loops"), &uncached(tight())).expect("it loads");
    assert!(looping.evaluate(&unhealthy()).expect_err("no end").is_transient());
}

#[test]
fn an_error_names_its_source() {
    let trapping = Policy::from_bytes(&hostile("traps"), &uncached(tight())).expect("it loads");
    let error = trapping.evaluate(&unhealthy()).expect_err("a trap");
    assert!(error.source().is_some_and(|source| source.to_string().contains("unreachable")), "{error:?}");
    assert!(!error.is_transient());

    let missing = Policy::from_path("no/such.wasm", &Options::default()).err().expect("no file");
    assert!(missing.source().is_some_and(<dyn Error>::is::<std::io::Error>), "{missing:?}");

    let unreadable =
        policy().evaluate(&std::collections::BTreeMap::from([(vec![1], 2)])).expect_err("no text for a key");
    assert!(matches!(unreadable, EngineError::Unserializable { .. }), "{unreadable:?}");
}

/// On a runtime with one thread: while the policy loops, another task goes on.
#[cfg(feature = "tokio")]
#[tokio::test]
async fn a_call_does_not_block_the_runtime() {
    let looping = Policy::from_bytes(&hostile("loops"), &uncached(tight())).expect("it loads");
    let snapshot = unhealthy();
    let ticking = async {
        for _ in 0..5 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        biased;
        () = ticking => {}
        answer = looping.evaluate_async(&snapshot) => panic!("answered first: {answer:?}"),
    }
    let decided = policy().evaluate_async(&snapshot).await.expect("a decision");
    assert_eq!(decided, policy().evaluate(&snapshot).expect("a decision"));
}

#[cfg(feature = "k8s-openapi")]
#[test]
fn a_condition_becomes_the_one_that_clients_store() {
    let evaluation = policy().evaluate(&unhealthy()).expect("a decision");
    let condition = evaluation.condition("RemediationAllowed").expect("a condition").clone();
    let stored = k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition::from(condition.clone());
    let expected = json!({
        "type": "RemediationAllowed", "status": "True", "reason": condition.reason, "message": condition.message,
        "lastTransitionTime": "2026-01-15T12:00:00Z",
    });
    assert_eq!(serde_json::to_value(stored).expect("JSON"), expected);
}

#[cfg(feature = "embedded")]
#[test]
fn the_embedded_policy_is_the_one_that_was_built() {
    let embedded = Policy::embedded(&uncached(Limits::default())).expect("the policy; `cargo xtask artifact` makes it");
    assert_eq!(
        embedded.evaluate(&unhealthy()).expect("a decision"),
        policy().evaluate(&unhealthy()).expect("a decision")
    );
}
