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
    assert_eq!(results.len(), 21 * 4);
    let engines: Vec<_> = results.iter().take(4).filter_map(|m| m["engine"].as_str()).collect();
    assert_eq!(engines, ["native", "component, warm, no deadline", "component, warm", "component, fresh"]);
    for result in results {
        let number = |field: &str| result[field].as_f64().expect("a number");
        assert!(number("perSecond") > 0.0 && number("timesNative") > 0.0);
        assert!(number("p50Micros") <= number("p95Micros") && number("p95Micros") <= number("p99Micros"));
    }
}

#[test]
fn made_up_objects_and_the_start_are_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let snapshots = folder.path().join("snapshots");
    let options = ["--machines", "2,3", "--seconds", "0.01", "-o", "json"];
    let results = run(&[&["bench", "--snapshots", &snapshots.display().to_string()], &options[..]].concat()).json();
    let results = results.as_array().expect("a list");
    let of = |field: &str, value: &str| results.iter().filter(|m| m[field] == value).collect::<Vec<_>>();

    for subject in ["MachineDeployment 2", "MachineHealthCheck 3", "Machine Updating"] {
        let engines: Vec<_> = of("subject", subject).iter().filter_map(|m| m["engine"].as_str()).collect();
        assert_eq!(
            engines,
            ["native", "component, warm, no deadline", "component, warm", "component, fresh", "fleet, one change"]
        );
        let file = snapshots.join(format!("{}.json", subject.replace(' ', "-")));
        let bytes = fs::metadata(file).expect("the snapshot").len();
        assert_eq!(of("subject", subject)[0]["bytes"].as_u64(), Some(bytes));
    }
    for fresh in of("engine", "component, fresh") {
        assert!(fresh["memoryBytes"].as_u64() > fresh["bytes"].as_u64(), "the snapshot is in the memory");
    }
    let start: Vec<_> = of("subject", "start").iter().filter_map(|m| m["engine"].as_str()).collect();
    assert_eq!(start, ["from artifact", "from cache", "fresh instance", "fresh instance, empty call"]);
    assert!(of("subject", "start").iter().all(|m| m["timesNative"].is_null()));
}

#[test]
fn a_saved_result_can_be_compared_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("saved.json");
    let name = saved.display().to_string();
    bench(&["--save", &name]).says(0, &["EVALUATIONS/S", "TIMES NATIVE", "MachineHealthCheck prod/blue-gpu"]);
    bench(&["--compare", &name, "--threshold", "1000000"]).says(0, &["0 of 84 slower"]);

    let mut results: Value = serde_json::from_str(&fs::read_to_string(&saved).expect("a file")).expect("JSON");
    results[0]["p50Micros"] = 0.001.into();
    fs::write(&saved, results.to_string()).expect("a file");
    bench(&["--compare", &name, "--threshold", "1000000"]).says(1, &["1 of 84 slower"]);
}

#[test]
fn a_baseline_that_is_none_is_refused() {
    bench(&["--compare", "nowhere.json"])
        .says(2, &["nowhere.json: make one with `capi-policy bench --save nowhere.json`"]);
}
