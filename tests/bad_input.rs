//! Input that can't be evaluated: an error that names path and value, never a panic.

use capi_policy::{Error, evaluate_json, forecast_json};
use serde_json::{Value, json};

fn error_of(snapshot: &Value) -> String {
    evaluate_json(&snapshot.to_string()).expect_err("an error").to_string()
}

fn health_check(spec: &Value) -> Value {
    json!({ "now": "2025-01-01T00:00:00Z", "machineHealthCheck": { "metadata": { "name": "mhc" }, "spec": spec }, "cluster": {} })
}

fn trigger(field: &str, value: &Value) -> String {
    error_of(&health_check(&json!({ "remediation": { "triggerIf": { field: value } } })))
}

#[test]
fn text_that_is_not_json() {
    for text in ["", "{", "nonsense", "{\"now\": \"2025-01-01T00:00:00Z\",}", "\u{0}"] {
        assert!(matches!(evaluate_json(text), Err(Error::Syntax { .. })), "{text:?}: {:?}", evaluate_json(text));
    }
}

#[test]
fn a_snapshot_without_time_or_object() {
    assert_eq!(error_of(&json!({})), "snapshot: missing field `now` (line 1 column 1)");
    let nothing = error_of(&json!({ "now": "2025-01-01T00:00:00Z" }));
    assert!(nothing.starts_with("snapshot: expected an object in one of machineHealthCheck, "), "{nothing}");
    let other = json!({ "kind": "Machine", "now": "2025-01-01T00:00:00Z", "machineDeployment": {} });
    assert_eq!(error_of(&other), "machine: expected the Machine to evaluate, found none");
    let unknown = error_of(&json!({ "kind": "Pod", "now": "2025-01-01T00:00:00Z" }));
    assert!(unknown.starts_with("kind: expected a kind that can be evaluated, found \"Pod\""), "{unknown}");
}

#[test]
fn wrong_types_are_named_with_their_path() {
    let name = json!({ "now": "2025-01-01T00:00:00Z", "machineDeployment": {}, "machines": [{}, { "metadata": { "name": 5 } }] });
    assert_eq!(error_of(&name), "machines[1].metadata.name: expected a string, found number 5 (line 1 column 60)");
    let list = json!({ "now": "2025-01-01T00:00:00Z", "machineDeployment": {}, "machines": 7 });
    assert!(error_of(&list).starts_with("machines: expected a list, found number 7"), "{}", error_of(&list));
}

