use crate::command::{fleet, run};
use serde_json::Value;
use std::fs;

fn bench(arguments: &[&str]) -> crate::command::Run {
    run(&[&["bench", "-f", &fleet(), "--seconds", "0.01"], arguments].concat())
}

#[test]
fn component_and_library_are_measured_side_by_side() {
    let results = bench(&["-o", "json"]).json();
    let results = results.as_array().expect("a list");
    assert_eq!(results.len(), 21 * 3);
    let engines: Vec<_> = results.iter().take(3).filter_map(|m| m["engine"].as_str()).collect();
    assert_eq!(engines, ["native", "component, warm", "component, fresh"]);
    for result in results {
        let number = |field: &str| result[field].as_f64().expect("a number");
        assert!(number("perSecond") > 0.0 && number("timesNative") > 0.0);
        assert!(number("p50Micros") <= number("p95Micros") && number("p95Micros") <= number("p99Micros"));
    }
}

#[test]
fn a_saved_result_can_be_compared_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("saved.json");
    let name = saved.display().to_string();
    bench(&["--save", &name]).says(0, &["EVALUATIONS/S", "TIMES NATIVE", "MachineHealthCheck prod/blue-gpu"]);
    bench(&["--compare", &name, "--threshold", "1000000"]).says(0, &["0 of 63 slower"]);

    let mut results: Value = serde_json::from_str(&fs::read_to_string(&saved).expect("a file")).expect("JSON");
    results[0]["p50Micros"] = 0.001.into();
    fs::write(&saved, results.to_string()).expect("a file");
    bench(&["--compare", &name, "--threshold", "1000000"]).says(1, &["1 of 63 slower"]);
}

#[test]
fn a_baseline_that_is_none_is_refused() {
    bench(&["--compare", "nowhere.json"])
        .says(2, &["nowhere.json: make one with `capi-policy bench --save nowhere.json`"]);
}
