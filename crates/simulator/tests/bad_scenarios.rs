//! What is wrong with a scenario is said with its path and its value.

use capi_policy_simulator::Scenario;
use capi_policy_simulator::object::member;
use serde_json::{Value, json};

fn fine() -> Value {
    json!({
        "horizon": "6h", "zones": ["a"], "machineDeployments": { "workers": { "replicas": 3 } },
        "healthChecks": { "workers": { "of": "workers" } },
        "incidents": [{ "zoneCutOff": { "at": "1h", "for": "10m", "zone": "a" } }],
    })
}

fn problem(path: &[&str], field: &str, value: Value) -> String {
    let mut scenario = fine();
    member(&mut scenario, path).insert(field.to_owned(), value);
    Scenario::read(&scenario).expect_err("a problem").to_string()
}

#[test]
fn a_fine_scenario_is_read_and_written_the_same() {
    let scenario = Scenario::read(&fine()).expect("a scenario");
    assert_eq!(Scenario::read(&scenario.value()).expect("a scenario"), scenario);
}

#[test]
fn each_problem_names_the_path_and_the_value() {
    let cases = [
        problem(&[], "horizon", json!("365000d")),
        problem(&[], "horizon", json!(-5)),
        problem(&[], "weather", json!("rain")),
        problem(&[], "clusters", json!(0)),
        problem(&["machineDeployments", "workers"], "replicas", json!(-1)),
        problem(&["machineDeployments", "workers"], "replicas", json!(1_000_000)),
        problem(&["machineDeployments", "workers"], "replica", json!(1)),
        problem(&["infrastructure"], "failedBoots", json!("-5%")),
        problem(&["infrastructure"], "boot", json!({ "median": "5m", "p90": "1m" })),
        problem(&["healthChecks", "workers"], "of", json!("nobody")),
        problem(&[], "incidents", json!([{ "zoneCutOff": { "at": "1h", "for": "10m", "zone": "z" } }])),
        problem(&[], "incidents", json!([{ "zoneCutOff": { "at": "7h", "for": "10m", "zone": "a" } }])),
        problem(&[], "incidents", json!([{ "flood": {} }])),
        problem(&[], "never", json!(["everything > 3"])),
        problem(&[], "profile", json!("cluster-api-v0.1")),
    ];
    let expected = include_str!("bad_scenarios.txt");
    assert_eq!(cases.join("\n"), expected.trim_end());
}