#[test]
fn bad_timestamps() {
    let deleted = json!({
        "now": "2025-01-01T00:00:00Z", "machineDeployment": {},
        "machines": [{ "metadata": { "name": "m", "deletionTimestamp": "yesterday" } }],
    });
    let error = error_of(&deleted);
    assert!(
        error.starts_with("machines[0].metadata.deletionTimestamp: expected RFC 3339, found \"yesterday\""),
        "{error}"
    );
    let now = error_of(&json!({ "now": 17, "machineDeployment": {} }));
    assert!(now.starts_with("now: expected RFC 3339, found number 17"), "{now}");
    let until =
        forecast_json(r#"{"now":"2025-01-01T00:00:00Z","machineDeployment":{}}"#, "soon").expect_err("an error");
    assert_eq!(until.to_string(), "until: expected RFC 3339, found \"soon\"");
}

#[test]
fn ranges_and_limits() {
    for range in ["[5-3]", "[", "abc", "[]", "[1]", "[-]", "[1-2-3]", "[ 1-2]", "[1-x]", "[+1-2]", "[0-99999999999]"] {
        assert_eq!(
            trigger("unhealthyInRange", &json!(range)),
            format!(
                "machineHealthCheck.spec.remediation.triggerIf.unhealthyInRange: expected \"[min-max]\" with min <= max, found {range:?}"
            )
        );
    }
    for limit in ["x%", "-5%", "3", "%", "", "1.5%", "+5%"] {
        assert_eq!(
            trigger("unhealthyLessThanOrEqualTo", &json!(limit)),
            format!(
                "machineHealthCheck.spec.remediation.triggerIf.unhealthyLessThanOrEqualTo: expected a whole number or a percentage like \"40%\", not negative, found {limit:?}"
            )
        );
    }
    assert!(trigger("unhealthyLessThanOrEqualTo", &json!(-1)).ends_with("found -1"));
    assert!(trigger("unhealthyLessThanOrEqualTo", &json!(1.5)).contains("found number 1.5"));
}

#[test]
fn a_bad_range_is_an_answer_of_cluster_api() {
    let mut snapshot = health_check(&json!({ "remediation": { "triggerIf": { "unhealthyInRange": "[" } } }));
    snapshot["profile"] = json!("cluster-api");
    snapshot["machineHealthCheck"]["status"] =
        json!({ "conditions": [{ "type": "Paused", "status": "False", "reason": "NotPaused" }] });
    let evaluation: Value =
        serde_json::from_str(&evaluate_json(&snapshot.to_string()).expect("an evaluation")).expect("JSON");
    assert_eq!(
        evaluation["error"],
        "machineHealthCheck.spec.remediation.triggerIf.unhealthyInRange: expected \"[min-max]\" with min <= max, found \"[\""
    );
    assert_eq!(evaluation["status"], json!({ "expectedMachines": 0, "currentHealthy": 0 }));
}

#[test]
fn selectors() {
    let selector =
        |expression: Value| error_of(&health_check(&json!({ "selector": { "matchExpressions": [expression] } })));
    assert_eq!(
        selector(json!({ "key": "a", "operator": "Near", "values": ["b"] })),
        "machineHealthCheck.spec.selector.matchExpressions[0].operator: expected In, NotIn, Exists or DoesNotExist, found \"Near\""
    );
    assert_eq!(
        selector(json!({ "key": "a", "operator": "In" })),
        "machineHealthCheck.spec.selector.matchExpressions[0].values: expected at least one value for In and NotIn, found none"
    );
    assert_eq!(
        selector(json!({ "key": "a", "operator": "Exists", "values": ["b"] })),
        "machineHealthCheck.spec.selector.matchExpressions[0].values: expected no value for Exists and DoesNotExist, found 1"
    );
}

#[test]
fn duplicate_names() {
    let twice = json!({
        "now": "2025-01-01T00:00:00Z", "machineDeployment": {},
        "machines": [{ "metadata": { "name": "m1" } }, { "metadata": { "name": "m2" } }, { "metadata": { "name": "m1" } }],
    });
    assert_eq!(error_of(&twice), "machines[2].metadata.name: expected a unique name, found \"m1\" again");
}

#[test]
fn too_large_and_too_deep() {
    let large = format!("{{\"now\":\"2025-01-01T00:00:00Z\",\"x\":\"{}\"}}", "x".repeat(50_000_000));
    assert_eq!(evaluate_json(&large), Err(Error::TooLarge { bytes: large.len(), limit: 41_943_040 }));
    for open in ["[", "{\"a\":", "{\"machines\":["] {
        let deep = format!("{{\"now\":\"2025-01-01T00:00:00Z\",\"x\":{}", open.repeat(10_000));
        assert!(matches!(evaluate_json(&deep), Err(Error::TooDeep { limit: 100, .. })), "{open}");
    }
    let brackets = json!({ "now": "2025-01-01T00:00:00Z", "machineDeployment": { "metadata": { "name": "[".repeat(10_000) + "\\\"{" } } });
    assert!(evaluate_json(&brackets.to_string()).is_ok(), "brackets inside a string nest nothing");
}

#[test]
fn extreme_numbers_and_times() {
    let extreme = json!({
        "now": "9999-12-31T23:59:59Z",
        "machineHealthCheck": {
            "metadata": { "name": "mhc", "generation": -9_223_372_036_854_775_808_i64 },
            "spec": { "clusterName": "c", "checks": {
                "nodeStartupTimeoutSeconds": 9_223_372_036_854_775_807_i64,
                "unhealthyMachineConditions": [{ "type": "T", "status": "False", "timeoutSeconds": -9_223_372_036_854_775_808_i64 }],
            }, "remediation": { "triggerIf": { "unhealthyLessThanOrEqualTo": "4294967295%" } } },
        },
        "cluster": { "status": { "conditions": [
            { "type": "InfrastructureReady", "status": "True", "lastTransitionTime": "9999-12-31T23:59:59Z" },
            { "type": "ControlPlaneInitialized", "status": "True", "lastTransitionTime": "0001-01-01T00:00:00Z" },
        ] } },
        "machines": [{
            "metadata": { "name": "m", "labels": { "cluster.x-k8s.io/cluster-name": "c" } },
            "status": { "conditions": [{ "type": "T", "status": "False", "lastTransitionTime": "9999-12-31T23:59:59Z" }] },
        }],
    });
    let evaluation: Value =
        serde_json::from_str(&evaluate_json(&extreme.to_string()).expect("an evaluation")).expect("JSON");
    assert_eq!(evaluation["machines"][0]["verdict"], "unhealthy");
    let snapshot = extreme.to_string();
    assert!(forecast_json(&snapshot, "9999-12-31T23:59:59Z").is_ok());
}
