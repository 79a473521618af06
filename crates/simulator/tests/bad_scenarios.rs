//! What is wrong with a scenario is said with its path and its value.

use capi_policy_simulator::Scenario;
use capi_policy_simulator::object::member;
use serde_json::{Value, json};

const NONE: &[&str] = &[];

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
        problem(&[], "start", json!("9999-06-01T00:00:00Z")),
        problem(&[], "horizon", json!("99999999999999999d")),
        problem(&[], "zones", json!(["a", "b", "a"])),
        problem(&["infrastructure"], "deathsPerDay", json!(null)),
        problem(&["infrastructure"], "flapping", json!({ "machines": "5%", "up": "0s", "down": "1m" })),
        problem(&["healthChecks", "workers"], "unhealthyInRange", json!("[3-1]")),
        problem(&["healthChecks", "workers"], "unhealthyLessThanOrEqualTo", json!("-20%")),
        problem(&[], "incidents", json!([{ "machinesFail": { "at": "1h", "of": "workers", "count": 0 } }])),
        problem(&[], "incidents", json!([{ "rollout": { "at": "1h", "of": "workers", "version": "1.33" } }])),
        problem(&[], "compare", json!([{ "name": "a", "change": {} }, { "name": "a", "change": {} }])),
        problem(&[], "compare", json!([{ "name": "late", "change": { "horizon": "30m" } }])),
    ];
    let expected = include_str!("bad_scenarios.txt");
    assert_eq!(cases.join("\n"), expected.trim_end());
}

#[test]
fn what_is_compared_has_to_be_there() {
    let scenario = Scenario::read(&fine()).expect("a scenario");
    let problem = |compare: &str| scenario.variants(&[compare], None).expect_err("a problem").to_string();
    assert_eq!(problem(""), "compare: expected variants in the scenario, or PATH=VALUE,VALUE, found neither");
    assert!(problem("horizon").starts_with("compare: expected PATH=VALUE,VALUE"));
    assert_eq!(
        problem("healthChecks.worker.nodeStartupTimeout=10m,20m"),
        "compare: expected a field of something that the scenario has, found \"healthChecks.worker.nodeStartupTimeout\""
    );
    assert_eq!(
        problem("machineDeployments=null"),
        "compare \"machineDeployments=null\": scenario: expected a fleet (machineDeployments or controlPlane), found none"
    );
}

#[test]
fn given_objects_have_what_the_scenario_names() {
    let day = |scenario: Value| Scenario::read(&scenario).expect("a scenario");
    let labels = json!({ "cluster.x-k8s.io/deployment-name": "md" });
    let machine = json!({ "kind": "Machine", "metadata": { "name": "m", "namespace": "ns", "labels": labels } });
    let check = json!({ "kind": "MachineHealthCheck", "metadata": { "name": "hc", "namespace": "ns" } });
    let objects = [machine, check];
    let problem = |scenario: Value, objects: &[Value]| {
        day(scenario).variants(NONE, Some(objects)).expect_err("a problem").to_string()
    };
    let fails =
        |of: &str| json!({ "horizon": "6h", "incidents": [{ "machinesFail": { "at": "1h", "of": of, "count": 1 } }] });
    let checks = |name: &str, check: Value| json!({ "horizon": "6h", "healthChecks": { name: check } });
    for fits in [fails("md"), checks("hc", json!({ "nodeStartupTimeout": "5m" }))] {
        assert!(day(fits).variants(NONE, Some(&objects)).is_ok());
    }
    assert_eq!(
        problem(fails("mp"), &objects),
        "incidents[0].machinesFail.of: expected the name of one that the objects have (md), found \"mp\""
    );
    assert_eq!(
        problem(checks("hb", json!({})), &objects),
        "healthChecks.hb: expected the name of one that the objects have (hc), found \"hb\""
    );
    assert_eq!(
        problem(checks("hc", json!({ "of": "md" })), &objects),
        "healthChecks.hc.of: expected nothing here, since given health checks have selectors, found \"md\""
    );
    assert_eq!(problem(json!({ "horizon": "6h" }), &objects[1..]), "objects: expected Machines, found none");
    assert_eq!(
        problem(json!({ "horizon": "6h", "clusters": 2 }), &objects),
        "clusters: expected 1 where objects are given, found 2"
    );
    let none = day(json!({ "horizon": "6h" })).variants(NONE, None).expect_err("a problem").to_string();
    assert_eq!(none, "scenario: expected a fleet (machineDeployments or controlPlane), found none");
}
