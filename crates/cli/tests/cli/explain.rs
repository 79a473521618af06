use crate::command::{NOW, fleet, run};

#[test]
fn the_deciding_row_is_marked_with_facts_clocks_arithmetic_and_what_would_flip_it() {
    let run = run(&["explain", "-f", &fleet(), "--now", NOW, "mhc/blue-gpu"]);
    run.says(0, &[
        "MachineHealthCheck prod/blue-gpu at 2026-01-15T12:00:00Z, profile documented",
        "Targets of Machines blue-gpu-7d9c5-6bd2p, blue-gpu-7d9c5-xk8vn",
        "▶  MHC-RA-3",
        "✗  MHC-RA-1",
        "because  targets = 2, not healthy = 2, limit = 0 (unhealthyLessThanOrEqualTo 40%)",
        "so  False TooManyUnhealthy: Remediation is not allowed",
        "condition transition",
        "Node Ready=False for 5m",
        "2 targets - 0 healthy = 2 that count (2 unhealthy, 0 waiting, 0 open)",
        "2 <= 0? remediation is not allowed; allowed again when 2 more machines are healthy, or with a limit of at least 2",
        "Deadline: none",
    ]);
    let marked = run.stdout.lines().filter(|line| line.trim_start().starts_with("▶  MHC-RA-")).count();
    assert_eq!(marked, 1, "one row decides");
}

#[test]
fn a_deadline_is_told_where_there_is_one() {
    run(&["explain", "-f", &fleet(), "--now", NOW, "mhc/blue-workers"])
        .says(0, &["Deadline: can change by itself in 2m1s (2026-01-15T12:02:01Z)", "machine infrastructure ready"]);
}

#[test]
fn the_rows_are_those_of_the_profile() {
    let rows = |profile: &str| {
        let run = run(&["explain", "-f", &fleet(), "--now", NOW, "--profile", profile, "mhc/blue-workers"]);
        run.stdout.lines().find(|line| line.contains("MHC-HCS-11")).map(str::to_owned).unwrap_or_default()
    };
    assert!(rows("documented").contains("WaitingForRecovery"));
    assert!(rows("cluster-api").contains("keep"));
}

#[test]
fn json_has_the_explanations() {
    let evaluations = run(&["explain", "-f", &fleet(), "--now", NOW, "-o", "json", "md/blue-old"]).json();
    let explanations = evaluations[0]["explanations"].as_array().expect("explanations");
    assert!(explanations.iter().any(|e| e["table"] == "MD-DEL" && e["row"] == "MD-DEL-5"));
}
