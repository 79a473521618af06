use crate::command::{NOW, fleet, path, run};
use serde_json::Value;
use std::fs;

fn scenario(name: &str) -> String {
    path(&format!("scenarios/{name}.yaml"))
}

#[test]
fn the_answer_comes_first() {
    let run = run(&["simulate", &scenario("zone-outage")]);
    run.says(0, &["zone outage (seed 1)", "21 of 30", "20, which would have recovered", "storm", "zone a is cut off"]);
    run.says(0, &["machine workers-0-1 is gone (and 9 others)", "machine workers-0-31 created"]);
}

#[test]
fn the_same_days_are_compared() {
    let run = run(&["simulate", &scenario("zone-outage"), "--seeds", "1..20", "--compare"]);
    run.says(0, &["The same 20 days", "REPLACED", "at most 20%", "at most 100%", "range [1-3]"]);
    let field = "--compare=healthChecks.workers.unhealthyLessThanOrEqualTo=20%,40%";
    let json = crate::command::run(&["simulate", &scenario("zone-outage"), field, "-o", "json"]);
    let results: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let replaced: Vec<_> =
        results.as_array().expect("variants").iter().map(|each| &each["days"][0]["replaced"]).collect();
    assert_eq!(replaced, [2, 21]);
}

#[test]
fn policies_are_compared() {
    let compared =
        |profiles: &str| run(&["simulate", &scenario("bad-image"), &format!("--compare=profile={profiles}")]);
    compared("documented,cluster-api-v1.14").says(0, &["profile=documented", "profile=cluster-api-v1.14"]);
    compared("documented,cluster-api-v1.13").says(2, &["expected a profile for which it is known what owners do"]);
}

#[test]
fn threads_change_nothing() {
    let days = |threads: &str| {
        run(&["simulate", &scenario("slow-boots"), "--seeds", "1..4", "--threads", threads, "-o", "csv"]).stdout
    };
    let one = days("1");
    assert_eq!(one.lines().count(), 5);
    assert!(one == days("2") && one == days("4"));
}

#[test]
fn a_failing_day_is_shrunk_and_linked() {
    let run = run(&["simulate", &scenario("zone-outage"), "--never", "replaced > 20%", "--always", "quorum"]);
    run.says(1, &["never replaced > 20%: not met on 1 of 1 day", "always quorum: met on 1 day"]);
    assert!(run.stderr.contains("the smallest scenario that shows it") && run.stderr.contains("#s="), "{}", run.stderr);
    assert!(run.stderr.contains("replicas: 1\n") && !run.stderr.contains("deathsPerDay"), "{}", run.stderr);
}

#[test]
fn a_day_can_start_from_captured_objects() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("day.yaml");
    fs::write(&file, "horizon: 2h\nincidents: [{ apiServerUnreachable: { at: 30m, for: 30m } }]\n").expect("a file");
    let run = run(&["simulate", &file.display().to_string(), "-f", &fleet(), "--now", NOW]);
    run.says(0, &["replaced", "blocked", "the workload cluster's API server is back"]);
}

#[test]
fn pictures_are_drawn() {
    let svg = run(&["simulate", &scenario("bad-image"), "-o", "svg"]).stdout;
    assert!(svg.starts_with("<svg ") && svg.contains("bad image: 1 day, 20 replaced, 0 needlessly"), "{svg}");
    let timeline = run(&["simulate", &scenario("bad-image"), "-o", "timeline"]).stdout;
    assert!(timeline.contains("not working") && timeline.contains("+6h"), "{timeline}");
}

#[test]
fn what_is_wrong_is_said_with_its_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("day.yaml");
    fs::write(&file, "horizon: 365000d\nmachineDeployments: { workers: { replicas: 3 } }\n").expect("a file");
    run(&["simulate", &file.display().to_string()]).says(2, &["horizon: expected 1m to 366d, found 365000d"]);
    run(&["simulate", &scenario("bad-image"), "-f", &fleet()]).says(2, &["has a fleet of its own"]);
    run(&["simulate", &scenario("bad-image"), "--never", "lost > 3"]).says(2, &["--never: expected quorum"]);
    run(&["simulate", &scenario("bad-image"), "--threads", "0"]).says(2, &["1..=1024"]);
    let compare = "--compare=healthChecks.worker.nodeStartupTimeout=10m,20m";
    run(&["simulate", &scenario("bad-image"), compare])
        .says(2, &["compare: expected a field of something that the scenario has"]);
    fs::write(&file, "horizon: 2h\nhealthChecks: { nobody: { nodeStartupTimeout: 5m } }\n").expect("a file");
    let given = run(&["simulate", &file.display().to_string(), "-f", &fleet(), "--now", NOW]);
    given.says(2, &["healthChecks.nobody: expected the name of one that the objects have"]);
}
